"""Check everything in a store and report what differs from what was written. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select

from shadowtime.workers.errors import NotFound
from shadowtime.workers.records import audit, checksum, damaged_log, links, schema, sweep_check, workload_check
from shadowtime.workers.records.blobs import FolderBlobs
from shadowtime.workers.records.database import FILE, Database, rows
from shadowtime.workers.records.papers import Papers
from shadowtime.workers.records.run import RecordRun
from shadowtime.workers.records.runs import KIND, Runs
from shadowtime.workers.records.shelf import used_by

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    what: str
    """`run`, `workload`, `sweep`, `link`, `rerun`, `bound`, `notice`, `session`, `token`, `paper`, `question` (of a
    deleted run), `audit` or `database`."""
    name: str
    """Its id or code."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.what} {self.name}: {self.sentence}"


def faults(store: RecordStore) -> Iterator[Fault]:
    """Yield all faults of a store, as they are found. A blob that no record names is no fault: a crash may leave it."""
    if n := store.shelf.without_records():
        yield Fault("database", FILE, f"{n:,} blob{'s' if n > 1 else ''} but no records")
    for digest, sentence in workload_check.faults(store.workloads):
        yield Fault("workload", digest[:16], sentence)
    for digest, sentence in sweep_check.faults(store.database):
        yield Fault("sweep", digest[:16], sentence)
    for digest in store.runs.digests():
        with suppress(NotFound):  # deleted meanwhile
            for sentence in _run(store.runs, store.runs.get(digest)):
                yield Fault("run", digest[:16], sentence)
    yield from _lost(store)
    for digest in store.runs.damaged_questions():
        yield Fault("question", digest[:16], "it is not what was asked: its SHA-256 is not its name")
    yield from damaged_rows(store.database)
    yield from _database(store.database)


def _lost(store: RecordStore) -> Iterator[Fault]:
    """Yield what needs a blob that is not in the bucket, though this machine may have a copy of it."""
    if isinstance(store.shelf.blobs, FolderBlobs):
        return
    needed = store.shelf.users()
    there = set(store.shelf.blobs.digests())
    lost = {use for use in needed if use[0] not in there}
    for blob, kind, user in sorted(lost.intersection(store.shelf.users()) if lost else ()):  # not deleted meanwhile
        yield Fault(kind, user[:16], f"its file {blob[:16]} is not in the bucket")


def _run(runs: Runs, run: RecordRun) -> Iterator[str]:
    try:
        assert run.spec.digest == run.digest
    except NotFound as error:
        yield str(error)
    if run.status.damaged:
        yield run.status.error or "it is damaged"
    elif run.status.is_finished and (what := runs.trouble(run.digest)):
        yield what
    elif run.status.is_finished:
        with runs.database.read() as connection:
            used = used_by(connection, KIND, run.digest)
        if missing := [name for name, blob in run.tables.items() if blob not in used]:
            yield f"the use of its table {missing[0]} is not recorded"


def damaged_rows(database: Database) -> Iterator[Fault]:
    """Yield the rows of the database that differ from what was written."""
    for what, table, key in (
        ("link", schema.links, "code"),
        ("rerun", schema.reruns, "digest"),
        ("bound", schema.bounds, "digest"),
        ("notice", schema.notices, "code"),
        ("request", schema.asked, "words"),
        ("session", schema.sessions, "digest"),
        ("token", schema.tokens, "id"),
    ):
        with database.read() as connection:
            found = rows(connection, select(table).order_by(table.c[key]))
        for row in found:
            if not checksum.is_intact(table, row):
                yield Fault(what, str(row[key])[:16], "its row is not what was written")
            elif what == "link" and not links.is_code_of(links.of_values(row["code"], {**row, "runs": ()})):
                yield Fault(what, row[key][:16], "its code is not that of its target")
    for name in Papers(database).damaged():
        yield Fault("paper", name, "its row is not what was written")
    for time, fields in audit.since(database):
        if fields is None:
            yield Fault("audit", time, "its row is not what was written")


def _database(database: Database) -> Iterator[Fault]:
    """Yield what SQLite finds wrong with its file."""
    if database.is_sqlite:
        with database.read() as connection:
            verdict = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
        if verdict != "ok":
            yield Fault("database", FILE, f"it is damaged ({' '.join(str(verdict).split())})")
        kept = damaged_log.kept(Path(str(database.engine.url.database)))
        if kept.exists():
            yield Fault(
                "database", kept.name, "the log of the database was damaged when it was opened: the last changes "
                "before may be missing; what is left of it is kept in this file, which may be deleted"
            )  # fmt: skip
