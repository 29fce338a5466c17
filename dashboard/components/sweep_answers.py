"""A sweep in answers of the API and on pages: state, question, points, and the numbers of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records.sweeps import FINISHED, Sweep
from shadowtime.workers.store import VisibleStore
from shadowtime.workers.sweeps import report, submission
from shadowtime.workers.sweeps.outcomes import STATES, Outcomes
from shadowtime.workers.sweeps.points import points
from shadowtime.workers.sweeps.progress import ProgressCache
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.sweeps.writing import values_of


@cache
def known(store: VisibleStore) -> ProgressCache:
    """Return the outcomes that this process has read."""
    return ProgressCache(store)


def short(sweep: Sweep) -> dict[str, Any]:
    """The answer to an accepted sweep."""
    return {"id": sweep.id, "url": urls.experiment(sweep.id), "runs_total": sweep.status.runs_total}


def listed(store: VisibleStore, queue: Any, sweep: Sweep) -> dict[str, Any]:
    """A sweep as `GET /api/sweeps` lists it; of one that is finished no outcome is read."""
    counts = sweep.status.counts if sweep.status.status == FINISHED else None
    return standing(store, queue, sweep, known(store).get(sweep).outcomes if counts is None else None)


def full(store: VisibleStore, queue: Any, sweep: Sweep, outcomes: Outcomes) -> dict[str, Any]:
    """A sweep as `GET /api/sweeps/<id>` gives it, but for its points."""
    spec, names = outcomes.spec, sweep.status.workloads
    return {
        **standing(store, queue, sweep, outcomes),
        "reasons": report.reasons(outcomes),
        "grid": grid(spec, names),
        "question": values_of(spec, sweep.status.name, names),
        "metrics": outcomes.names,
        "engine_version": spec.engine_version,
    }


def grid(spec: SweepSpec, names: Sequence[str]) -> dict[str, Any]:
    """What was swept; `place` of a point and of a run are positions in these lists."""
    return {
        "workloads": list(names),
        "seeds": list(spec.seeds),
        "loads": list(spec.loads) or [None],
        "variants": [{"name": spec.variant_name(n), **dict(variant)} for n, variant in enumerate(spec.variants)],
    }


def points_of(sweep: Sweep, outcomes: Outcomes, metrics: Sequence[str] | None, level: float) -> list[dict[str, Any]]:
    """As `workers.sweeps.points`."""
    return points(outcomes, sweep.status.workloads, only=metrics, level=level)


def numbers(
    outcomes: Outcomes, status: str | None, workload: int | None, load: int | None, variant: int | None
) -> np.ndarray:
    """Numbers of the runs at these places, in that state, in order."""
    chosen = np.ones(outcomes.spec.shape, bool)
    if status:
        chosen &= outcomes.grid(outcomes.status) == STATES.index(status)
    for axis, place in enumerate((workload, load, variant), 1):
        if place is not None:
            at = np.arange(outcomes.spec.shape[axis]) == place
            chosen &= at.reshape([-1 if n == axis else 1 for n in range(4)])
    return np.flatnonzero(chosen.ravel())


def with_link(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run with the address of its page, where its question could be made."""
    return {**run, "url": urls.run(run["run"]) if run["run"] else None}


def status_of(store: VisibleStore, spec: SweepSpec) -> str | None:
    """The state of the same sweep, if it was accepted before."""
    try:
        return store.sweeps.get(spec.digest).status.status
    except NotFound:
        return None


def workers(queue: Any) -> int:
    """Return the number of workers; 1 before the first has started."""
    return max(1, queue.health().workers)


def standing(store: VisibleStore, queue: Any, sweep: Sweep, outcomes: Outcomes | None) -> dict[str, Any]:
    """What changes while a sweep goes on; without `outcomes`, by what was noted when it was finished."""
    status = sweep.status
    counts = dict(status.counts or {}) if outcomes is None else outcomes.counts()
    pending = counts["pending"]
    return {
        "id": sweep.id,
        "url": urls.experiment(sweep.id),
        "name": status.name,
        "status": status.status,
        "accepted": status.accepted,
        "ended": status.ended,
        "round": status.round,
        "runs_total": status.runs_total,
        "points_total": status.points_total,
        **counts,
        "progress": {
            "fraction": 1.0 - pending / status.runs_total,
            "seconds_left": _seconds_left(store, queue, sweep, outcomes, pending) if outcomes else 0.0,
        },
        "workloads": list(status.workloads),
        "algorithms": list(status.algorithms),
    }


def _seconds_left(store: VisibleStore, queue: Any, sweep: Sweep, outcomes: Outcomes, pending: int) -> float | None:
    """Estimate from the latest runs, before there are any from other runs; None while the sweep is not running."""
    if not sweep.status.is_unfinished:
        return 0.0
    if sweep.status.status != "running":
        return None
    seconds = outcomes.seconds
    if seconds:
        return pending * sum(seconds) / len(seconds) / workers(queue)
    return submission.seconds(store, outcomes.spec) * pending / len(outcomes.spec) / workers(queue)
