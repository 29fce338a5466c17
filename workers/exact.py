"""Prove the exact bound of a run with very many jobs, as separate work after the run has finished.

Such a run first gets the bound of windows of its jobs, which is proven too. The exact bound takes seconds to minutes:
it is requested when the run finishes, a worker proves it, and it then takes its place in the run's summary.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from shadowtime.engine.bounds.registry import Bounds, check
from shadowtime.engine.bounds.work import work_of
from shadowtime.engine.metrics.jobs import floored
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find_family
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload
from shadowtime.workers.failures import is_passing
from shadowtime.workers.kinds import BOUND
from shadowtime.workers.queue import PARTS_PRIORITY, RunQueue
from shadowtime.workers.records.bounds import FAILED, FINISHED, QUEUED, Bound
from shadowtime.workers.records.run import EXACT
from shadowtime.workers.store import Store
from shadowtime.workers.store.base import Run

log = logging.getLogger(__name__)

METRIC = "max_bounded_stretch"
WINDOW = "cut_window"
MOST_LOST = 3
LOST_AFTER = 3.0
"""Seconds without a heartbeat or place in the queue before a proof is queued again."""
LOST = "the worker stopped each time; the bound may need more memory than there is"


def needs_exact_bound(summary: Mapping[str, Any]) -> bool:
    """Return whether the largest stretch of a run has only the bound of windows."""
    return summary.get("bound_names", {}).get(METRIC) == WINDOW


def request(store: Store, digest: str, summary: dict[str, Any]) -> None:
    """Record, in the store and in the summary of a run about to finish, that its exact bound must be proven."""
    summary[EXACT] = {"status": QUEUED}
    store.bounds.put(digest, Bound(QUEUED))


def run_bound(identity: str, store: Store) -> str:
    """Prove the exact bound of the run that `bound-<digest>` names; the store then holds the bound or the error.

    NotFound where no such bound was requested.
    """
    digest = parse(identity)
    requested = store.bounds.get(digest)
    if requested is None or requested.status != QUEUED:
        raise NotFound("bound", identity)
    try:
        run = store.runs.get(digest)
        if not run.status.is_finished:
            return run.status.status
        answer = Bound(FINISHED, prove(run, store))
    except NotFound:  # deleted meanwhile
        store.bounds.forget(digest)
        return "unknown"
    except Exception as error:  # of any kind: the proof would fail in the same way each time
        if is_passing(error):
            log.warning("a proof of the bound of run %s failed: %s", digest[:16], error)
            store.bounds.lose(digest, MOST_LOST, str(error))  # the next scan queues it
            return QUEUED
        log.exception("the exact bound of run %s", digest[:16])
        answer = Bound(FAILED, error=str(error) or f"internal error ({type(error).__name__})")
    return store.bounds.put(digest, answer).status


def prove(run: Run, store: Store) -> float:
    """Return the least possible largest bounded stretch of the jobs that ended, over all schedules.

    Raises
    ------
    SimulationError
        When the run is better than that: then the run or the bound is wrong.
    """
    summary = run.summary or {}
    workload, tau = load_workload(run.spec, store), float(summary["tau"])
    work = work_of(
        find_family(workload.kind), workload, Platform.of(workload, run.spec.platform).lanes, run.table("jobs")
    )
    from shadowtime.engine.bounds.cut import cut  # imports numba

    least = cut(work, floored(work.runtime, tau), summary["bounds"][METRIC])
    check(summary["metrics"], Bounds({METRIC: least}, {METRIC: "cut"}))
    return least


class Proofs:
    """Keep requested bounds in the queue until they are proven; call `scan` every few seconds."""

    def __init__(self, store: Store, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store, self._queue, self._clock = store, queue, clock
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Queue the requested bounds of finished runs that no worker holds, and return their ids."""
        requested = [BOUND.prefix + digest for digest in self._store.bounds.requested() if self._is_due(digest)]
        if not requested:
            self._missing.clear()
            return []
        held, now = self._queue.held(requested), self._clock()
        self._missing = {one: self._missing.get(one, now) for one in requested if one not in held}
        late = [one for one, since in self._missing.items() if now - since >= LOST_AFTER or not self._queue.knows(one)]
        for identity in late:
            self._queue.enqueue(identity, PARTS_PRIORITY)
        return late

    def check(self, identity: str) -> None:
        """Raise NotFound for an id that names no bound."""
        parse(identity)

    def renew(self, identity: str, worker: str) -> None:
        """A proof has no lease: its heartbeat in Redis holds it."""

    def left(self, identity: str) -> None:
        """Nothing follows a proof."""

    def spare(self, identity: str) -> bool:
        """Leave a proof whose process was asked to stop to the next scan: nothing of it is stored."""
        return True

    def lost(self, identity: str, sentence: str = "") -> None:
        """Count a proof whose process ended without an answer; after several there is no exact bound."""
        digest = parse(identity)
        if self._store.bounds.lose(digest, MOST_LOST, LOST) is not None:
            log.warning("the process that proved the bound of run %s is gone", digest[:16])

    def _is_due(self, digest: str) -> bool:
        """Return whether the run has finished; forget the request of a run that no longer exists."""
        try:
            return self._store.runs.get(digest).status.is_finished
        except NotFound:
            self._store.bounds.forget(digest)
            return False


def parse(identity: str) -> str:
    """Return the digest in `bound-<digest>`; NotFound for any other text."""
    digest = identity.removeprefix(BOUND.prefix)
    if not identity.startswith(BOUND.prefix) or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise NotFound("bound", identity)
    return digest
