"""Take over the runs of a store that an older version kept in folders.

runs/<digest>/spec.json status.json summary.json jobs/ segments/ events/ series/
deleted/<digest>.json   the questions of deleted runs
key                     the key of private runs

Runs become rows and blobs, some at a time in one transaction. What stops the process between, the next start continues:
rows that are there stay. At the end the folders are renamed to `older-<name>` and kept.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import select

from shadowtime.workers.records import schema
from shadowtime.workers.records.blobs import digest_of
from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.older.common import UNREADABLE, set_aside
from shadowtime.workers.records.older.tables import read_table
from shadowtime.workers.records.run_rows import Tables, damaged, is_question, new_row, result_row
from shadowtime.workers.records.run_tables import Drafts
from shadowtime.workers.records.runs import KIND, Label
from shadowtime.workers.records.shelf import Shelf, use
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import seal
from shadowtime.workers.store.base import EXTRA_TABLES, STATES, TABLES, Status

log = logging.getLogger(__name__)

TOGETHER = 16
"""Runs of one transaction."""
KEPT = "kept_tables"
"""Key of a stored summary: the names of the tables beside it."""


@dataclass(frozen=True)
class Older:
    """A run as its folder has it."""

    spec: RunSpec
    status: Status
    summary: Mapping[str, Any]
    tables: Tables


def take_over(folder: Path, database: Database, shelf: Shelf, label: Label) -> None:
    """Record the runs, deleted questions and the key of an older store, where there are any."""
    if (key := folder / "key").is_file():
        with database.write() as connection:
            insert_ignoring(connection, schema.facts, [{"name": "key", "value": key.read_text("ascii").strip()}])
        set_aside(key)
    if (folder / "deleted").is_dir():
        _questions(folder / "deleted", database)
    if (folder / "runs").is_dir():
        _runs(folder, database, shelf, label)


def _runs(folder: Path, database: Database, shelf: Shelf, label: Label) -> None:
    with database.read() as connection:
        known = set(connection.execute(select(schema.runs.c.digest)).scalars())
    there = sorted(path.name for path in (folder / "runs").iterdir() if len(path.name) == 64)
    left = [digest for digest in there if digest not in known]
    log.info("%d runs of an older version are taken over", len(left))
    for first in range(0, len(left), TOGETHER):
        found = list(_read_all(folder / "runs", left[first : first + TOGETHER]))
        with Drafts(folder, shelf) as drafts:
            blobs = [drafts.write(one.tables) for one in found]
            drafts.stored(partial(_record, database, label, found, blobs))
        for digest in {digest for tables in blobs for digest in tables.values()}:
            shelf.blobs.open(digest)  # reads it back: the folder is set aside only after that
    set_aside(folder / "runs")


def _record(database: Database, label: Label, found: Sequence[Older], blobs: Sequence[Mapping[str, str]]) -> None:
    rows = [new_row(one.spec, one.status, *label(one.spec.workload)) for one in found]
    with database.write() as connection:
        for one, row, tables in zip(found, rows, blobs, strict=True):
            if not insert_ignoring(connection, schema.runs, [row]) or not one.status.is_finished:
                continue
            use(connection, KIND, row["digest"], tables.values())
            insert_ignoring(connection, schema.results, [result_row(row["digest"], one.summary, tables)])


def _read_all(root: Path, digests: Sequence[str]) -> Iterator[Older]:
    for digest in digests:
        try:
            yield _read(root / digest)
        except UNREADABLE as error:
            log.error("run %s is left in its folder: its question cannot be read (%s)", digest[:16], error)


def _read(path: Path) -> Older:
    """Return the run in a folder; one whose files differ from what was written counts as failed and damaged."""
    text = (path / "spec.json").read_text("utf-8")
    if not is_question(text, path.name):
        raise ValueError("its SHA-256 is not the name of its folder")
    spec = RunSpec.from_json(text)
    try:
        status = Status.from_dict(seal.opened((path / "status.json").read_bytes()))
        if status.status not in STATES or bool(spec.salt) != bool(status.owner):
            raise ValueError(status.status)
    except UNREADABLE:
        return Older(spec, damaged(Status("failed"), "status.json is not what was written"), {}, {})
    if status.status == "running":  # its worker was stopped for the new version
        status = status.but(status="queued", attempt=status.attempt + 1, spared=status.spared + 1, started=None)
    if not status.is_finished:
        return Older(spec, status, {}, {})
    try:
        summary = seal.opened((path / "summary.json").read_bytes())
        names = summary.pop(KEPT, [*TABLES, *(name for name in EXTRA_TABLES if (path / name).is_dir())])
        return Older(spec, status, summary, {name: read_table(path / name) for name in names})
    except UNREADABLE as error:
        what = f"{Path(str(error.filename)).name} is missing" if isinstance(error, FileNotFoundError) else str(error)
        return Older(spec, damaged(status, what), {}, {})


def _questions(folder: Path, database: Database) -> None:
    paths = [path for path in sorted(folder.glob("*.json")) if digest_of(path) == path.stem]
    rows = [{"digest": path.stem, "spec": path.read_text("utf-8")} for path in paths]
    if rows:
        with database.write() as connection:
            insert_ignoring(connection, schema.questions, rows)
    set_aside(folder)
