"""Estimate how long runs will take: from earlier runs, or a constant until there are any."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from heapq import heapify, heapreplace
from typing import Any

from shadowtime.workers import compiling
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.small import JOBS
from shadowtime.workers.store import VisibleStore
from shadowtime.workers.store.base import UNFINISHED

START = 0.15
"""Seconds of a run that do not depend on its jobs: fork, question, bounds, writing."""
PER_JOB = 8e-6
"""Seconds of a job in a run of EASY on a log of 200,000, from stored file to stored result."""


def expected_seconds(
    store: VisibleStore, algorithm: str, jobs: int, parameters: Mapping[str, Any] | None = None
) -> float:
    """Return the seconds that a run of `jobs` jobs should take once a worker starts it, with what it compiles first."""
    return _seconds(store.runs.seconds_per_job(algorithm), jobs) + compiling.seconds(algorithm, jobs, parameters)


def turns(store: VisibleStore, queue: RunQueue) -> dict[str, tuple[int, float]]:
    """Return, for every waiting run in order, its place from 1 on and the expected seconds until a worker starts it.

    Clients are served in turn, as in the queue; a run that is not in the queue yet comes after all that are. Seconds
    are for the workers that are alive now: each run starts on the one that is free first.

    Raises
    ------
    QueueAway
        When Redis does not answer.
    """
    waiting = store.runs.algorithms_and_jobs(*UNFINISHED)
    counted: set[str] = set()
    expected = cache(lambda algorithm: store.runs.seconds_per_job(algorithm))
    compiled = cache(lambda algorithm, is_small: compiling.seconds(algorithm, 0 if is_small else JOBS + 1))

    def whole(digest: str) -> float:
        algorithm, jobs = waiting[digest]
        fresh = 0.0 if algorithm in counted else compiled(algorithm, jobs <= JOBS)
        if fresh:
            counted.add(algorithm)
        return _seconds(expected(algorithm), jobs) + fresh

    running = dict(store.runs.unfinished(frozenset(store.runs.listed("running"))))
    left = ((digest, status.progress.get("seconds_left")) for digest, status in running.items() if digest in waiting)
    busy = sorted((whole(digest) if known is None else known for digest, known in left), reverse=True)
    queued = {digest: None for digest in store.runs.listed("queued") if digest in waiting and digest not in running}
    order = dict.fromkeys([digest for digest in queue.waiting() if digest in queued]) | queued
    workers = max(1, queue.health().workers)
    free = [*busy[:workers], *[0.0] * (workers - len(busy))]  # when each worker is free [s]
    heapify(free)
    for more in busy[workers:]:
        heapreplace(free, free[0] + more)
    found: dict[str, tuple[int, float]] = {}
    for place, digest in enumerate(order, start=1):
        found[digest] = place, free[0]
        heapreplace(free, free[0] + whole(digest))
    return found


def _seconds(per_job: float | None, jobs: int) -> float:
    return START + PER_JOB * jobs if per_job is None else max(START, per_job * jobs)
