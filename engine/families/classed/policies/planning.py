"""One planning call: which job goes where and when, from the clocks of the machines and the times of the jobs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shadowtime.engine.families.classed.policies.greedy import NOWHERE, REALS, WHOLES
from shadowtime.engine.families.classed.policies.parallel import (
    MIN_MAX,
    MIN_MIN,
    OLB,
    PJS,
    SJS,
    plan_parallel,
    plan_sequential,
)

RULES = {"olb": OLB, "min-min": MIN_MIN, "min-max": MIN_MAX, "sjs": SJS, "pjs": PJS}


@dataclass(frozen=True, eq=False)
class Assignment:
    """Slots of n jobs: where and when each is to run."""

    machine: np.ndarray
    """Machine of each job; -1 where it goes to a cluster, or nowhere."""
    cluster: np.ndarray
    """Cluster of each job; -1 where it goes to a machine, or nowhere."""
    start: np.ndarray
    """[s]; infinite where nothing can run the job."""
    end: np.ndarray
    free: np.ndarray
    """Clock of each machine after the plan [s]."""
    total: float
    """Sum of the ends of all planned jobs [s]: total job time when all wait from second 0."""
    sjs_calls: int
    """How often the jobs were planned with SJS: overhead that no clock can blur."""

    def later(self, by: float) -> Assignment:
        """Return the plan with its slots and clocks moved by so many seconds; `total` stays."""
        return replace(self, start=self.start + by, end=self.end + by, free=self.free + by) if by else self


def plan(
    rule: str,
    rows: np.ndarray,
    machine_times: np.ndarray,
    cluster_times: np.ndarray,
    members: tuple[np.ndarray, np.ndarray],
    free: np.ndarray,
    *,
    best: str = "completion",
    patience: int = 1,
) -> Assignment:
    """Plan n jobs with one of RULES; O(n^2 m) at worst, since a row's best machine rarely changes far less.

    Parameters
    ----------
    rows
        n rows of the tables: whose times each job has. Jobs are numbered by their position, which breaks ties.
    machine_times, cluster_times
        Expected times [s] by row and machine, by row and cluster; infinite = not allowed.
    members
        Place of the first member of each cluster (one value more than clusters), and the members' machines.
    free
        Clock of each machine [s]; infinite = not there.
    best
        What is compared: `completion`, or `execution`, the paper's definition read literally.
    patience
        PJS ends after so many candidates refused one after the other; the paper's 1 is the first refusal.
    """
    rows = np.ascontiguousarray(rows, dtype="i8")
    times, parallel = (np.ascontiguousarray(table, dtype="f8") for table in (machine_times, cluster_times))
    clocks = np.array(free, dtype="f8")
    n, wide = len(rows), max(len(rows), len(times), len(clocks), 1)
    machine, cluster, start = np.full(n, NOWHERE), np.full(n, NOWHERE), np.full(n, np.inf)
    wholes, reals, skip = np.empty((WHOLES, wide), np.int64), np.empty((REALS, wide)), np.zeros(n, np.bool_)
    by_execution = best == "execution"
    if rule == "pjs":
        tried = np.zeros(parallel.shape, np.bool_)
        total, calls = plan_parallel(
            rows, times, parallel, members[0], members[1], clocks, skip, tried, by_execution, patience,
            machine, cluster, start, wholes, reals,
        )  # fmt: skip
    else:
        total, calls = plan_sequential(
            RULES[rule], rows, times, clocks, skip, by_execution, machine, start, wholes, reals
        )
    took = np.full(n, np.inf)
    alone, together = machine >= 0, cluster >= 0
    took[alone] = times[rows[alone], machine[alone]]
    took[together] = parallel[rows[together], cluster[together]]
    return Assignment(machine, cluster, start, start + took, clocks, float(total), int(calls))


def warm_planner(rule: str) -> None:
    """Compile a planner, or load what was compiled, before its time is measured."""
    one = np.ones((1, 1))
    plan(rule, np.zeros(1, np.int64), one, one, (np.array([0, 1]), np.zeros(1, np.int64)), np.zeros(1))
