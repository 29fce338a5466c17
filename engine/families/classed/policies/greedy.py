"""Sequential planners, compiled: OLB, min-min, min-max and their duplex SJS.

Jobs with equal times share a *row* of the tables and one best completion, so that a step scans rows, not jobs. In a
row, the job with the lowest number goes first, as the tie rule requires. Clocks only increase, so a row's best machine
stays the best until that machine is used: only such rows are scanned again.

Arrays: `rows` row of each job; `times` [s] by row and machine, infinite if not allowed; `free` clock of each machine
[s], infinite if it is down; `skip` jobs that are planned elsewhere; `wholes`, `reals` lines of work space.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner

NOWHERE = np.int64(-1)
HEADS, FOLLOWING, BEST, LIVE, OTHER_MACHINE, TRIAL_MACHINE, WHOLES = range(7)
"""Lines of `wholes`."""
VALUE, OTHER_START, TRIAL_START, OTHER_FREE, FREE, TRIAL_FREE, TRIAL_CLOCKS, SEQUENTIAL, REALS = range(9)
"""Lines of `reals`."""


@inner
def copy(source, target):
    """Copy an array of the same length into `target`."""
    for i in range(len(source)):
        target[i] = source[i]


@inner
def best_machine(times, row, free, by_execution):
    """Return the machine of a row's smallest completion (or execution), ties: lowest; NOWHERE if none can run it."""
    best, least = NOWHERE, np.inf
    for machine in range(times.shape[1]):
        completion = free[machine] + times[row, machine]
        if completion < np.inf:
            value = times[row, machine] if by_execution else completion
            if value < least:
                best, least = np.int64(machine), value
    return best


@inner
def first_jobs(rows, skip, heads, following):
    """Write the lowest job of each row into `heads`, and the next job of the row into `following`; NOWHERE ends."""
    heads[:] = NOWHERE
    for job in range(rows.shape[0] - 1, -1, -1):
        if not skip[job]:
            following[job] = heads[rows[job]]
            heads[rows[job]] = job


@inner
def choose(live, count, heads, value, largest):
    """Return the place in `live` of the row of smallest (`largest`: largest) best completion; ties: lowest job."""
    chosen = 0
    for y in range(1, count):
        row, best = live[y], live[chosen]
        ahead = value[row] > value[best] if largest else value[row] < value[best]
        if ahead or (value[row] == value[best] and heads[row] < heads[best]):
            chosen = y
    return chosen


@inner
def greedy(rows, times, free, skip, largest, by_execution, machine_of, start, wholes, reals):
    """Plan by min-min, or min-max with `largest`: fill `machine_of` and `start`, advance `free`.

    Return the sum of completions, and the number of jobs that no machine can run.
    """
    heads, following, best, live, value = wholes[HEADS], wholes[FOLLOWING], wholes[BEST], wholes[LIVE], reals[VALUE]
    first_jobs(rows, skip, heads, following)
    left = 0
    for job in range(rows.shape[0]):
        if not skip[job]:
            machine_of[job], start[job] = NOWHERE, np.inf
            left += 1
    count = 0
    for row in range(times.shape[0]):
        if heads[row] >= 0:
            best[row] = best_machine(times, row, free, by_execution)
            if best[row] >= 0:
                value[row] = free[best[row]] + times[row, best[row]]
                live[count] = row
                count += 1
    total = 0.0
    while count > 0:
        y = choose(live, count, heads, value, largest)
        row = live[y]
        job, machine = heads[row], best[row]
        machine_of[job], start[job] = machine, free[machine]
        free[machine] = value[row]
        total += value[row]
        left -= 1
        heads[row] = following[job]
        if heads[row] < 0:
            count -= 1
            live[y] = live[count]
        for z in range(count):
            other = live[z]
            if best[other] == machine:
                if not by_execution:
                    best[other] = best_machine(times, other, free, by_execution)
                value[other] = free[best[other]] + times[other, best[other]]
    return total, left


@inner
def duplex(rows, times, free, skip, by_execution, machine_of, start, wholes, reals):
    """Plan by SJS: min-min or min-max, whichever has the smaller sum, min-min if equal; return values of `greedy`."""
    other_free, other_machine, other_start = reals[OTHER_FREE, : len(free)], wholes[OTHER_MACHINE], reals[OTHER_START]
    copy(free, other_free)
    low, left = greedy(rows, times, free, skip, False, by_execution, machine_of, start, wholes, reals)
    high, _ = greedy(rows, times, other_free, skip, True, by_execution, other_machine, other_start, wholes, reals)
    if high >= low:
        return low, left
    for job in range(rows.shape[0]):
        if not skip[job]:
            machine_of[job], start[job] = other_machine[job], other_start[job]
    copy(other_free, free)
    return high, left


@inner
def first_free(rows, times, free, machine_of, start):
    """Plan by OLB: each job, in order of arrival, on the machine that is free first among those that can run it."""
    total = 0.0
    for job in range(rows.shape[0]):
        row, chosen = rows[job], NOWHERE
        for machine in range(times.shape[1]):
            if free[machine] + times[row, machine] < np.inf and (chosen < 0 or free[machine] < free[chosen]):
                chosen = np.int64(machine)
        machine_of[job], start[job] = chosen, np.inf
        if chosen >= 0:
            start[job] = free[chosen]
            free[chosen] += times[row, chosen]
            total += free[chosen]
    return total
