"""Store runs as folders: spec.json and status.json once accepted, tables and summary once finished."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from shadowtime.engine.tables import rows
from shadowtime.workers.errors import Conflict, Damaged, NotFound
from shadowtime.workers.records.bounds import Bounds
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool
from shadowtime.workers.store import columns, damage, disk, reserve, seal
from shadowtime.workers.store.base import MOST_ATTEMPTS, UNFINISHED, Page, Status, progress_of, utc_now
from shadowtime.workers.store.damage import SPEC, STATUS, SUMMARY
from shadowtime.workers.store.index import Index, Row
from shadowtime.workers.store.keeping import Tables, keep_all, kept_tables
from shadowtime.workers.store.listing import ID, Where, alone, digests, find, owned, page, words_in_label
from shadowtime.workers.store.live import LiveTables, LiveWriter
from shadowtime.workers.store.run import FileRun

CANCEL, LIVE, DELETED, SPOOL = "cancel", "live", "deleted", "spool"

RECENT = 20
"""Number of finished runs of an algorithm that predict the next one's duration."""
UNKNOWN_OWNER = "nobody"
"""Owner, in the index, of a private run whose status cannot be read."""
FEWEST = 1000
"""Runs of fewer jobs measure the cost of a start, not of a job."""


class FileRuns:
    """All runs below one folder."""

    def __init__(self, root: Path, index: Index, label: Callable[[Mapping[str, Any]], tuple[str, str]], bounds: Bounds):
        """`label` returns digest and name of the workload that a spec names."""
        self.root = root
        self.index = index
        self._label = label
        self._bounds = bounds
        self._deleted = root.parent / DELETED

    def accept(
        self,
        spec: RunSpec,
        *,
        jobs: int = 0,
        priority: str = "default",
        client: str | None = None,
        owner: str | None = None,
    ) -> bool:
        assert bool(spec.salt) == bool(owner), "a private run has an owner and a salt"
        asked = Status("queued", accepted=utc_now(), progress=progress_of(jobs))
        fresh = asked.but(priority=priority, client=client, owner=owner)
        path = self.root / spec.digest
        while True:
            if not path.is_dir():
                with disk.new_directory(path) as draft:
                    disk.write_new(draft / SPEC, spec.json.encode())
                    disk.write_new(draft / STATUS, _text(fresh))
                    if disk.put_directory(draft, path):
                        try:
                            self.enlist(spec.digest, spec, fresh, path / STATUS, is_needed=True)
                        except BaseException:  # not accepted: it would wait unlisted
                            disk.remove_directory(path)
                            raise
                        return True
            with suppress(NotFound), self._alone(spec.digest):  # unknown: deleted in between
                self._mend(spec)
                if self._status(spec.digest).status not in ("failed", "cancelled"):
                    return False
                self._put(spec.digest, fresh)
                return True

    def get(self, reference: str) -> FileRun:
        digest = self._find(reference)
        return self._read(digest, self._status(digest))

    def begin(self, digest: str) -> Status | None:
        with self._alone(digest):
            status = self._status(digest)
            if status.status != "queued":
                return None
            self._clear(digest)
            return self._put(digest, status.but(status="running", started=utc_now(), ended=None, error=None))

    def report(self, digest: str, attempt: int, progress: Mapping[str, Any]) -> bool:
        with self._alone(digest):
            status = self._status(digest)
            if not _is_running(status, attempt):
                return False
            disk.replace_file(self._path(digest) / STATUS, _text(status.but(progress=progress)), durable=False)
            return True

    def finish(self, digest: str, attempt: int, tables: Tables, summary: Mapping[str, Any]) -> bool:
        path, kept = self._path(digest), kept_tables(tables)
        with disk.new_directory(path / "tables") as draft:
            columns.write_tables(draft, kept)
            with self._alone(digest):
                status = self._status(digest)
                if not _is_running(status, attempt):
                    return False
                for name in kept:
                    disk.exchange_directory(draft / name, path / name)
                disk.replace_file(path / SUMMARY, damage.summary_text(summary, list(kept)))
                n = rows(tables["jobs"])
                done = progress_of(n, n, rows(tables["segments"]), 0.0)
                self._put(digest, status.but(status="finished", ended=utc_now(), progress={**done, "fraction": 1.0}))
                (path / CANCEL).unlink(missing_ok=True)
        self._clear(digest)
        return True

    def keep(self, done: Sequence[tuple[RunSpec, Tables, Mapping[str, Any]]]) -> None:
        keep_all(self, done)

    def fail(self, digest: str, sentence: str, attempt: int | None = None) -> bool:
        with self._alone(digest):
            status = self._status(digest)
            if not status.is_unfinished or attempt not in (None, status.attempt):
                return False
            self._end(digest, status, "failed", sentence)
            return True

    def cancel(self, digest: str) -> Status:
        with self._alone(digest):
            status = self._status(digest)
            if status.status == "queued":
                return self._end(digest, status, "cancelled")
            if status.status != "running":
                raise Conflict(
                    f"run {digest[:16]} has {'been ' * (status.status == 'cancelled')}{status.status} already"
                )
            disk.replace_file(self._path(digest) / CANCEL, b"")
            return status

    def is_cancel_requested(self, digest: str) -> bool:
        return (self._path(digest) / CANCEL).exists()

    def cancelled(self, digest: str) -> bool:
        with self._alone(digest):
            status = self._status(digest)
            if status.status != "running" or not self.is_cancel_requested(digest):
                return False
            self._end(digest, status, "cancelled")
            return True

    def requeue(self, digest: str, attempt: int, why: str, *, is_spared: bool = False) -> Status | None:
        with self._alone(digest):
            status = self._status(digest)
            if not _is_running(status, attempt):
                return None
            if self.is_cancel_requested(digest):
                return self._end(digest, status, "cancelled")
            spared = status.spared + is_spared
            if attempt - spared >= MOST_ATTEMPTS:
                return self._end(digest, status, "failed", f"given up after {attempt - spared} attempts: {why}")
            disk.clear(self._path(digest) / SPOOL)
            return self._put(digest, status.but(status="queued", attempt=attempt + 1, spared=spared, started=None))

    def verify(self, reference: str) -> Status:
        digest = self._find(reference)
        with self._alone(digest):
            status = self._status(digest)
            what = damage.trouble(self._path(digest)) if status.is_finished else None
            return self._put(digest, damage.damaged(status, what)) if what else status

    def delete(self, reference: str) -> None:
        digest = self._find(reference)
        reserve.with_room(self.root.parent, lambda: self._delete(digest))

    def _delete(self, digest: str) -> None:
        with self._alone(digest):
            if self._status(digest).is_unfinished:
                raise Conflict(f"run {digest[:16]} is still {self._status(digest).status}: cancel it first")
            with suppress(Damaged):  # an unreadable question is not kept, nor one that only its owner may see
                spec = self.get(digest).spec
                if not spec.salt:
                    self._deleted.mkdir(exist_ok=True)
                    disk.replace_file(self._deleted / f"{digest}.json", spec.json.encode())
            self._bounds.forget(digest)
            self.index.remove("runs", digest)
            disk.remove_directory(self._path(digest))

    def question(self, reference: str) -> RunSpec:
        with suppress(NotFound):
            return self.get(reference).spec
        kept = self._deleted.glob(f"{reference}*.json") if ID.fullmatch(str(reference)) else ()
        for path in kept:
            return RunSpec.from_json(path.read_text(encoding="utf-8"))
        raise NotFound("run", reference)

    def live(self, digest: str) -> LiveTables:
        """Return the live tables of a running run; they may be lost, and are deleted once it is finished."""
        return LiveTables(self._path(digest) / LIVE)

    def write_live(self, digest: str) -> LiveWriter:
        """Return the writer of a run's live tables."""
        return LiveWriter(self._path(digest) / LIVE)

    def spool(self, digest: str | None = None) -> FileSpool:
        place = self.root / SPOOL
        return FileSpool(disk.temporary(place) if digest is None else self._path(digest) / SPOOL)

    def listed(self, *states: str) -> list[str]:
        marks = ", ".join("?" * len(states))
        return self.index.digests("runs", [(f"status IN ({marks})", states)], "ORDER BY accepted, digest")

    def algorithms_and_jobs(self, *states: str) -> dict[str, tuple[str, int]]:
        found = self.index.rows("runs", [(f"status IN ({', '.join('?' * len(states))})", states)])
        return {row["digest"]: (row["algorithm"], row["jobs"]) for row in found}

    def unfinished(self, among: Container[str] | None = None) -> list[tuple[str, Status]]:
        marks = ", ".join("?" * len(UNFINISHED))
        found = self.index.rows("runs", [(f"status IN ({marks})", UNFINISHED)], "ORDER BY accepted, digest")
        now = [(row["digest"], self._now(row)) for row in found if among is None or row["digest"] in among]
        return [(digest, status) for digest, status in now if status is not None and status.is_unfinished]

    def list(
        self,
        *,
        status: Sequence[str] = (),
        algorithm: str | None = None,
        workload: str | None = None,
        text: str = "",
        limit: int = 50,
        after: str | None = None,
        owners: Sequence[str] | None = None,
    ) -> Page:
        where = owned(owners)
        if status:
            where.append((f"status IN ({', '.join('?' * len(status))})", tuple(status)))
        if algorithm:
            where.append(("algorithm = ?", (algorithm.lower(),)))
        if workload:
            where.append(("substr(workload, 1, 16) = ?", (workload[:16],)))
        where += words_in_label(text)
        return page(self.index, "runs", "accepted", where, limit, after, lambda row: self._run(row, status))

    def counts(self, text: str = "", owners: Sequence[str] | None = None) -> dict[str, int]:
        return self.index.counts("runs", "status", [*owned(owners), *words_in_label(text)])

    def load(self, client: str | None = None, priority: str | None = None) -> tuple[int, int]:
        where: Where = [("status IN (?, ?)", UNFINISHED)]
        where += [("client = ?", (client,))] if client is not None else []
        where += [("priority = ?", (priority,))] if priority is not None else []
        return self.index.load("runs", "jobs", where)

    def usual_seconds(self) -> float | None:
        latest = f"ORDER BY accepted DESC, digest DESC LIMIT {RECENT}"
        found = self.index.rows("runs", [("status = 'finished'", ()), ("took > 0", ())], latest)
        return sum(row["took"] for row in found) / len(found) if found else None

    def seconds_per_job(self, algorithm: str) -> float | None:
        where: Where = [
            ("status = 'finished'", ()),
            ("algorithm = ?", (algorithm,)),
            ("jobs >= ?", (FEWEST,)),
            ("took > 0", ()),
        ]
        found = self.index.rows("runs", where, f"ORDER BY accepted DESC, digest DESC LIMIT {RECENT}")
        return sum(row["took"] for row in found) / sum(row["jobs"] for row in found) if found else None

    def refill(self) -> None:
        """Rebuild the index from the folders.

        The index may hold a change that a process announced but did not write before it died: a newer stamp is no
        proof. A process that is changing a run updates the index itself.
        """
        known = self.index.stamps("runs")
        there = digests(self.root)
        for digest in there:
            path = self.root / digest / STATUS
            with suppress(FileNotFoundError, NotFound, BlockingIOError):
                if path.stat().st_mtime_ns != known.get(digest):
                    with disk.locked(path.parent, wait=False):
                        run = self.get(digest)
                        self.enlist(digest, run.spec, run.status, path, is_sure=True)
        for digest in known.keys() - there:
            self.index.remove("runs", digest)

    def _path(self, digest: str) -> Path:
        return self.root / digest

    def _alone(self, digest: str) -> AbstractContextManager[None]:
        """Hold the exclusive lock of this run."""
        return alone(self.root, "run", digest)

    def _find(self, reference: str) -> str:
        """Return the digest of a full or short id; any other text is unknown, and never becomes a path."""
        return find(self.root, "run", reference, self.index)

    def _read(self, digest: str, status: Status) -> FileRun:
        return FileRun(digest, status, self.root / digest, self.verify, self._bounds.get)

    def _mend(self, spec: RunSpec) -> None:
        """Rewrite the damaged question of a run from the same question submitted again."""
        try:
            damage.read_question(self._path(spec.digest), spec.digest)
        except damage.TROUBLES:
            disk.replace_file(self._path(spec.digest) / SPEC, spec.json.encode())

    def _status(self, digest: str) -> Status:
        try:
            return damage.read_status(self.root / digest)
        except FileNotFoundError:
            raise NotFound("run", digest[:16]) from None

    def _end(self, digest: str, status: Status, state: str, error: str | None = None) -> Status:
        ended = self._put(digest, status.but(status=state, ended=utc_now(), error=error))
        (self.root / digest / CANCEL).unlink(missing_ok=True)
        self._clear(digest)
        return ended

    def _clear(self, digest: str) -> None:
        """Remove what an attempt wrote for itself and for viewers."""
        disk.clear(self.root / digest / LIVE)
        disk.clear(self.root / digest / SPOOL)

    def _put(self, digest: str, status: Status) -> Status:
        """Replace the status. The index is updated before for an unfinished run, and after for an ended one: so it
        lists at least all unfinished runs."""
        path = self.root / digest / STATUS
        spec = self._read(digest, status).spec
        draft = disk.temporary(path)
        disk.write_new(draft, _text(status))
        try:
            if status.is_unfinished:
                self.enlist(digest, spec, status, draft, is_sure=True, is_needed=status.status == "queued")
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        disk.sync_directory(path.parent)
        if not status.is_unfinished:
            self.enlist(digest, spec, status, path, is_sure=True)
        return status

    def enlist(
        self, digest: str, spec: RunSpec, status: Status, file: Path, *, is_sure: bool = False, is_needed: bool = False
    ) -> None:
        """Update the index with the status of a run, read from `file`.

        The holder of the run's lock is sure, whatever the clock says; a mere reader yields to a newer file.
        """
        workload, name = self._label(spec.workload)
        conversions = " ".join(conversion["name"] for conversion in spec.conversions)
        row: Row = {
            "digest": digest,
            "status": status.status,
            "algorithm": spec.algorithm,
            "workload": workload,
            "label": f"{name} {spec.algorithm} {conversions} {digest}".lower(),
            "client": status.client,
            "accepted": status.accepted,
            "jobs": status.progress.get("jobs", 0),
            "took": _seconds(status),
            "priority": status.priority,
            "owner": status.owner or (UNKNOWN_OWNER if spec.salt else None),
            "stamp": file.stat().st_mtime_ns,
        }
        self.index.put("runs", row, is_sure=is_sure, is_needed=is_needed)

    def _now(self, row: Row) -> Status | None:
        """Return the status in the folder of a listed run; update the index if it is behind."""
        try:
            run = self.get(row["digest"])
        except NotFound:
            return None
        if run.status.status != row["status"]:
            with suppress(FileNotFoundError, Damaged):
                self.enlist(run.digest, run.spec, run.status, run.path / STATUS)
        return run.status

    def _run(self, row: Row, states: Sequence[str]) -> FileRun | None:
        """Return a listed run with its question and summary; None if it is in none of `states`, or cannot be read."""
        for _ in range(2):
            status = self._now(row)
            if status is None or (states and status.status not in states):
                return None
            run = self._read(row["digest"], status)
            with suppress(NotFound):  # deleted, or damaged: then the second read counts it as failed
                return run.read()
        return None


def _is_running(status: Status, attempt: int) -> bool:
    return status.status == "running" and status.attempt == attempt


def _text(status: Status) -> bytes:
    return seal.sealed(status.as_dict())


def _seconds(status: Status) -> float | None:
    if not (status.started and status.ended):
        return None
    return (datetime.fromisoformat(status.ended) - datetime.fromisoformat(status.started)).total_seconds()
