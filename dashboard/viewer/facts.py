"""What the question of a stored run says that its viewer reads beside the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.engine.registry import algorithms, look_up_family
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import VisibleStore


@dataclass(frozen=True)
class Submitted:
    """What a viewer needs to know of the jobs of a run that has not finished, before it has them."""

    kind: str
    clock: Mapping[str, Any] | None
    tau: float
    """Floor of the bounded slowdown [s]."""
    jobs: int
    first: float
    """First submission [s]."""
    last: float


def submitted_facts(store: VisibleStore, spec: RunSpec) -> Submitted:
    """Return the facts of the jobs of a run, after its conversions; those of a stored log are read without its jobs.

    Raises NotFound: where the workload was deleted.
    """
    if not spec.conversions and "digest" in spec.workload and not spec.workload.get("case"):
        entry = store.workloads.get(spec.workload["digest"])
        facts = entry.preview.get("facts", {})
        first, last = facts.get("first_submit"), facts.get("last_submit")
        if first is not None and last is not None and np.isfinite([first, last]).all():
            return Submitted(entry.kind, entry.clock, tau_of(entry), entry.jobs, first, last)
    return _facts_of(load_workload(spec, store))


def _facts_of(workload: Workload) -> Submitted:
    release = workload.jobs["release"]
    known = release[np.isfinite(release)]
    first, last = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    clock = None if workload.clock is None else asdict(workload.clock)
    return Submitted(workload.kind, clock, tau_of(workload), len(workload), first, last)


def kind_and_clock(store: VisibleStore, spec: RunSpec) -> tuple[str, Mapping[str, Any] | None]:
    """Return kind and clock of the jobs that a run had, after its conversions.

    Raises NotFound: where the workload was deleted.
    """
    if spec.conversions or "generator" in spec.workload:
        workload = load_workload(spec, store)
        return workload.kind, None if workload.clock is None else asdict(workload.clock)
    entry = store.workloads.get(spec.workload["digest"])
    return entry.kind, entry.clock


def user_names(store: VisibleStore, spec: RunSpec) -> list[str]:
    """Return the names of users by their number in the jobs; none where the log has only numbers, or was deleted."""
    try:
        return list(store.workloads.names(spec.workload, "user"))
    except NotFound:
        return []


def is_exclusive(algorithm: str, kind: str) -> bool:
    """Return whether each lane holds one job at a time; of an unknown algorithm, its family decides."""
    known = algorithms(variants=True).get(algorithm)
    return known.runner.exclusive if known else not look_up_family(kind).shares_lanes
