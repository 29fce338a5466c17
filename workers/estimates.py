"""How long things will take: what earlier runs took, or a guess until there are any."""

from __future__ import annotations

from functools import cache

from workers.queue import RunQueue
from workers.store import Store
from workers.store.base import UNFINISHED

START = 0.15
"""Seconds of a run that do not depend on its jobs: fork, question, bounds, writing."""
PER_JOB = 8e-6
"""Seconds of a job in a run of EASY on a log of 200,000, from stored file to stored result."""


def expected_seconds(store: Store, algorithm: str, jobs: int) -> float:
    """What a run of `jobs` jobs is expected to take once a worker has it."""
    return _seconds(store.runs.seconds_per_job(algorithm), jobs)


def starts_in(store: Store, queue: RunQueue, digest: str) -> float:
    """Seconds until a queued run is expected to be taken, with the workers there are.

    Raises
    ------
    QueueAway
        When Redis does not answer.
    """
    asked = store.runs.asked(*UNFINISHED)
    expected = cache(lambda algorithm: store.runs.seconds_per_job(algorithm))

    def whole(other: str) -> float:
        algorithm, jobs = asked[other]
        return _seconds(expected(algorithm), jobs)

    running = dict(store.runs.unfinished(frozenset(store.runs.listed("running")) - {digest}))
    left = [status.progress.get("seconds_left") for status in running.values()]
    work = sum(whole(other) if known is None else known for other, known in zip(running, left, strict=True))
    for other in queue.waiting():
        if other == digest:
            break
        if other in asked and other not in running:
            work += whole(other)
    return work / max(1, queue.health().workers)


def _seconds(per_job: float | None, jobs: int) -> float:
    return START + PER_JOB * jobs if per_job is None else max(START, per_job * jobs)
