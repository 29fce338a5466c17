"""Accept, pause, cancel, resume and repeat sweeps."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from shadowtime.engine.errors import QuestionError
from shadowtime.workers import compiling
from shadowtime.workers.errors import Conflict, NotFound, QueueAway
from shadowtime.workers.estimates import expected_seconds
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records.listing import ID
from shadowtime.workers.records.sweeps import CANCELLED, FINISHED, PAUSED, RUNNING, Quota, Sweep, SweepStatus
from shadowtime.workers.store import VisibleStore
from shadowtime.workers.sweeps.batch import Piece
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.progress import SweepProgress
from shadowtime.workers.sweeps.reading import SweepQuestion
from shadowtime.workers.sweeps.spec import SweepSpec

log = logging.getLogger(__name__)

OVERHEAD = 0.012
"""Seconds of a run in a batch that do not depend on its jobs."""
START = 0.15
"""The part of `expected_seconds` for starting a process, which a run in a batch does not need."""
BATCH_SECONDS = 1.0
"""Duration of a batch: short enough to be stopped, and to be shared between workers."""
LONGEST_BATCH = 64
DEFAULT_JOBS = 1000


class Stored:
    """Find workloads in the store, for `reading.read`."""

    def __init__(self, store: VisibleStore):
        self._store = store

    def find(self, text: str, digest: str | None) -> tuple[Mapping[str, Any], str]:
        """Return a workload by its id (`7551e48cece1b8a0`, `id#case`), or by the digest that the sweep gives for its
        name."""
        entry = None
        for reference in (digest, text.partition("#")[0]):
            with suppress(NotFound):
                entry = entry or self._store.workloads.get(reference or "")
        if entry is None:
            if ID.fullmatch(text.partition("#")[0]):
                raise NotFound("workload", text)
            raise QuestionError(
                f"there is no workload {text[:80]!r} here and no generator of that name; upload the file first "
                "and use its id"
            )
        if digest is not None and entry.digest != digest:
            raise QuestionError(f"{text[:80]!r} is not the workload that the sweep was made from")
        if "generator" in entry.source:
            return dict(entry.source), entry.kind
        is_named = text == entry.name or text.startswith(f"{entry.name}#")
        case = text.removeprefix(entry.name)[1:] if is_named else text.partition("#")[2]
        workload = self._store.workloads.load(entry.digest, case or None)
        return dict(workload.source), workload.kind


def names_of(store: VisibleStore, spec: SweepSpec, written: Sequence[str]) -> list[str]:
    """Return the displayed names of the workloads: generators as written, files by their names where these differ."""
    found = []
    for n, text in enumerate(written):
        source = spec.workloads[n]
        if "digest" in source:
            with suppress(NotFound):
                text = store.workloads.get(source["digest"]).name + (f"#{source['case']}" if source["case"] else "")
        found.append(text)
    return [written[n] if found.count(text) > 1 else text for n, text in enumerate(found)]


def accept(
    store: VisibleStore,
    queue: RunQueue,
    asked: SweepQuestion,
    quota: Quota | None = None,
) -> tuple[Sweep, bool]:
    """Record a sweep; return it, and whether it has work to do now.

    False: the same question was found. A cancelled sweep resumes: True.

    Raises
    ------
    TooMuch
        When the quota has no room for another unfinished sweep.
    """
    spec = asked.spec
    if not _is_known(store, spec):
        store.require_room()
    status = SweepStatus(
        name=asked.name,
        workloads=names_of(store, spec, asked.workloads),
        batch=batch_size(store, spec),
        runs_total=len(spec),
        points_total=spec.points,
        algorithms=list(dict.fromkeys(variant["algorithm"] for variant in spec.variants)),
        client=quota.client if quota else None,
    )
    is_new = store.sweeps.accept(spec, status, quota)
    sweep = store.sweeps.get(spec.digest)
    if is_new:
        _supply(store, queue, sweep)
    return sweep, is_new


def pause(store: VisibleStore, queue: RunQueue, reference: str) -> Sweep:
    """Pause a sweep: current runs end, no others start. Conflict unless it runs."""
    return _stop(store, queue, reference, (RUNNING,), PAUSED)


def cancel(store: VisibleStore, queue: RunQueue, reference: str) -> Sweep:
    """Cancel a sweep now; finished runs stay. Conflict when it has ended."""
    return _stop(store, queue, reference, (RUNNING, PAUSED), CANCELLED)


def resume(store: VisibleStore, queue: RunQueue, reference: str, quota: Quota | None = None) -> Sweep:
    """Resume a paused or cancelled sweep. Conflict otherwise; TooMuch as in `accept` for a cancelled one."""
    sweep = store.sweeps.get(reference)
    store.sweeps.change(sweep.digest, (PAUSED, CANCELLED), "resumed", quota, status=RUNNING)
    return _go_on(store, queue, sweep.digest)


def retry(store: VisibleStore, queue: RunQueue, reference: str, quota: Quota | None = None) -> Sweep:
    """Repeat the failed runs, and those of a finished sweep whose outcome was lost to damage. Conflict when there are
    none, or the sweep was cancelled; TooMuch as in `accept` for a finished one."""
    sweep = store.sweeps.get(reference)
    outcomes = SweepProgress(store, sweep).refresh(sweep).outcomes
    is_lacking = sweep.status.status == FINISHED and outcomes.counts()["pending"] > 0
    if not outcomes.rounds and not is_lacking:
        raise Conflict(f"no run of sweep {sweep.id} has failed: there is nothing to repeat")
    state = PAUSED if sweep.status.status == PAUSED else RUNNING
    again = {"status": state, "counts": None, "round": sweep.status.round + 1}
    store.sweeps.change(sweep.digest, (RUNNING, PAUSED, FINISHED), "tried again", quota, **again)
    return _go_on(store, queue, sweep.digest)


def seconds(store: VisibleStore, spec: SweepSpec) -> float:
    """Return the expected seconds of all runs on one core, with what their algorithms compile first: a constant until
    the same algorithms have run."""
    variants, workloads = spec.variants, spec.workloads
    largest = max(_jobs(store, one) for one in workloads)
    compiled = sum(compiling.seconds(one, largest) for one in {variant["algorithm"] for variant in variants})
    once = sum(_seconds(store, variant["algorithm"], _jobs(store, one)) for variant in variants for one in workloads)
    return once * len(spec) / (len(variants) * len(workloads)) + compiled


def jobs(store: VisibleStore, spec: SweepSpec) -> int:
    """Return the number of jobs in all runs together."""
    return sum(_jobs(store, one) for one in spec.workloads) * len(spec) // len(spec.workloads)


def check_work(store: VisibleStore, spec: SweepSpec, most: int) -> None:
    """Refuse a sweep of too much work.

    Raises
    ------
    QuestionError
        When all its runs have more than `most` jobs together (0: any number), with a forecast.
    """
    n = jobs(store, spec)
    if 0 < most < n:
        hours = seconds(store, spec) / 3600
        raise QuestionError(
            f"the sweep has {len(spec):,} runs of {n:,} jobs together, about {hours:,.0f} hours of one core; "
            f"{most:,} jobs are the most here (SHADOWTIME_SWEEP_JOBS)"
        )


def batch_size(store: VisibleStore, spec: SweepSpec) -> int:
    """Return the runs of a batch: about a second of work, and few enough for several workers to share."""
    each = seconds(store, spec) / len(spec)
    return max(1, min(LONGEST_BATCH, int(BATCH_SECONDS / each), len(spec) // 8))


def _seconds(store: VisibleStore, algorithm: str, jobs: int) -> float:
    return OVERHEAD + max(0.0, expected_seconds(store, algorithm, jobs) - START)


def _jobs(store: VisibleStore, source: Mapping[str, Any]) -> int:
    if "generator" in source:
        return int(source["parameters"].get("jobs", DEFAULT_JOBS))
    with suppress(NotFound):
        return store.workloads.get(source["digest"]).jobs
    return DEFAULT_JOBS


def _stop(store: VisibleStore, queue: RunQueue, reference: str, states: tuple[str, ...], state: str) -> Sweep:
    sweep = store.sweeps.get(reference)
    store.sweeps.change(sweep.digest, states, state, status=state)
    try:
        for piece in queue.waiting():
            if piece.startswith(Piece(sweep.digest, 0).id[:-1]):
                queue.remove(piece)
    except QueueAway:
        log.warning("the queue does not answer: workers will read from the store that sweep %s is %s", sweep.id, state)
    return store.sweeps.get(sweep.digest)


def _go_on(store: VisibleStore, queue: RunQueue, digest: str) -> Sweep:
    sweep = store.sweeps.get(digest)
    _supply(store, queue, sweep)
    return sweep


def _supply(store: VisibleStore, queue: RunQueue, sweep: Sweep) -> None:
    try:
        Feed(store, queue).supply(sweep)
    except QueueAway:
        log.warning("the queue does not answer: sweep %s waits in the store", sweep.id)


def _is_known(store: VisibleStore, spec: SweepSpec) -> bool:
    with suppress(NotFound):
        return store.sweeps.get(spec.digest).status.status != CANCELLED
    return False
