"""How long things will take: what earlier runs took, or a guess until there are any."""

from __future__ import annotations

from workers.errors import NotFound
from workers.queue import RunQueue
from workers.store import Status, Store

START = 0.15
"""Seconds of a run that do not depend on its jobs: fork, question, bounds, writing."""
PER_JOB = 8e-6
"""Seconds of a job in a run of EASY on a log of 200,000, from stored file to stored result."""


def expected_seconds(store: Store, algorithm: str, jobs: int) -> float:
    """What a run of `jobs` jobs is expected to take once a worker has it."""
    per_job = store.runs.seconds_per_job(algorithm)
    return START + PER_JOB * jobs if per_job is None else max(START, per_job * jobs)


def starts_in(store: Store, queue: RunQueue, digest: str) -> float:
    """Seconds until a queued run is expected to be taken, with the workers there are.

    Raises
    ------
    QueueAway
        When Redis does not answer.
    """
    unfinished = dict(store.runs.unfinished())
    ahead = {other for other, status in unfinished.items() if status.status == "running"}
    for other in queue.waiting():
        if other == digest:
            break
        ahead.add(other)
    work = sum(_left(store, other, unfinished[other]) for other in ahead if other in unfinished and other != digest)
    return work / max(1, queue.health().workers)


def _left(store: Store, digest: str, status: Status) -> float:
    known = status.progress.get("seconds_left")
    if known is not None:
        return float(known)
    jobs = status.progress.get("jobs", 0)
    try:
        return expected_seconds(store, store.runs.get(digest).spec.algorithm, jobs)
    except NotFound:  # deleted meanwhile, or somebody's own
        return START + PER_JOB * jobs
