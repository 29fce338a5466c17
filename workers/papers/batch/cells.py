"""Run policies on weeks, on sequences of 15 days, and on whole logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.papers.batch.policies import ORDERS, POLICIES, SETTINGS
from shadowtime.workers.papers.batch.workloads import LUBLIN, log, log_of_2007, sequence, week

OF_2007 = {"event_order": "submissions-first"}
"""Parameters under which a run is that of the simulator of 2007."""


@dataclass(frozen=True)
class Outcome:
    """Result of one policy."""

    slowdown: float
    """Mean bounded slowdown, tau = 10 s."""
    wait: float
    """Mean wait [s]."""
    utilization: float
    """Mean share of the processors in use, from the first submission to the last end."""
    longest: float
    """Longest wait [s]."""


@dataclass(frozen=True)
class Week:
    """A week of a log, or generated jobs by their seed."""

    workload: str
    number: int

    @property
    def size(self) -> int:
        """Order of samples: logs last, since tests may be without them."""
        return 0 if self.workload == LUBLIN else 1


@dataclass(frozen=True)
class Ran:
    """Outcomes of a week by policy, with bounds that no policy can beat."""

    outcomes: Mapping[str, Outcome]
    wait_bound: float
    """Lower bound of the mean wait [s]."""
    utilization_bound: float
    """Upper bound of the utilization."""


@dataclass(frozen=True)
class Sequence(Week):
    """One of ten sequences of 15 days."""


@dataclass(frozen=True)
class Whole:
    """A policy on a whole log; `of_2007`: as the simulator of 2007 reads it and decides."""

    log: str
    policy: str
    of_2007: bool = False

    @property
    def is_long(self) -> bool:
        """Return whether it is no sample, since it takes seconds."""
        return self.log != "KTH"


def run_week(cell: Week) -> Ran:
    """Run all policies; SimulationError when a figure is better than its bound."""
    return ran(week(cell.workload, cell.number), POLICIES)


def ran(workload: Workload, names: Iterable[str]) -> Ran:
    """Run policies on one workload, each beside the bounds."""
    platform = Platform.of(workload)
    bounds = lower_bounds(workload, platform)
    jobs, outcomes = workload.jobs, {}
    for name in names:
        policy = POLICIES[name]
        schedule = simulate(workload, policy.slug, policy.parameters)
        metrics = summarize(schedule, workload, platform)
        check(metrics, bounds)
        outcomes[name] = outcome_of(metrics)
    work = float((jobs["runtime"] * jobs["processors"]).sum())
    return Ran(
        outcomes,
        max(0.0, bounds.values["mean_flow"] - float(jobs["runtime"].mean())),
        min(1.0, work / (platform.lanes * bounds.values["makespan"])),
    )


def run_sequence(cell: Sequence) -> dict[str, float]:
    """Return the mean bounded slowdown of each order in each setting, by `order, setting`."""
    workload = sequence(cell.workload, cell.number)
    platform, found = Platform.of(workload), {}
    for setting in SETTINGS:
        for name in ORDERS:
            parameters = {"order": name.lower(), "backfill": setting.backfill}
            schedule = simulate(workload, "batch", parameters, estimates=setting.estimates)
            found[f"{name}, {setting.title}"] = summarize(schedule, workload, platform)["mean_bounded_stretch"]
    return found


def run_whole(cell: Whole) -> Outcome:
    """Run one policy on a whole log."""
    workload = (log_of_2007 if cell.of_2007 else log)(cell.log)
    policy = POLICIES[cell.policy]
    parameters = {**policy.parameters, **(OF_2007 if cell.of_2007 else {})}
    schedule = simulate(workload, policy.slug, parameters)
    return outcome_of(summarize(schedule, workload, Platform.of(workload)))


def outcome_of(metrics: Mapping[str, float]) -> Outcome:
    """Return the figures of a run that the study compares."""
    names = ("mean_bounded_stretch", "mean_wait", "mean_utilization", "max_wait")
    return Outcome(*(float(metrics[name]) for name in names))
