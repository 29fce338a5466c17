"""The best lower bound of each metric that has one for a kind of workload."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shadowtime.engine.errors import InvalidWorkload, SimulationError, UnknownName, UnsupportedWorkload
from shadowtime.engine.metrics.jobs import TAU
from shadowtime.engine.registry import find_family

Values = dict[str, dict[str, float]]
"""Metric -> name of a bound -> value."""

CRITERIA = {"makespan": "makespan", "weighted-completion": "weighted_completion", "max-stretch": "max_bounded_stretch"}
"""Criterion of `shadowtime bound -c` -> the metric that it bounds."""

TOLERANCE = 1e-6
"""Share by which a metric may lie below its bound, for rounding."""

SAME = 1e-12
"""Share below which bounds are equal."""


@dataclass(frozen=True)
class Bounds:
    """Proven lower bounds of the metrics that have one."""

    values: dict[str, float] = field(default_factory=dict)
    """Metric -> its best bound."""
    names: dict[str, str] = field(default_factory=dict)
    """Metric -> the name of that bound."""
    all: Values = field(default_factory=dict)
    """Metric -> all its bounds."""


def lower_bounds(workload: Any, platform: Any, tau: float = TAU, *, jobs: Any = None, migrates: bool = True) -> Bounds:
    """Return the best proven lower bound of each metric that has one; it holds for every policy.

    Parameters
    ----------
    workload, platform
        Workload and machine. The result is empty if the kind of workload has no bounds.
    tau
        Floor of the bounded stretch [s], >= 0.
    jobs
        Jobs table of a schedule: only its finished jobs count, with the runtimes of that table. None: all jobs of
        the workload that fit the machine.
    migrates
        Whether tasks of a multitask workload may move between machines; fewer bounds hold then.
    """
    family = find_family(workload.kind)
    source = family.bounds(workload, platform.lanes, tau, jobs, migrates=migrates, alone=False)
    return _best(source, family.bounded)


def bound(workload: Any, platform: Any, criterion: str, tau: float = TAU) -> dict[str, Any]:
    """Return the bounds of one criterion, as `shadowtime bound --json` prints them.

    Raises
    ------
    UnknownName
        If the criterion is not in CRITERIA.
    UnsupportedWorkload
        If the kind of workload has no proven bound of this criterion.
    InvalidWorkload
        If no job fits the platform.
    """
    if criterion not in CRITERIA:
        raise UnknownName("criterion", criterion, CRITERIA)
    metric = CRITERIA[criterion]
    family = find_family(workload.kind)
    if metric not in family.bounded:
        raise UnsupportedWorkload(f"no bound on {criterion} is proven for {workload.kind} workloads")
    found = _best(family.bounds(workload, platform.lanes, tau, None, migrates=None, alone=True), (metric,))
    if metric not in found.values:
        raise InvalidWorkload(f"{workload.name}: no job fits the platform, so there is nothing to bound")
    return {
        "criterion": criterion,
        "bound": found.values[metric],
        "name": found.names[metric],
        "bounds": found.all[metric],
    }


def check(metrics: Mapping[str, float], bounds: Bounds) -> None:
    """Check that no metric lies below its bound.

    Raises
    ------
    SimulationError
        If one does: then the run or the bound is wrong. The message names metric, value and bound.
    """
    for name, least in bounds.values.items():
        value = metrics.get(name)
        if value is not None and value < least * (1.0 - TOLERANCE):
            raise SimulationError(
                f"{name} = {value!r} is below its proven lower bound {least!r} ({bounds.names[name]}): "
                "the run or the bound is wrong: report it as a fault"
            )


def _best(source: Any, metrics: Iterable[str]) -> Bounds:
    """Return the largest bound of each metric; among equal ones (but for rounding) the first."""
    if source is None:
        return Bounds()
    found: Values = {metric: getattr(source, metric)() for metric in metrics}
    best = {}
    for metric, values in found.items():
        most = max(values.values())
        best[metric] = next(name for name, value in values.items() if value >= most - abs(most) * SAME)
    return Bounds({metric: found[metric][name] for metric, name in best.items()}, best, found)
