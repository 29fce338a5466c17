"""Take over the runs of a store that an older version kept in folders.

runs/<digest>/spec.json status.json cancel summary.json jobs/ segments/ events/ series/
deleted/<digest>.json   the questions of deleted runs
key                     the key of private runs

Runs become rows and blobs, some at a time in one transaction. What stops the process between, the next start continues:
rows that are there stay. At the end the folders are renamed to `older-<name>` and kept.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select

from shadowtime.engine.tables import Table
from shadowtime.workers.records import schema
from shadowtime.workers.records.blobs import is_name
from shadowtime.workers.records.database import Database, insert_ignoring
from shadowtime.workers.records.older import common
from shadowtime.workers.records.older.tables import read_table
from shadowtime.workers.records.run_rows import damaged, is_question, new_row, result_row, with_status
from shadowtime.workers.records.run_tables import Drafts
from shadowtime.workers.records.runs import KIND, Labels
from shadowtime.workers.records.shelf import Shelf, use
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import seal
from shadowtime.workers.store.base import EXTRA_TABLES, STATES, TABLES, Status
from shadowtime.workers.utc import utc_text

log = logging.getLogger(__name__)

FOLDER, DELETED, KEY = "runs", "deleted", "key"
CANCEL = "cancel"
"""File of a running run whose cancellation was requested."""
KEY_TEXT = re.compile(r"[0-9a-f]{64}", re.ASCII)
TOGETHER = 16
"""Runs of one transaction."""
KEPT = "kept_tables"
"""Key of a stored summary: the names of the tables beside it."""


class OlderTables(Mapping[str, Mapping[str, np.ndarray]]):
    """The tables in the folder of a run, each read when it is asked for: a mapped column holds a file open."""

    def __init__(self, path: Path, names: Sequence[str]):
        self._path, self._names = path, names

    def __getitem__(self, name: str) -> Table:
        if name not in self._names:
            raise KeyError(name)
        return read_table(self._path / name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class Older:
    """A run as its folder has it."""

    row: Mapping[str, Any]
    summary: Mapping[str, Any] | None = None
    """Of a finished run."""
    tables: Mapping[str, Mapping[str, np.ndarray]] = field(default_factory=dict)


def take_over(folder: Path, database: Database, shelf: Shelf, labels: Labels) -> None:
    """Record the runs, deleted questions and the key of an older store, where there are any."""
    if (folder / KEY).is_file():
        with common.unless_gone(folder / KEY):
            _key(folder / KEY, database)
    if (folder / DELETED).is_dir():
        with common.unless_gone(folder / DELETED):
            _questions(folder / DELETED, database)
    if (folder / FOLDER).is_dir():
        with common.unless_gone(folder / FOLDER):
            _runs(folder, database, shelf, labels)


def left(folder: Path, database: Database) -> list[str]:
    """Return the digests of the runs in the folder of a store that are not recorded."""
    with database.read() as connection:
        known = set(connection.execute(select(schema.runs.c.digest)).scalars())
    try:
        names = [path.name for path in (folder / FOLDER).iterdir()]
    except FileNotFoundError:
        return []
    return sorted(name for name in names if is_name(name) and name not in known)


def _key(path: Path, database: Database) -> None:
    text = path.read_text("ascii", errors="replace").strip()
    if KEY_TEXT.fullmatch(text):
        with database.write() as connection:
            insert_ignoring(connection, schema.facts, [{"name": "key", "value": text}])
    else:
        log.error("the key of private runs is not what was written; a new one is made")
    common.set_aside(path)


def _questions(folder: Path, database: Database) -> None:
    rows = []
    for path in sorted(folder.glob("*.json")):
        with suppress(*common.UNREADABLE):  # of a question that is not what was asked, nothing is kept
            text = common.content(path).decode()
            if is_question(text, path.stem):
                rows.append({"digest": path.stem, "spec": text})
    if rows:
        with database.write() as connection:
            insert_ignoring(connection, schema.questions, rows)
    common.set_aside(folder)


def _runs(folder: Path, database: Database, shelf: Shelf, labels: Labels) -> None:
    digests = left(folder, database)
    progress = common.Progress("runs", len(digests))
    for first in range(0, len(digests), TOGETHER):
        found = [_read(folder / FOLDER / digest, labels) for digest in digests[first : first + TOGETHER]]
        with Drafts(folder, shelf) as drafts:
            blobs = [drafts.write(one.tables) for one in found]
            drafts.stored(partial(_record, database, shelf, found, blobs))
        progress.more(len(found))
    common.set_aside(folder / FOLDER)


def _record(database: Database, shelf: Shelf, found: Sequence[Older], blobs: Sequence[Mapping[str, str]]) -> None:
    for digest in sorted({digest for tables in blobs for digest in tables.values()}):
        shelf.blobs.open(digest)  # reads it back
    with database.write() as connection:
        for one, tables in zip(found, blobs, strict=True):
            if not insert_ignoring(connection, schema.runs, [one.row]) or one.summary is None:
                continue
            use(connection, KIND, one.row["digest"], tables.values())
            insert_ignoring(connection, schema.results, [result_row(one.row["digest"], one.summary, tables)])


def _read(path: Path, labels: Labels) -> Older:
    """Return the run in a folder; one whose files differ from what was written counts as failed and damaged."""
    if not path.is_dir():
        raise FileNotFoundError(path)
    try:
        spec = _question(path)
    except common.UNREADABLE as error:
        log.error("the question of run %s cannot be read (%s)", path.name[:16], error)
        return Older(_unknown(path.name))
    row = partial(new_row, spec)
    (names,) = labels([spec.workload])
    try:
        status = _status(path, spec)
        found = common.fitting(schema.runs, row(status, *names))
    except common.UNREADABLE:
        return Older(row(damaged(Status("failed"), "status.json is missing or no status"), *names))
    if not status.is_finished:
        return Older(found)
    try:
        return Older(found, *_result(path))
    except FileNotFoundError as error:
        what = f"{Path(str(error.filename)).relative_to(path)} is missing"
    except common.UNREADABLE as error:
        what = str(error)
    return Older(row(damaged(status, what), *names))


def _question(path: Path) -> RunSpec:
    text = common.content(path / "spec.json").decode()
    if not is_question(text, path.name):
        raise ValueError("its SHA-256 is not the name of its folder")
    return RunSpec.from_json(text)


def _status(path: Path, spec: RunSpec) -> Status:
    """Return the status in the folder of a run. A running one waits again: its worker was stopped for the new version;
    it is cancelled where that was requested."""
    status = Status.from_dict(seal.opened(common.content(path / "status.json")))
    if status.status not in STATES or bool(spec.salt) != bool(status.owner):
        raise ValueError(status.status)
    if status.status != "running":
        return status
    if (path / CANCEL).exists():
        asked = datetime.fromtimestamp((path / CANCEL).stat().st_mtime, UTC)
        return status.but(status="cancelled", ended=utc_text(asked), error=None)
    return status.but(status="queued", attempt=status.attempt + 1, spared=status.spared + 1, started=None)


def _result(path: Path) -> tuple[dict[str, Any], OlderTables]:
    """Return summary and tables of the finished run in a folder; one of `common.UNREADABLE` when they are damaged."""
    try:
        summary = seal.opened(common.content(path / "summary.json"))
    except ValueError as error:
        raise ValueError(f"summary.json is not what was written ({error})") from None
    names = summary.pop(KEPT, [*TABLES, *(name for name in EXTRA_TABLES if (path / name).is_dir())])
    if not {*TABLES} <= {*names} <= {*TABLES, *EXTRA_TABLES}:
        raise ValueError("summary.json names other tables than a run has")
    common.fitting(schema.results, result_row(path.name, summary, {}))
    tables = OlderTables(path, names)
    with common.readable():
        for name in tables:
            tables[name]
    return summary, tables


def _unknown(digest: str) -> dict[str, Any]:
    """Return the row of a run whose question cannot be read: it shows as damaged, only to who keeps the store,
    since it may be private."""
    texts = dict.fromkeys(("algorithm", "workload", "name", "tags", "notes", "spec"), "")
    return with_status({"digest": digest, "label": digest, "jobs": 0, **texts}, damaged(Status("failed"), "spec.json"))
