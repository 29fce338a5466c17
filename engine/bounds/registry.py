"""Which bounds exist, for which metrics and kinds of workloads, and the best of them."""

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


def lower_bounds(workload: Any, platform: Any, tau: float = TAU, *, jobs: Any = None, migrates: bool = True) -> Bounds:
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
    family = find_family(workload.kind)
    source = family.bounds(workload, platform.lanes, tau, jobs, migrates=migrates, alone=False)
    return _best(source, family.bounded)


def bound(workload: Any, platform: Any, criterion: str, tau: float = TAU) -> dict[str, Any]:
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


def _best(source: Any, metrics: Iterable[str]) -> Bounds:
    """The largest bound of each metric; of equal ones, rounding apart, the first."""
    if source is None:
        return Bounds()
    found: Values = {metric: getattr(source, metric)() for metric in metrics}
    best = {}
    for metric, values in found.items():
        most = max(values.values())
        best[metric] = next(name for name, value in values.items() if value >= most - abs(most) * SAME)
    return Bounds({metric: found[metric][name] for metric, name in best.items()}, best, found)
