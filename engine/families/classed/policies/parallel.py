"""PJS, compiled: places some jobs on clusters first, all others around them with SJS.

D. Collins and A. George, Parallel and sequential job scheduling in heterogeneous clusters, 2001. Each machine has a
clock, also within a cluster; a cluster has none: it is free when its last member is.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.classed.policies.greedy import (
    FOLLOWING,
    FREE,
    HEADS,
    NOWHERE,
    SEQUENTIAL,
    TRIAL_CLOCKS,
    TRIAL_FREE,
    TRIAL_MACHINE,
    TRIAL_START,
    duplex,
    first_free,
    first_jobs,
    greedy,
)
from shadowtime.engine.kernel.cache import compiled, inner

OLB, MIN_MIN, MIN_MAX, SJS, PJS = (np.int64(code) for code in range(5))
BETTER = 1e-9
"""Share by which the sum of completions of a better plan must be smaller."""


@compiled
def plan_sequential(code, rows, times, free, skip, by_execution, machine_of, start, wholes, reals):
    """Plan by OLB, min-min, min-max or SJS into `machine_of`, `start` and `free`; return sum of ends and SJS calls."""
    if code == OLB:
        return first_free(rows, times, free, machine_of, start), 0
    if code == SJS:
        return duplex(rows, times, free, skip, by_execution, machine_of, start, wholes, reals)[0], 1
    largest = code == MIN_MAX
    return greedy(rows, times, free, skip, largest, by_execution, machine_of, start, wholes, reals)[0], 0


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
def plan_parallel(rows, times, parallel, first, members, free, skip, tried, by_execution, patience,
                  machine_of, cluster_of, start, wholes, reals):  # fmt: skip
    """Plan by PJS into `machine_of`, `cluster_of`, `start` and `free`; return sum of ends and number of SJS calls."""
    n, machines = rows.shape[0], times.shape[1]
    clocks, trial_free, trial_clocks = reals[FREE], reals[TRIAL_FREE], reals[TRIAL_CLOCKS]
    trial_machine, trial_start, sequential = wholes[TRIAL_MACHINE], reals[TRIAL_START], reals[SEQUENTIAL]
    heads = wholes[HEADS]
    for machine in range(machines):
        clocks[machine] = free[machine]
    fastest(times, free, sequential)
    total, left = duplex(rows, times, free, skip, by_execution, machine_of, start, wholes, reals)
    calls, refused, in_parallel = 1, 0, 0.0
    while refused < patience:
        first_jobs(rows, skip, heads, wholes[FOLLOWING])
        row, cluster = candidate(parallel, first, members, clocks, tried, heads, sequential)
        if row < 0:
            break
        job = heads[row]
        begins = free_of_cluster(cluster, first, members, clocks)
        end = begins + parallel[row, cluster]
        for machine in range(machines):
            trial_clocks[machine] = clocks[machine]
        for y in range(first[cluster], first[cluster + 1]):
            trial_clocks[members[y]] = end
        for machine in range(machines):
            trial_free[machine] = trial_clocks[machine]
        skip[job] = True
        rest, unplaced = duplex(rows, times, trial_free, skip, by_execution, trial_machine, trial_start, wholes, reals)
        calls += 1
        whole = in_parallel + end + rest
        if unplaced < left or (unplaced == left and whole < total - BETTER * abs(total)):
            total, left, in_parallel, refused = whole, unplaced, in_parallel + end, 0
            cluster_of[job], machine_of[job], start[job] = cluster, NOWHERE, begins
            for other in range(n):
                if not skip[other]:
                    machine_of[other], start[other] = trial_machine[other], trial_start[other]
            for machine in range(machines):
                clocks[machine], free[machine] = trial_clocks[machine], trial_free[machine]
        else:
            skip[job] = False
            tried[row, cluster] = True
            refused += 1
    return total, calls
