"""One planning call: the resource and start of each job, from the clocks of machines and the times of jobs."""

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
    """Slots of n jobs: resource and time of each."""

    machine: np.ndarray
    """Machine of each job; -1 for a job on a cluster, or without a slot."""
    cluster: np.ndarray
    """Cluster of each job; -1 for a job on a machine, or without a slot."""
    start: np.ndarray
    """Start of each job [s]; infinite if no resource can run it."""
    end: np.ndarray
    """End of each job [s]."""
    free: np.ndarray
    """Clock of each machine after the plan [s]."""
    total: float
    """Sum of the ends of all planned jobs [s]: the total job time if all wait from second 0."""
    sjs_calls: int
    """Number of calls of SJS: a measure of overhead that does not depend on the computer."""

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
    """Plan n jobs with one of RULES, in O(n^2 m) at worst; usually far less, since best machines rarely change.

    Parameters
    ----------
    rows
        Row of the tables of each job, n values. The position of a job is its number, which breaks ties.
    machine_times, cluster_times
        Expected times [s] by row and machine, by row and cluster; infinite: not allowed.
    members
        Place of the first member of each cluster (clusters + 1 values), and the machines of all members.
    free
        Clock of each machine [s]; infinite: down.
    best
        Criterion of the best machine: `completion`, or `execution`, the literal definition of the paper.
    patience
        PJS ends after this number of consecutive refused candidates; 1 in the paper.
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
    """Compile a planner, or load compiled code, before its time is measured."""
    one = np.ones((1, 1))
    plan(rule, np.zeros(1, np.int64), one, one, (np.array([0, 1]), np.zeros(1, np.int64)), np.zeros(1))
