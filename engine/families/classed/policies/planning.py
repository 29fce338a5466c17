"""One planning call: the resource and start of each job, from the clocks of machines and the times of jobs.

PJS places some jobs on clusters first, all others around them with SJS: D. Collins and A. George, Parallel and
sequential job scheduling in heterogeneous clusters, 2001. Each machine has a clock, also within a cluster; a cluster
has none: it is free when its last member is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shadowtime.engine.families.classed.policies import greedy as lines
from shadowtime.engine.families.classed.policies.greedy import NOWHERE, copy, duplex, first_free, first_jobs, greedy
from shadowtime.engine.families.classed.site.description import PLANNERS
from shadowtime.engine.kernel.cache import compiled, inner

RULES = {rule: np.int64(code) for code, rule in enumerate(PLANNERS)}
OLB, MIN_MIN, MIN_MAX, SJS, PJS = RULES.values()
BETTER = 1e-9
"""Share by which the sum of completions of a better plan must be smaller."""


@inner
def free_of_cluster(cluster, first, members, clocks):
    """Return when the last member of a cluster is free [s]."""
    latest = -np.inf
    for y in range(first[cluster], first[cluster + 1]):
        latest = max(latest, clocks[members[y]])
    return latest


@inner
def candidate(parallel, first, members, clocks, tried, heads, sequential):
    """Return (row, cluster) of the largest profit > 0, the difference of execution times min T - TC; else (-1, -1).

    Ties: the cluster that is free earliest, then the lowest job, then the lowest cluster.
    """
    chosen_row, chosen_cluster, largest, earliest = NOWHERE, NOWHERE, 0.0, np.inf
    for cluster in range(parallel.shape[1]):
        begins = free_of_cluster(cluster, first, members, clocks)
        if begins == np.inf:
            continue
        for row in range(parallel.shape[0]):
            if heads[row] < 0 or tried[row, cluster] or parallel[row, cluster] == np.inf:
                continue
            profit = sequential[row] - parallel[row, cluster]
            if profit <= 0.0 or profit < largest:
                continue
            if profit == largest and (
                begins > earliest or (begins == earliest and chosen_row >= 0 and heads[row] >= heads[chosen_row])
            ):
                continue
            chosen_row, chosen_cluster, largest, earliest = np.int64(row), np.int64(cluster), profit, begins
    return chosen_row, chosen_cluster


@inner
def fastest(times, free, sequential):
    """Write the shortest execution of each row on an available machine [s] into `sequential`."""
    for row in range(times.shape[0]):
        sequential[row] = np.inf
        for machine in range(times.shape[1]):
            if free[machine] < np.inf:
                sequential[row] = min(sequential[row], times[row, machine])


@compiled
def plan_rows(code, rows, times, parallel, first, members, free, skip, tried, by_execution, patience,
              machine_of, cluster_of, start, wholes, reals):  # fmt: skip
    """Plan into `machine_of`, `cluster_of`, `start` and `free`; return sum of ends and number of SJS calls."""
    if code == OLB:
        return first_free(rows, times, free, machine_of, start), 0
    if code in (MIN_MIN, MIN_MAX):
        largest = code == MIN_MAX
        return greedy(rows, times, free, skip, largest, by_execution, machine_of, start, wholes, reals)[0], 0
    machines, heads = times.shape[1], wholes[lines.HEADS]
    clocks, trial_clocks = reals[lines.FREE, :machines], reals[lines.TRIAL_CLOCKS, :machines]
    trial_free, trial_start = reals[lines.TRIAL_FREE, :machines], reals[lines.TRIAL_START]
    trial_machine, sequential = wholes[lines.TRIAL_MACHINE], reals[lines.SEQUENTIAL]
    copy(free, clocks)
    total, left = duplex(rows, times, free, skip, by_execution, machine_of, start, wholes, reals)
    calls, refused, in_parallel = 1, 0, 0.0
    if code == SJS:
        return total, calls
    fastest(times, clocks, sequential)
    while refused < patience:
        first_jobs(rows, skip, heads, wholes[lines.FOLLOWING])
        row, cluster = candidate(parallel, first, members, clocks, tried, heads, sequential)
        if row < 0:
            break
        job = heads[row]
        begins = free_of_cluster(cluster, first, members, clocks)
        end = begins + parallel[row, cluster]
        copy(clocks, trial_clocks)
        for y in range(first[cluster], first[cluster + 1]):
            trial_clocks[members[y]] = end
        copy(trial_clocks, trial_free)
        skip[job] = True
        rest, unplaced = duplex(rows, times, trial_free, skip, by_execution, trial_machine, trial_start, wholes, reals)
        calls += 1
        whole = in_parallel + end + rest
        if unplaced < left or (unplaced == left and whole < total - BETTER * abs(total)):
            total, left, in_parallel, refused = whole, unplaced, in_parallel + end, 0
            cluster_of[job], machine_of[job], start[job] = cluster, NOWHERE, begins
            for other in range(len(rows)):
                if not skip[other]:
                    machine_of[other], start[other] = trial_machine[other], trial_start[other]
            copy(trial_clocks, clocks)
            copy(trial_free, free)
        else:
            skip[job], tried[row, cluster] = False, True
            refused += 1
    return total, calls


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
    total, calls = plan_rows(
        RULES[rule], rows, times, parallel, *members, clocks, np.zeros(n, np.bool_), np.zeros(parallel.shape, np.bool_),
        best == "execution", patience, machine, cluster, start, np.empty((lines.WHOLES, wide), np.int64),
        np.empty((lines.REALS, wide)),
    )  # fmt: skip
    took = np.full(n, np.inf)
    alone, together = machine >= 0, cluster >= 0
    took[alone] = times[rows[alone], machine[alone]]
    took[together] = parallel[rows[together], cluster[together]]
    return Assignment(machine, cluster, start, start + took, clocks, float(total), int(calls))


def warm_planner(rule: str) -> None:
    """Compile a planner, or load compiled code, before its time is measured."""
    one = np.ones((1, 1))
    plan(rule, np.zeros(1, np.int64), one, one, (np.array([0, 1]), np.zeros(1, np.int64)), np.zeros(1))
