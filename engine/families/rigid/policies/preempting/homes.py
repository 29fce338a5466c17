"""The processors of units that pause: a unit resumes where it ran. `homes` are added to the memory of a policy."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.processors import drop_ranges
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.workload.job import Workload


def homes(workload: Workload, lanes: int) -> dict[str, np.ndarray]:
    """Return `home`, the processors of all units one after the other, and `home_first`, where those of each begin."""
    room = np.minimum(workload.jobs["processors"], lanes)
    first = np.append(0, np.cumsum(room)).astype(np.int64)
    return {"home": np.zeros(int(first[-1]) + 1, np.int64), "home_first": first}


@inner
def keep_home(s, q, i):
    """Remember the processors of running unit `i`."""
    u, home, first = s.u[i], q.home, q.home_first[i]
    for y in range(u.procs):
        home[first + y] = s.hold[u.first + y]


@inner
def pick_home(s, q, i):
    """Pick the processors of unit `i` for its next `place`."""
    first = q.home_first[i]
    for y in range(s.u[i].procs):
        s.pick[y] = q.home[first + y]


@inner
def take_out(q, lo, hi):
    """Remove processors lo..hi, which are free, from the free ranges."""
    m, free = q.m[0], q.ranges
    low, high = 0, m.free_ranges
    while low < high:
        middle = (low + high) // 2
        if free[middle].hi < hi:
            low = middle + 1
        else:
            high = middle
    begin, end = free[low].lo, free[low].hi
    if begin == lo and end == hi:
        drop_ranges(q, low, 1)
    elif begin == lo:
        free[low].lo = hi + 1
    elif end == hi:
        free[low].hi = lo - 1
    else:
        for y in range(m.free_ranges, low, -1):
            free[y].lo, free[y].hi = free[y - 1].lo, free[y - 1].hi
        free[low].hi = lo - 1
        free[low + 1].lo = hi + 1
        m.free_ranges += 1


@inner
def take_home(s, q, i):
    """Remove the processors of unit `i`, which are all free, from the free ranges; `home` lists them ascending."""
    home, y = q.home, q.home_first[i]
    stop = y + s.u[i].procs
    while y < stop:
        lo = home[y]
        hi = lo
        y += 1
        while y < stop and home[y] == hi + 1:
            hi += 1
            y += 1
        take_out(q, lo, hi)
