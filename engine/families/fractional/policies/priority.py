"""Priority of a job: flow time over the square of virtual time (section 4.1)."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.sorting import heap_up
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
def heap_running(s, f):
    """Write the running units into `best`, as a heap whose root is the least important."""
    best, count = f.best, f.m[0].running
    for y in range(count):
        i = f.running[y]
        best[y].unit, best[y].priority = i, priority_of(flow_time(s, i), virtual_time(s, i))
    heap_up(best, count)
