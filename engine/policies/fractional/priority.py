"""Who is more important: flow time over the square of virtual time (section 4.1)."""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner
from engine.kernel.state import RUNNING

SPLIT = 2.0**20 + 1.0
NEARLY = 1.0 + 1e-9
"""Priorities are rounded to 33 bits."""


@inner
def virtual_time(s, i):
    """What unit `i` has lived through so far [s]: the integral of its effective yield, stalls not counted."""
    u, now = s.u[i], s.k[0].now
    if u.state != RUNNING:
        return u.lived
    return u.lived + u.rate * max(0.0, now - max(u.since, u.stall))


@inner
def flow_time(s, i):
    """Time since the submission of unit `i` [s]."""
    return s.k[0].now - s.u[i].release


@inner
def priority_of(flow, lived):
    """Flow time over the square of virtual time; infinite for a job that has not lived yet.

    It is kept to 33 bits (Veltkamp's splitting): equal priorities that were reached in different ways stay equal.
    """
    if lived <= 0.0:
        return np.inf
    exact = flow / (lived * lived)
    large = exact * SPLIT
    return large - (large - exact)


@inner
def is_after(rows, y, priority, unit):
    """Whether row `y` is less important than a unit of some priority; of equals the one submitted later."""
    if rows[y].priority != priority:
        return rows[y].priority < priority
    return rows[y].unit > unit


@inner
def sift(rows, at, count, priority, unit):
    """Let a unit sink from `at` on in a heap of (priority, unit) whose root is the least important."""
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and is_after(rows, child + 1, rows[child].priority, rows[child].unit):
            child += 1
        if not is_after(rows, child, priority, unit):
            break
        rows[at].priority, rows[at].unit = rows[child].priority, rows[child].unit
        at = child
    rows[at].priority, rows[at].unit = priority, unit


@inner
def heap_up(rows, count):
    """Make the first `count` rows such a heap."""
    for at in range(count // 2 - 1, -1, -1):
        sift(rows, at, count, rows[at].priority, rows[at].unit)


@inner
def sort(rows, count):
    """Order the first `count` rows by decreasing priority, whatever their order was: a heap sort."""
    heap_up(rows, count)
    for last in range(count - 1, 0, -1):
        priority, unit = rows[last].priority, rows[last].unit
        rows[last].priority, rows[last].unit = rows[0].priority, rows[0].unit
        sift(rows, np.int64(0), last, priority, unit)


@inner
def keep_best(rows, count, most, unit, priority):
    """Keep the `most` most important units in `rows[:count]`, with `unit` or without the least important of them.

    Their number is given back. Until there are `most` they stand as they came, then as a heap.
    """
    if count == most:
        if is_after(rows, np.int64(0), priority, unit):
            sift(rows, np.int64(0), count, priority, unit)
        return count
    rows[count].priority, rows[count].unit = priority, unit
    if count + 1 == most:
        heap_up(rows, most)
    return count + 1


@inner
def rank_running(s, f):
    """The running units by decreasing priority into `best`."""
    best, count = f.best, f.m[0].running
    for y in range(count):
        i = f.running[y]
        best[y].unit, best[y].priority = i, priority_of(flow_time(s, i), virtual_time(s, i))
    sort(best, count)
