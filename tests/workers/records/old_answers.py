"""A store that version 0.1.0 wrote (`old_store/make.py`), and what today's version answers about it."""

from __future__ import annotations

import hashlib
import json
import secrets
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import create_engine, select, text

from shadowtime.engine.workload.job import RECORDED, Workload
from shadowtime.workers import rerun
from shadowtime.workers.records import links, schema
from shadowtime.workers.records.blobs import digest_of
from shadowtime.workers.records.database import rows
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.sweeps.progress import SweepProgress
from tests.workers.store.kept import SAFELY

HERE = Path(__file__).parent / "old_store"
ANSWERS: dict[str, Any] = json.loads((HERE / "answers.json").read_bytes())
SPECIAL: dict[str, str] = ANSWERS.pop("special")
ENGINE: str = ANSWERS.pop("engine_version")
AUDIT: list[dict[str, Any]] = ANSWERS.pop("audit")
"""The lines of a file, which stays in its place."""
FAULT = f"run {SPECIAL['damaged'][:16]}: {ANSWERS['runs'][SPECIAL['damaged']]['status']['error']}"
"""What `shadowtime store check` finds."""
NAMES = ("bounds", "deleted", "key", "links", "papers", "reruns", "runs", "sweeps", "workloads")
"""Files and folders of the old store that are set aside."""
LEASE = "draft"
"""Kind of the uses that a killed process leaves for an hour."""


def unpack(folder: Path) -> Path:
    """A copy that may be changed, with the times of the files."""
    with tarfile.open(HERE / "store.tar.gz") as archive:
        archive.extractall(folder, **SAFELY)
    return folder


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """The URL of an empty database of a PostgreSQL server, deleted in the end."""
    name = f"old_{secrets.token_hex(8)}"
    admin = create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
    yield f"{server}/{name}"
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


def answers(store: RecordStore) -> dict[str, Any]:
    """Answers in the form of `answers.json`."""
    newest_first = [run.digest for run in store.runs.list(limit=1000).rows]
    found = {
        "links": {row["code"]: _link(row) for row in _rows(store, schema.links)},
        "reruns": {row["digest"]: asdict(store.reruns.get(row["digest"])) for row in _rows(store, schema.reruns)},
        "bounds": {digest: {"lost": store.bounds.get(digest).lost} for digest in store.bounds.requested()},
        "deleted": {row["digest"]: store.runs.question(row["digest"]).json for row in _rows(store, schema.questions)},
        "runs": {digest: _run(store.runs.get(digest)) for digest in newest_first},
        "newest first": newest_first,
        "newest first, public": [run.digest for run in store.runs.list(limit=1000, owners=()).rows],
        "workloads": {entry.digest: _workload(store, entry) for entry in store.workloads.list(limit=1000).rows},
        "sweeps": {sweep.digest: _sweep(store, sweep) for sweep in store.sweeps.list()},
        "papers": {f"{row['name']}-{row['scale']}": _paper(store, row) for row in _rows(store, schema.papers)},
        "key": store.key().decode(),
    }
    return json.loads(json.dumps(found))


def leaves(value: Any) -> int:
    """How many single values it holds."""
    if isinstance(value, dict | list):
        return sum(leaves(one) for one in (value.values() if isinstance(value, dict) else value))
    return 1


def records(store: RecordStore) -> dict[str, Any]:
    """Every row that was written, the names of the blobs, and which of them are used, apart from times and leases."""
    found = {}
    for table in schema.metadata.sorted_tables:
        kept = [{**row, "touched": ""} for row in _rows(store, table) if row.get("kind") != LEASE]
        found[table.name] = sorted(json.dumps(row, sort_keys=True) for row in kept)
    return {**found, "files": sorted(store.shelf.blobs.digests())}


def set_aside(folder: Path) -> dict[str, str]:
    """The digest of each file that was set aside, by its path in the old store."""
    paths = folder.glob("older-*")
    return dict(file for path in paths for file in _files(path, path.name.removeprefix("older-")))


def as_written(folder: Path) -> dict[str, str]:
    """The digest of each file of the old store, by its path, whether it was set aside or not."""
    there = dict(file for name in NAMES for file in _files(folder / name, name))
    return there | set_aside(folder)


def _files(path: Path, name: str) -> Iterator[tuple[str, str]]:
    if path.is_file():
        yield name, digest_of(path)
    for file in path.rglob("*"):
        if file.is_file():
            yield f"{name}/{file.relative_to(path)}", digest_of(file)


def _rows(store: RecordStore, table: Any) -> list[dict[str, Any]]:
    with store.database.read() as connection:
        return rows(connection, select(table))


def _run(run: Any) -> dict[str, Any]:
    tables = rerun.table_digests(run) if run.status.is_finished else {}
    return {"status": run.status.as_dict(), "spec": run.spec.json, "summary": run.summary, "tables": tables}


def _link(row: dict[str, Any]) -> dict[str, Any]:
    said = asdict(links.of_values(row["code"], {**row, "runs": json.loads(row["runs"])}))
    return {name: value for name, value in said.items() if name not in ("code", "is_damaged")}


def _known(workload: Workload) -> dict[str, np.ndarray]:
    """The columns of its jobs that readers had when the answers were recorded."""
    return {name: column for name, column in workload.jobs.items() if name not in RECORDED}


def _workload(store: RecordStore, entry: Any) -> dict[str, Any]:
    loaded = {case or "": store.workloads.load(entry.digest, case) for case in entry.cases or (None,)}
    cases = {case: [rerun.digest_of(table) for table in (_known(one), one.parts)] for case, one in loaded.items()}
    source = hashlib.sha256(store.workloads.open_source(entry.digest).read()).hexdigest()
    return {"entry": entry.as_dict(), "source": source, "cases": cases}


def _sweep(store: RecordStore, sweep: Any) -> dict[str, Any]:
    outcomes = SweepProgress(store, sweep).refresh(sweep).outcomes
    batches = [row for row in _rows(store, schema.batches) if row["sweep"] == sweep.digest]
    return {
        "status": asdict(sweep.status),
        "spec": sweep.spec.json,
        "runs": [outcomes.of(index) for index in range(len(sweep.spec))],
        "counts": outcomes.counts(),
        "intervals": outcomes.intervals,
        "begun": {row["batch"]: [row["round"], row["run"]] for row in batches if row["lease"] is not None},
        "lost": [lost for row in batches for lost in json.loads(row["lost"])],
    }


def _paper(store: RecordStore, row: dict[str, Any]) -> dict[str, Any]:
    """Version 0.1.0 did not say of which version of the studies a cell is."""
    study = store.papers.study(row["name"], row["scale"], ENGINE, "")
    cells = study.answers(sorted(study.known()))
    return {"status": asdict(study.status()), "progress": study.progress(), "result": study.result(), "cells": cells}
