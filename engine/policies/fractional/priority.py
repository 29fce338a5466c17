"""Who is more important: flow time over the square of virtual time (section 4.1)."""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner
from engine.kernel.state import RUNNING

SPLIT = 2.0**20 + 1.0


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
def weigh_running(s, f, units):
    """Write the running units into `units` and set their priorities as they are now."""
    for y in range(f.m[0].running):
        i = f.running[y]
        units[y] = i
        f.j[i].priority = priority_of(flow_time(s, i), virtual_time(s, i))


@inner
def after(j, a, b):
    """Whether unit `a` is less important than `b`; of equals the one submitted later."""
    if j[a].priority != j[b].priority:
        return j[a].priority < j[b].priority
    return a > b


@inner
def sift(j, units, at, count):
    """Let the unit at `at` sink in a heap whose root is the least important."""
    unit = units[at]
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and after(j, units[child + 1], units[child]):
            child += 1
        if not after(j, units[child], unit):
            break
        units[at] = units[child]
        at = child
    units[at] = unit


@inner
def sort(j, units, count):
    """Order `units[:count]` by decreasing priority, whatever their order was: a heap sort."""
    for at in range(count // 2 - 1, -1, -1):
        sift(j, units, at, count)
    for last in range(count - 1, 0, -1):
        units[0], units[last] = units[last], units[0]
        sift(j, units, np.int64(0), last)
