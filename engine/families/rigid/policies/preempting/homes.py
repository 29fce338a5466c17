"""The processors of units that pause: a unit resumes where it ran. `homes` are added to the memory of a policy."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.processors import add_range, after_neighbours, drop_ranges, range_from
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
    free, at = q.ranges, range_from(q, lo + 1) - 1
    begin, end = free[at].lo, free[at].hi
    if begin == lo and end == hi:
        drop_ranges(q, at, 1)
    elif begin == lo:
        free[at].lo = hi + 1
    else:
        free[at].hi = lo - 1
        if end > hi:
            add_range(q, at + 1, hi + 1, end)


@inner
def take_home(s, q, i):
    """Remove the processors of unit `i`, which are all free, from the free ranges; `home` lists them ascending."""
    home, y = q.home, q.home_first[i]
    stop = y + s.u[i].procs
    while y < stop:
        after = after_neighbours(home, y, stop)
        take_out(q, home[y], home[after - 1])
        y = after
