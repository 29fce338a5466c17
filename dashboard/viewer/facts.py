"""What the question of a stored run says that its viewer reads beside the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from shadowtime.engine.registry import algorithms, find_family
from shadowtime.workers.execute import load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import VisibleStore


def kind_and_clock(store: VisibleStore, spec: RunSpec) -> tuple[str, Mapping[str, Any] | None]:
    """Return kind and clock of the jobs that a run had, after its conversions.

    Raises NotFound: where the workload was deleted.
    """
    if spec.conversions or "generator" in spec.workload:
        workload = load_workload(spec, store)
        return workload.kind, None if workload.clock is None else asdict(workload.clock)
    entry = store.workloads.get(spec.workload["digest"])
    return entry.kind, entry.clock


def is_exclusive(algorithm: str, kind: str) -> bool:
    """Return whether each lane holds one job at a time; of an unknown algorithm, its family decides."""
    known = algorithms(variants=True).get(algorithm)
    return known.runner.exclusive if known else not find_family(kind).shares_lanes
