"""Priority of a job: flow time over the square of virtual time (section 4.1); orders and heaps of units by priority.

Rows of `best` are (key, minus the unit): the first row of a heap of them is the unit of least priority, of equal ones
the one submitted last.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.binary_heap import NO_VERSION, before, heapify, pop, sink, write
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import RUNNING

SPLIT = 2.0**20 + 1.0
NEARLY = 1.0 + 1e-9
"""Factor above the relative rounding of priorities to 33 bits."""


@inner
def virtual_time(s, i):
    """Return the virtual time of unit `i` [s]: the integral of its yield, stalls not counted."""
    u, now = s.u[i], s.k[0].now
    if u.state != RUNNING:
        return u.virtual_time
    return u.virtual_time + u.rate * max(0.0, now - max(u.since, u.stall))


@inner
def flow_time(s, i):
    """Return the time since the submission of unit `i` [s]."""
    return s.k[0].now - s.u[i].release


@inner
def priority_of(flow, virtual):
    """Return flow time over the square of virtual time; infinite at virtual time 0.

    The result is rounded to 33 bits (Veltkamp's splitting), so that priorities that differ by rounding only are equal.
    """
    if virtual <= 0.0:
        return np.inf
    exact = flow / (virtual * virtual)
    large = exact * SPLIT
    return large - (large - exact)


@inner
def unit_in(rows, y):
    """Return the unit in row `y`."""
    return -rows[y].unit


@inner
def keep_best(rows, count, most, i, priority):
    """Add unit `i` to `rows[:count]`, which keep the `most` most important units; return the new count.

    Below `most` rows are in order of arrival, from then on they form a heap.
    """
    if count == most:
        if before(rows, np.int64(0), priority, -i):
            sink(rows, count, np.int64(0), priority, -i, NO_VERSION)
        return count
    write(rows, count, priority, -i, NO_VERSION)
    if count + 1 == most:
        heapify(rows, most)
    return count + 1


@inner
def take_least(rows, last):
    """Move the first row of a heap of `last + 1` rows to row `last`, out of the heap."""
    key, unit = rows[0].key, rows[0].unit
    pop(rows, last + 1)
    write(rows, last, key, unit, NO_VERSION)


@inner
def sort(rows, count):
    """Sort the first `count` rows by decreasing key, ties by submission."""
    heapify(rows, count)
    for last in range(count - 1, 0, -1):
        take_least(rows, last)


@inner
def sort_units(rows, count, units):
    """Sort the first `count` rows by decreasing key, and write their units into `units`."""
    sort(rows, count)
    for y in range(count):
        units[y] = unit_in(rows, y)


@inner
def heap_running(s, f):
    """Write the running units into `best`, as a heap."""
    for y in range(f.m[0].running):
        i = f.running[y]
        write(f.best, y, priority_of(flow_time(s, i), virtual_time(s, i)), -i, NO_VERSION)
    heapify(f.best, f.m[0].running)
