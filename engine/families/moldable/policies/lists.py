"""Start times for jobs with fixed allotments: Graham's list scheduling, and pulling a schedule forward."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.binary_heap import NO_VERSION, entries, pop, push
from shadowtime.engine.kernel.cache import allocating, inner
from shadowtime.engine.kernel.profile import Profile, earliest, insert

BLOCK = 64
"""Jobs per block of a list; a block stores its smallest size, so that a scan skips blocks in which no job fits."""
GONE = np.int64(2**62)


@inner
def lay(order, size, waiting, smallest):
    """Fill `waiting` with the sizes in list order, and `smallest` with the smallest of each block."""
    n = len(order)
    smallest[:] = GONE
    for y in range(n):
        waiting[y] = size[order[y]]
        smallest[y // BLOCK] = min(smallest[y // BLOCK], waiting[y])


@inner
def strike(waiting, smallest, y):
    """Remove place y from the list."""
    waiting[y] = GONE
    block = y // BLOCK
    least = GONE
    for x in range(block * BLOCK, min(len(waiting), (block + 1) * BLOCK)):
        least = min(least, waiting[x])
    smallest[block] = least


@inner
def start_what_fits(order, time, now, free, waiting, smallest, ends, running, start):
    """Scan the whole list, start every job that fits, and return (free processors, running jobs) after that."""
    for block in range(len(smallest)):
        if free == 0:
            break
        if smallest[block] > free:
            continue
        for y in range(block * BLOCK, min(len(waiting), (block + 1) * BLOCK)):
            if waiting[y] <= free:
                job = order[y]
                start[job] = now
                push(ends, running, now + time[job], job, NO_VERSION)
                running += 1
                free -= waiting[y]
                strike(waiting, smallest, y)
    return free, running


def graham(order: np.ndarray, time: np.ndarray, size: np.ndarray, processors: int) -> np.ndarray:
    """Return the starts by list scheduling: at second 0 and at each end, start all jobs that fit, in list order.

    A job that does not fit is skipped. `size` and `time` [s] have n values.
    """
    return _graham(order, time, size, processors, entries(len(order)))


@allocating
def _graham(order, time, size, processors, ends):
    """Implement `graham`; `ends` holds the heap of the running jobs by their end."""
    n = len(order)
    start = np.zeros(n)
    waiting, smallest = np.empty(n, np.int64), np.empty(n // BLOCK + 1, np.int64)
    lay(order, size, waiting, smallest)
    free, running = start_what_fits(order, time, 0.0, processors, waiting, smallest, ends, np.int64(0), start)
    while running > 0:
        now = ends[0].key
        while running > 0 and ends[0].key <= now:
            free += size[ends[0].unit]
            running = pop(ends, running)
        free, running = start_what_fits(order, time, now, free, waiting, smallest, ends, running, start)
    return start


@allocating
def pull_forward(order, time, size, processors):
    """Start each job, in `order`, as early as it fits among those placed before; return n starts.

    If `order` is that of the starts of a feasible schedule, no job starts later than there: from its start on, the jobs
    placed before are a part of those that ran there.
    """
    n = len(order)
    start = np.zeros(n)
    placed = Profile(np.array([0, 1]), np.zeros(2 * n + 1), np.full(2 * n + 1, processors))
    for job in order:
        start[job] = earliest(placed, 0.0, (size[job],), time[job], np.inf)
        insert(placed, start[job], start[job] + time[job], (size[job],))
    return start
