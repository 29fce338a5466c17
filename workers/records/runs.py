"""Record runs: a row once accepted, and a row of results with blobs of tables once finished.

Every change reads the row, computes the new one and writes it in one transaction. A running run is held by a lease,
which its worker renews. A process that sees a lease unchanged for LEASE seconds of its own steady clock requeues the
run with the next attempt, and the former worker cannot finish it: neither a jump of a clock nor a wrong clock takes a
run from its worker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any, Unpack

from sqlalchemy import Connection, bindparam, delete, select, update

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.records import notices, run_rows, schema
from shadowtime.workers.records.asked import record_words
from shadowtime.workers.records.blobs import is_name
from shadowtime.workers.records.bounds import Bounds
from shadowtime.workers.records.database import Database, insert_ignoring, rows, upsert
from shadowtime.workers.records.listing import find
from shadowtime.workers.records.marks import marks_of
from shadowtime.workers.records.outlines import outline
from shadowtime.workers.records.run import TROUBLES, RecordRun, checked, of_table
from shadowtime.workers.records.run_lists import RunLists, check_added, named
from shadowtime.workers.records.run_rows import (
    Tables,
    done,
    kept_row,
    kept_tables,
    new_row,
    own,
    result_row,
    status_of,
    with_status,
)
from shadowtime.workers.records.run_tables import Drafts
from shadowtime.workers.records.shelf import Shelf, release, use, use_all
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool
from shadowtime.workers.store import disk
from shadowtime.workers.store.base import MOST_ATTEMPTS, LoadCheck, Sender, Status, progress_of
from shadowtime.workers.store.live import FolderLive, LivePlace, LiveSource
from shadowtime.workers.store.live_sink import LiveSink

table = schema.runs
LOCKED = select(table).where(table.c.digest == bindparam("digest")).with_for_update()
"""The row of a run that is to be changed."""

KIND = "run"
"""Kind of the uses of blobs."""
LEASE = 6.0
"""Seconds for which a worker holds a run after it last renewed the lease; it renews every two."""
Labels = Callable[[Sequence[Mapping[str, Any]]], Sequence[tuple[str, str]]]


class Runs(RunLists):
    """All runs of a laboratory. Live tables and spools lie in a folder of this machine."""

    def __init__(
        self,
        database: Database,
        shelf: Shelf,
        folder: Path,
        labels: Labels,
        bounds: Bounds,
        with_room: Callable[[Callable[[], None]], None] = lambda delete: delete(),
        live: LivePlace | None = None,
    ):
        """`labels` returns digest and name of the workloads that specs name; `with_room` calls a deletion so that it
        also succeeds on a full disk."""
        self.database = database
        self.shelf = shelf
        self.bounds = bounds
        self.folder = folder
        self._labels = labels
        self._with_room = with_room
        self._live = live or FolderLive(folder / "live")

    def accept(self, spec: RunSpec, *, jobs: int = 0, **sender: Unpack[Sender]) -> bool:
        return self.accept_all([(spec, jobs)], **sender)[0]

    def accept_all(
        self, asked: Sequence[tuple[RunSpec, int]], *, words: str | None = None, check: LoadCheck | None = None,
        needs_jobs: bool = False, **sender: Unpack[Sender],
    ) -> list[bool]:  # fmt: skip
        fresh = []
        labels = self._labels([spec.workload for spec, _ in asked])
        for (spec, jobs), label in zip(asked, labels, strict=True):
            assert bool(spec.salt) == bool(sender.get("owner")), "a private run has an owner and a salt"
            status = Status("queued", progress=progress_of(jobs), **sender)
            fresh.append((new_row(spec, status, *label), status))

        def accept(connection: Connection) -> list[bool]:
            timed = [(row, status.but(accepted=self.database.now(connection))) for row, status in fresh]
            accepted = [False] * len(fresh)
            for n in sorted(range(len(fresh)), key=lambda n: fresh[n][0]["digest"]):  # no two writers lock crosswise
                accepted[n] = self._accept(connection, *timed[n])
            if words is not None and any(accepted):
                record_words(connection, words, [row["digest"] for row, _ in fresh])
            check_added(connection, list(compress(asked, accepted)), check, sender.get("client"), needs_jobs)
            return accepted

        return self.database.write_together(accept)

    def _accept(self, connection: Connection, row: Mapping[str, Any], status: Status) -> bool:
        new = with_status(row, status)
        if insert_ignoring(connection, table, [new]):
            return True
        known = self._row(connection, row["digest"])
        before = status_of(known)
        if before.status == "running" and run_rows.is_cancel_requested(known):  # it was requested again
            connection.execute(update(table).where(table.c.digest == row["digest"]).values(**run_rows.goes_on(before)))
        if before.status not in ("failed", "cancelled"):
            return False
        self._write(connection, with_status({**new, **own(known)}, status))
        return True

    def get(self, reference: str) -> RecordRun:
        with self.database.read() as connection:
            return self._read(named(connection, reference))

    def get_all(self, references: Sequence[str]) -> list[RecordRun]:
        with self.database.read() as connection:
            found = []
            for reference in references:
                with suppress(NotFound):
                    found.append(self._read(named(connection, reference)))
            return found

    def begin(self, digest: str, worker: str = "") -> Status | None:
        with self.database.write() as connection:
            row = self._row(connection, digest)
            status = status_of(row)
            if status.status != "queued":
                return None
            begun = status.but(status="running", started=self.database.now(connection), ended=None, error=None)
            self._write(connection, with_status(row, begun, worker, self._until(connection)))
        self._clear(digest)
        return begun

    def renew(self, digest: str, worker: str) -> bool:
        with self.database.write() as connection:
            held = (table.c.digest == digest, table.c.status == "running", table.c.worker == worker)
            changed = update(table).where(*held).values(lease=self._until(connection))
            return bool(connection.execute(changed).rowcount)

    def leases(self) -> list[tuple[str, int, str | None]]:
        with self.database.read() as connection:
            held = select(table.c.digest, table.c.attempt, table.c.lease).where(table.c.status == "running")
            return [(digest, attempt, lease) for digest, attempt, lease in connection.execute(held)]

    def report(self, digest: str, attempt: int, progress: Mapping[str, Any]) -> bool:
        with self.database.write() as connection:
            row = self._row(connection, digest)
            if not _is_running(status_of(row), attempt):
                return False
            text = run_rows.progress_text(progress, is_cancel_requested=run_rows.is_cancel_requested(row))
            connection.execute(update(table).where(table.c.digest == digest).values(progress=text))
            return True

    def finish(self, digest: str, attempt: int, tables: Tables, summary: Mapping[str, Any]) -> bool:
        with Drafts(self.folder, self.shelf) as drafts:
            blobs = drafts.write(kept_tables(tables))
            result = result_row(digest, summary, blobs, outline(tables["series"]))

            def store() -> bool:
                with self.database.write() as connection:
                    row = self._row(connection, digest)
                    if not _is_running(status_of(row), attempt):
                        return False
                    ended = {"status": "finished", "ended": self.database.now(connection), "progress": done(tables)}
                    compiled = float(summary.get("timing", {}).get("compile_s", 0.0))
                    self._write(connection, with_status(row, status_of(row).but(**ended), compiled=compiled))
                    use(connection, KIND, digest, blobs.values())
                    upsert(connection, schema.results, result)
                    return True

            is_stored = drafts.stored(store)
        if is_stored:
            self._clear(digest)
        return is_stored

    def keep(self, kept: Sequence[tuple[RunSpec, Tables, Mapping[str, Any]]], experiment: str = "") -> None:
        if not kept:
            return
        labels = self._labels([spec.workload for spec, _, _ in kept])
        with Drafts(self.folder, self.shelf) as drafts:
            blobs = [drafts.write(kept_tables(tables)) for _, tables, _ in kept]
            with self.database.read() as connection:
                now = datetime.fromisoformat(self.database.now(connection))
            rows = [kept_row(now, *one, label, experiment) for one, label in zip(kept, labels, strict=True)]
            results = [
                result_row(row["digest"], summary, names, outline(tables["series"]))
                for row, (_, tables, summary), names in zip(rows, kept, blobs, strict=True)
            ]
            drafts.stored(partial(self._keep_all, rows, results, blobs))

    def fail(self, digest: str, sentence: str, attempt: int | None = None, traceback: str = "") -> bool:
        with self.database.write() as connection:
            row = self._row(connection, digest)
            status = status_of(row)
            if not status.is_unfinished or attempt not in (None, status.attempt):
                return False
            self._end(connection, row, "failed", sentence, traceback)
        self._clear(digest)
        return True

    def cancel(self, digest: str) -> Status:
        with self.database.write() as connection:
            row = self._row(connection, digest)
            status = status_of(row)
            if status.status == "queued":
                return self._end(connection, row, "cancelled")
            if status.status != "running":
                been = "been " * (status.status == "cancelled")
                raise Conflict(f"run {digest[:16]} has {been}{status.status} already")
            text = run_rows.progress_text(status.progress, is_cancel_requested=True)
            cancelled = update(table).where(table.c.digest == digest).values(is_cancel_requested=True, progress=text)
            connection.execute(cancelled)
            return status

    def is_cancel_requested(self, digest: str) -> bool:
        with self.database.read() as connection:
            asked = select(table.c.is_cancel_requested, table.c.progress).where(table.c.digest == digest)
            return any(map(run_rows.is_cancel_requested, rows(connection, asked)))

    def cancelled(self, digest: str) -> bool:
        with self.database.write() as connection:
            row = self._row(connection, digest)
            if status_of(row).status != "running" or not run_rows.is_cancel_requested(row):
                return False
            self._end(connection, row, "cancelled")
        disk.clear(self.folder / "spool" / digest)  # its live tables stay: they are its partial results
        return True

    def requeue(self, digest: str, attempt: int, why: str, *, is_spared: bool = False) -> Status | None:
        with self.database.write() as connection:
            row = self._row(connection, digest)
            status = status_of(row)
            if not _is_running(status, attempt):
                return None
            spared = status.spared + is_spared
            if run_rows.is_cancel_requested(row):
                again = self._end(connection, row, "cancelled")
            elif attempt - spared >= MOST_ATTEMPTS:
                again = self._end(connection, row, "failed", f"given up after {attempt - spared} attempts: {why}")
            else:
                again = status.but(status="queued", attempt=attempt + 1, spared=spared, started=None)
                self._write(connection, with_status(row, again))
        self._clear(digest)
        return again

    def verify(self, reference: str) -> Status:
        with self.database.read() as connection:
            run = self._read(named(connection, reference))
        what = self.trouble(run.digest) if run.status.is_finished else None
        if not what:
            return run.status
        with self.database.write() as connection:
            row = self._row(connection, run.digest)
            if (status := status_of(row)) != run.status:  # deleted and computed again meanwhile
                return status
            status = run_rows.damaged(status, what)
            self._write(connection, with_status(row, status))
            return status

    def trouble(self, digest: str) -> str | None:
        """Return what is wrong with the results of a finished run; None when all is well."""
        try:
            tables = run_rows.tables_of(checked(self.result(digest)))
        except ValueError as error:
            return str(error)
        for name, blob in tables.items():
            try:
                self.shelf.blobs.open(blob)
            except TROUBLES as error:
                return str(of_table(name, error))
        return None

    def result(self, digest: str) -> dict[str, Any] | None:
        """Return the row of the results of a run, as it was read; None without one."""
        with self.database.read() as connection:
            found = rows(connection, select(schema.results).where(schema.results.c.digest == digest))
        return found[0] if found and found[0]["digest"] == digest else None  # a damaged index leads to another's

    def delete(self, reference: str) -> None:
        self._with_room(lambda: self._delete(reference))

    def _delete(self, reference: str) -> None:
        with self.database.write() as connection:
            digest = find(connection, table, KIND, reference)
            row = self._row(connection, digest)
            status = status_of(row)
            if status.is_unfinished:
                raise Conflict(f"run {digest[:16]} is still {status.status}: cancel it first")
            run = self._read(row)
            if run_rows.is_question(row["spec"], digest) and not run.spec.salt:  # a private one goes with its run
                insert_ignoring(connection, schema.questions, [{"digest": digest, "spec": row["spec"]}])
            blobs = release(connection, KIND, digest)
            for part in (schema.bounds, schema.reruns, schema.results):
                connection.execute(delete(part).where(part.c.digest == digest))
            notices.forget(connection, digest)
            connection.execute(delete(table).where(table.c.digest == digest))
            before = self.database.now(connection)
        self._clear(digest)
        self.shelf.drop(blobs, before, self._with_room)

    def question(self, reference: str) -> RunSpec:
        with suppress(NotFound):
            return self.get(reference).spec
        with self.database.read() as connection:
            digest = find(connection, schema.questions, KIND, reference)
            asked = select(schema.questions.c.spec).where(schema.questions.c.digest == digest)
            text = connection.execute(asked).scalar_one()
        if not run_rows.is_question(text, digest):
            raise NotFound(KIND, reference)
        return RunSpec.from_json(text)

    def live(self, digest: str) -> LiveSource:
        return self._live.tables(digest)

    def write_live(self, digest: str) -> LiveSink:
        return self._live.writer(digest)

    def spool(self, digest: str | None = None) -> FileSpool:
        place = self.folder / "spool"
        return FileSpool(disk.temporary(place / (digest or "") / "x"))  # of one attempt: a lost one may still end

    def sweep(self) -> None:
        """Delete what killed processes left of runs that have ended, but for the partial results of cancelled ones."""
        places = (*(self.folder / "live").iterdir(), *(self.folder / "spool").iterdir())
        left = [path for path in places if is_name(path.name)]
        kept = set(self.listed("running", "cancelled")) if left else set()  # read afterwards: one that begins is there
        for path in left:
            if path.name not in kept:
                disk.clear(path)

    def _row(self, connection: Connection, digest: str) -> dict[str, Any]:
        found = rows(connection, LOCKED, digest=digest)
        if not found:
            raise NotFound(KIND, digest[:16])
        return found[0]

    def _read(self, row: Mapping[str, Any]) -> RecordRun:
        return RecordRun(row["digest"], status_of(row), row["spec"], self, run_rows.traceback_of(row), marks_of(row))

    def _write(self, connection: Connection, row: Mapping[str, Any]) -> None:
        connection.execute(update(table).where(table.c.digest == bindparam("of")), {**row, "of": row["digest"]})

    def _until(self, connection: Connection) -> str:
        return self.database.now(connection, timedelta(seconds=LEASE))

    def _end(self, connection: Connection, row: Mapping[str, Any], how: str, *why: str) -> Status:
        ended = status_of(row).but(status=how, ended=self.database.now(connection), error="".join(why[:1]) or None)
        self._write(connection, {**with_status(row, ended), **run_rows.traced(row["digest"], *why[1:])})
        return ended

    def _keep_all(
        self, rows: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]], blobs: Sequence[Mapping[str, str]]
    ) -> None:
        """Record runs that were executed elsewhere, without those that have finished or are running here."""
        found = {row["digest"]: (row, one, names) for row, one, names in zip(rows, results, blobs, strict=True)}
        with self.database.write() as connection:
            known = set(connection.execute(select(table.c.digest).where(table.c.digest.in_(list(found)))).scalars())
            for digest in sorted(known):  # in one order, as `accept_all`
                row = self._replacing(connection, found[digest][0])
                if row is None:
                    del found[digest]
                else:
                    self._write(connection, row)
                    release(connection, KIND, digest)
            if fresh := [row for digest, (row, _, _) in sorted(found.items()) if digest not in known]:
                insert_ignoring(connection, table, fresh)
            use_all(connection, KIND, {digest: names.values() for digest, (_, _, names) in found.items()})
            upsert(connection, schema.results, [result for _, result, _ in found.values()])

    def _replacing(self, connection: Connection, row: dict[str, Any]) -> dict[str, Any] | None:
        """Return the row that replaces a recorded run's; None for one that has finished or is running."""
        known = self._row(connection, row["digest"])
        before = status_of(known)
        if before.status in ("running", "finished"):
            return None
        kept = {name: getattr(before, name) for name in ("priority", "client", "owner")}
        return with_status({**row, **own(known)}, status_of(row).but(**kept, accepted=known["accepted"]))

    def _clear(self, digest: str) -> None:
        """Remove what an attempt wrote for itself and for viewers."""
        self._live.clear(digest)
        disk.clear(self.folder / "spool" / digest)


def _is_running(status: Status, attempt: int) -> bool:
    return status.status == "running" and status.attempt == attempt
