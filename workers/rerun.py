"""Recompute a linked run and compare its tables bit by bit.

The engine that made a run recomputes it beside the stored run, which does not change. With another engine the same
question is a separate run, found or queued as any other. In both cases the SHA-256 of the tables are compared with
those that the link recorded when it was made.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from shadowtime.workers import submit
from shadowtime.workers.admission import Limits
from shadowtime.workers.errors import Conflict, NotFound, QueueAway, TooMuch
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records.links import LinkedRun
from shadowtime.workers.records.reruns import FAILED, FINISHED, QUEUED, Rerun
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Run, Store, VisibleStore
from shadowtime.workers.store.base import EXTRA_TABLES, MOST_ATTEMPTS, TABLES
from shadowtime.workers.version import engine_version

COMPARED = (*TABLES, *EXTRA_TABLES)
MOST_WAITING = 20
"""Re-runs of all clients together that may wait at once."""
LOST_AFTER = 3.0
"""Seconds without a heartbeat or place in the queue before a scan counts a re-run as lost."""
LOST = "the worker stopped each time; the run may need more memory than there is, or its code ends the process"


@dataclass(frozen=True)
class Answer:
    """State of the re-run of a linked run."""

    id: str
    """Of the run that has (or will have) the tables of the re-run."""
    status: str | None
    """As of a run; None when no re-run was requested."""
    made_by: str
    """The engine of the run that the link shows."""
    engine_version: str
    """The engine of the re-run."""
    same: bool | None = None
    """Whether all tables are identical bit by bit; None until that is known, or without tables to compare with."""
    differs: tuple[str, ...] = ()
    """Tables that differ."""
    error: str = ""


def linked(store: VisibleStore, run: Run) -> LinkedRun:
    """Return what a link records of a run."""
    if not run.status.is_finished:
        return LinkedRun(run.spec.json, int(run.status.progress.get("jobs", 0)))
    summary = run.summary or {}
    return LinkedRun(
        run.spec.json,
        int(summary.get("jobs", 0)),
        run.status.ended or "",
        _stored(store, run.digest),
        summary.get("metrics", {}),
    )


def table_digests(run: Run) -> dict[str, str]:
    """Return the SHA-256 of each table of a finished run: 1 M rectangles take some 0.1 s."""
    return {name: digest_of(run.table(name)) for name in COMPARED}


def digest_of(table: Mapping[str, np.ndarray]) -> str:
    """Return the SHA-256 over names, types and bytes of all columns, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(table):
        values = np.ascontiguousarray(table[name])
        digest.update(f"{name} {values.dtype.str} {len(values)}\n".encode())
        digest.update(values.view(np.uint8).data)
    return digest.hexdigest()


def request(
    store: VisibleStore,
    queue: RunQueue,
    kept: LinkedRun,
    *,
    client: str | None = None,
    limits: Limits | None = None,
    owner: str | None = None,
) -> Answer:
    """Request that the current engine recomputes a linked run; a private one is recomputed for its `owner`.

    Raises as `submit.admit`, and NotFound without its jobs.
    """
    spec = with_current_engine(kept)
    if must_recompute(store, kept, spec):
        known = store.reruns.get(spec.digest)
        if (known is None or known.status != QUEUED) and store.reruns.waiting() >= MOST_WAITING:
            raise TooMuch(f"{MOST_WAITING} re-runs wait, the limit here; some must end before more are accepted")
        store.reruns.request(spec.digest)
        _enqueue(queue, spec.digest)
    else:
        owner = owner if spec.salt else None
        submit.admit(store, queue, spec, kept.jobs, client=client, limits=limits, owner=owner)
    return answer_of(store, queue, kept)


def answer_of(store: VisibleStore, queue: RunQueue, kept: LinkedRun) -> Answer:
    """Return the state of the re-run of a linked run; requeue it if its worker was lost."""
    spec = with_current_engine(kept)
    answer = Answer(spec.id, None, kept.question.engine_version, spec.engine_version)
    if must_recompute(store, kept, spec):
        rerun = store.reruns.get(spec.digest)
        if rerun is None:
            ended = store.runs.get(spec.digest).status.ended
            if not kept.ended or kept.ended == ended:
                return answer
            # It was deleted and recomputed since.
            return _compared(replace(answer, status=FINISHED), kept.tables, _stored(store, spec.digest))
        rerun = _requeue_if_lost(store, queue, spec.digest, rerun)
        answer = replace(answer, status=rerun.status, error=rerun.error)
        was = kept.tables or _stored(store, spec.digest)
        return _compared(answer, was, rerun.tables) if rerun.status == FINISHED else answer
    try:
        run = store.runs.get(spec.digest)
    except NotFound:
        return answer
    answer = replace(answer, status=run.status.status, error=run.status.error or "")
    return _compared(answer, kept.tables, _stored(store, run.digest)) if run.status.is_finished else answer


def with_current_engine(kept: LinkedRun) -> RunSpec:
    """Return the question for the current engine."""
    return replace(kept.question, engine_version=engine_version())


def must_recompute(store: VisibleStore, kept: LinkedRun, spec: RunSpec) -> bool:
    """Return whether the finished run was made by this engine: then it must be recomputed beside itself."""
    try:
        return spec.digest == kept.digest and store.runs.get(spec.digest).status.is_finished
    except NotFound:
        return False


def recompute(store: Store, digest: str) -> None:
    """Recompute a finished run and store the digests of its tables. Errors are raised.

    Raises
    ------
    Conflict
        When another engine made the run.
    """
    rerun = store.reruns.get(digest)
    assert rerun is not None
    spec = store.runs.get(digest).spec
    if spec.engine_version != engine_version():
        raise Conflict(f"made by engine {spec.engine_version}, but this worker has {engine_version()}")
    with store.runs.spool() as spool:
        outcome = execute(spec, load_workload(spec, store), spool=spool)
        if outcome.schedule.dropped:
            raise Conflict(outcome.schedule.dropped)
        tables = {name: digest_of(table) for name, table in outcome.tables().items()}
    store.reruns.put(digest, rerun.but(status=FINISHED, tables=tables))


def is_requested(store: Store, digest: str) -> bool:
    """Return whether a re-run of it is queued."""
    rerun = store.reruns.get(digest)
    return rerun is not None and rerun.status == QUEUED


def fail(store: Store, digest: str, sentence: str) -> None:
    """Record that a re-run failed."""
    rerun = store.reruns.get(digest)
    if rerun is not None:
        store.reruns.put(digest, rerun.but(status=FAILED, error=sentence))


class RerunFeed:
    """Keep requested re-runs in the queue until they end; call `scan` every few seconds."""

    def __init__(self, store: VisibleStore, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store, self._queue, self._clock = store, queue, clock
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Requeue the re-runs that were lost, fail those that were lost too often, and return their digests."""
        requested = self._store.reruns.requested()
        held, now = self._queue.held(requested) if requested else set(), self._clock()
        self._missing = {digest: self._missing.get(digest, now) for digest in requested if digest not in held}
        late = [digest for digest, since in self._missing.items() if now - since >= LOST_AFTER]
        for digest in late:
            if (rerun := self._store.reruns.get(digest)) is not None:
                _requeue_if_lost(self._store, self._queue, digest, rerun)
        return late


def _requeue_if_lost(store: VisibleStore, queue: RunQueue, digest: str, rerun: Rerun) -> Rerun:
    """Requeue the re-run when no worker holds it; fail it after too many attempts."""
    if rerun.status != QUEUED:
        return rerun
    try:
        if queue.held([digest]):
            return rerun
    except QueueAway:
        return rerun
    latest = store.reruns.get(digest) or rerun  # it may have ended between the two reads
    if latest.status != QUEUED:
        return latest
    if latest.attempt >= MOST_ATTEMPTS:
        return store.reruns.put(digest, latest.but(status=FAILED, error=LOST))
    _enqueue(queue, digest)
    return store.reruns.put(digest, latest.but(attempt=latest.attempt + 1))


def _enqueue(queue: RunQueue, digest: str) -> None:
    try:
        queue.enqueue(digest)
    except QueueAway:
        return  # the next scan queues it


def _compared(answer: Answer, was: Mapping[str, str], now: Mapping[str, str]) -> Answer:
    """Compare the tables that both have: a later version may store more of them."""
    both = [name for name in was if name in now]
    if not both:
        return answer
    differs = tuple(name for name in both if was[name] != now[name])
    return replace(answer, same=not differs, differs=differs)


@lru_cache(maxsize=64)
def _stored(store: VisibleStore, digest: str) -> dict[str, str]:
    """Return the digests of a finished run, which never change."""
    return table_digests(store.runs.get(digest))
