"""Which bounds exist, for which metrics and kinds of workloads, and the best of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shadowtime.engine.bounds import fluid
from shadowtime.engine.bounds.work import FLUID_KINDS, work_of
from shadowtime.engine.errors import InvalidWorkload, SimulationError, UnknownName, UnsupportedWorkload
from shadowtime.engine.families.classed import bounds as classed
from shadowtime.engine.families.moldable import bounds as moldable
from shadowtime.engine.families.multitask import bounds as packing
from shadowtime.engine.families.multitask.bounds import Packing

Values = dict[str, dict[str, float]]
"""Metric -> name of a bound -> value."""

CRITERIA = {"makespan": "makespan", "weighted-completion": "weighted_completion", "max-stretch": "max_bounded_stretch"}
"""What `shadowtime bound -c` can be asked for, and the metric that it bounds."""

TOLERANCE = 1e-6
"""A metric may fall below its bound by this share: rounding."""

SAME = 1e-12
"""Bounds closer than this are equal."""


@dataclass(frozen=True)
class Bounds:
    """Proven lower bounds of the metrics that have one."""

    values: dict[str, float] = field(default_factory=dict)
    """The best of each metric."""
    names: dict[str, str] = field(default_factory=dict)
    """Which bound that was."""
    all: Values = field(default_factory=dict)
    """Every bound of each metric."""


def lower_bounds(workload: Any, platform: Any, tau: float = 10.0, *, jobs: Any = None, migrates: bool = True) -> Bounds:
    """The best proven lower bound of each metric that has one, whatever the policy.

    Parameters
    ----------
    workload, platform
        The question. Kinds without bounds give none.
    tau
        Floor of the bounded stretch [s], >= 0.
    jobs
        Jobs table of a schedule: then only the jobs that ended are counted, with the runtimes of that table.
        Without it all jobs that fit the machine.
    migrates
        Whether tasks of a multitask workload may move between machines: fewer bounds hold then.
    """
    if workload.kind == "multitask":
        return _packing_bounds(Packing(workload, jobs, migrates=migrates), packing.METRICS)
    return _bounds(workload, platform, tau, jobs, bounded_metrics(workload.kind))


def bound(workload: Any, platform: Any, criterion: str, tau: float = 10.0) -> dict[str, Any]:
    """The bounds of one criterion, as `shadowtime bound --json` prints them.

    Raises
    ------
    UnknownName
        For a criterion that is not in CRITERIA.
    UnsupportedWorkload
        For a kind of workload that has no proven bound of this criterion.
    InvalidWorkload
        When no job fits the platform.
    """
    if criterion not in CRITERIA:
        raise UnknownName("criterion", criterion, CRITERIA)
    metric = CRITERIA[criterion]
    if metric not in bounded_metrics(workload.kind):
        raise UnsupportedWorkload(f"no bound on {criterion} is proven for {workload.kind} workloads")
    if workload.kind == "multitask":
        found = _packing_bounds(Packing(workload, asked=True), (metric,))
    else:
        found = _bounds(workload, platform, tau, None, (metric,))
    if metric not in found.values:
        raise InvalidWorkload(f"{workload.name}: no job fits the platform, so there is nothing to bound")
    return {
        "criterion": criterion,
        "bound": found.values[metric],
        "name": found.names[metric],
        "bounds": found.all[metric],
    }


def check(metrics: Mapping[str, float], bounds: Bounds) -> None:
    """Fail loudly when a metric lies below its bound: then the bound or the run is wrong.

    Raises
    ------
    SimulationError
        Naming the metric, its value and the bound.
    """
    for name, least in bounds.values.items():
        value = metrics.get(name)
        if value is not None and value < least * (1.0 - TOLERANCE):
            raise SimulationError(
                f"{name} = {value!r} is below its proven lower bound {least!r} ({bounds.names[name]}): "
                "the run or the bound is wrong; please report it"
            )


def bounded_metrics(kind: str) -> tuple[str, ...]:
    """The metrics that have a proven lower bound for a kind of workload."""
    if kind == "multitask":
        return packing.METRICS
    if kind == "classed":
        return classed.METRICS
    if kind == "moldable":
        return moldable.METRICS
    return fluid.METRICS if kind in FLUID_KINDS else ()


def _packing_bounds(source: Packing, metrics: tuple[str, ...]) -> Bounds:
    return _best({metric: getattr(source, metric)() for metric in metrics}) if len(source) else Bounds()


def _bounds(workload: Any, platform: Any, tau: float, jobs: Any, metrics: tuple[str, ...]) -> Bounds:
    if not metrics:
        return Bounds()
    source: Any
    if workload.kind == "moldable":
        counted = np.ones(len(workload), bool) if jobs is None else np.isfinite(jobs["end"])
        if not counted.any():
            return Bounds()
        source = moldable.Moldable(workload, platform.lanes, np.flatnonzero(counted))
    else:
        is_classed = workload.kind == "classed"
        work = classed.work_of(workload, jobs) if is_classed else work_of(workload, platform, jobs)
        if len(work) == 0:
            return Bounds()
        source = fluid.Fluid(work, tau)
    return _best({metric: getattr(source, metric)() for metric in metrics})


def _best(found: Values) -> Bounds:
    """The largest bound of each metric; of equal ones, rounding apart, the first."""
    best = {}
    for metric, values in found.items():
        most = max(values.values())
        best[metric] = next(name for name, value in values.items() if value >= most - abs(most) * SAME)
    return Bounds({metric: found[metric][name] for metric, name in best.items()}, best, found)
