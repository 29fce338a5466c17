"""Steps on the availability profile of running jobs and reservations."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.running import free_processors
from shadowtime.engine.kernel import profile
from shadowtime.engine.kernel.cache import inner


@inner
def lay_running(s, q, p):
    """Rebuild profile `p` from the running jobs alone. Jobs past their expected end are not in it. O(running)."""
    m, busy, now = q.m[0], q.busy, s.k[0].now
    row, free = 0, s.k[0].lanes - m.occupied
    while row < m.running and busy[row].end <= now:
        free += busy[row].procs
        row += 1
    p.at[0], p.free[0] = now, free
    last = 0
    while row < m.running:
        free += busy[row].procs
        if busy[row].end > p.at[last]:
            last += 1
            p.at[last] = busy[row].end
        p.free[last] = free
        row += 1
    p.span[0], p.span[1] = 0, last + 1


@inner
def earliest(s, q, i):
    """Return the earliest start of unit `i` by the profile [s]."""
    return profile.earliest(q, s.k[0].now, (s.u[i].procs,), q.predicted[i], np.inf)


@inner
def can_start(s, q, i):
    """Return whether unit `i` can start now, by the profile and on processors that are actually free."""
    return s.u[i].procs <= free_processors(s) and earliest(s, q, i) <= s.k[0].now


@inner
def insert(s, q, i, begin):
    """Put unit `i` into the profile from `begin` on."""
    profile.insert(q, begin, begin + q.predicted[i], (s.u[i].procs,))
