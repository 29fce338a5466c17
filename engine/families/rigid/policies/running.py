"""The running jobs of a policy, by expected end, and the processors that they hold.

A running job whose expected end has passed counts as free for reservations; a start needs processors that are
actually free.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.processors import pick_first_fit, pick_highest
from shadowtime.engine.families.rigid.policies.state import GONE
from shadowtime.engine.kernel.arrays import shift
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import DONE, FOREGROUND
from shadowtime.engine.kernel.vocabulary import place


@inner
def free_processors(s):
    """Return the number of processors that are actually free."""
    return s.k[0].lanes - s.k[0].held


@inner
def expected_free(s, q):
    """Return the number of processors expected to be free, and of the rows of jobs past their end, which count so."""
    m, busy, now = q.m[0], q.busy, s.k[0].now
    free = s.k[0].lanes - m.occupied
    row = 0
    while row < m.running and busy[row].end <= now:
        free += busy[row].procs
        row += 1
    return free, row


@inner
def reserve_from(q, size, free, row):
    """Move the shadow time to the earliest instant at which `size` processors are expected to be free; return the
    extra processors at that instant.

    `free`: processors that are free without the jobs from `row` of `busy` on. `extra=all` counts every job expected to
    end by the shadow time; `extra=first` stops at the job that completes the sum.
    """
    m, busy = q.m[0], q.busy
    while free < size and row < m.running:
        free += busy[row].procs
        m.shadow = busy[row].end
        row += 1
    if m.all_extra:
        while row < m.running and busy[row].end <= m.shadow:
            free += busy[row].procs
            row += 1
    return free - size


@inner
def fits_now(s, q, size):
    """Return whether `size` processors are free now: actually, and with one decision per event as expected too."""
    return size <= free_processors(s) and (q.m[0].one_by_one == 0 or size <= expected_free(s, q)[0])


@inner
def occupy(s, q, i, end):
    """Start unit `i`, with expected end `end`."""
    m, u = q.m[0], s.u[i]
    if m.from_top:
        pick_highest(s, q, u.procs)
    else:
        pick_first_fit(s, q, u.procs)
    place(s, i, FOREGROUND, 1.0, 1.0, 0.0)
    add_row(q, i, u.procs, end, m.serial)
    m.serial += 1


@inner
def add_row(q, i, procs, end, serial):
    """Add unit `i` to the running jobs, after rows with the same end that started earlier."""
    m, busy = q.m[0], q.busy
    at = m.running
    while at > 0 and (busy[at - 1].end > end or (busy[at - 1].end == end and busy[at - 1].serial > serial)):
        busy[at] = busy[at - 1]
        at -= 1
    busy[at].end, busy[at].unit, busy[at].procs, busy[at].serial = end, i, procs, serial
    q.until[i] = end
    m.running += 1
    m.occupied += procs


@inner
def row_of(q, i):
    """Return the row of running unit `i`: bisection to its expected end, then a scan of the ties."""
    m, busy, end = q.m[0], q.busy, q.until[i]
    low, high = 0, m.running
    while low < high:
        middle = (low + high) // 2
        if busy[middle].end < end:
            low = middle + 1
        else:
            high = middle
    while busy[low].unit != i:
        low += 1
    return low


@inner
def forget_row(q, at):
    """Remove row `at`, whose job has ended, from the running jobs."""
    m, busy = q.m[0], q.busy
    m.occupied -= busy[at].procs
    shift(busy, at + 1, m.running, 1)
    m.running -= 1


@inner
def earliest_started(s, q):
    """Return the row of the unit that started first, among units that ended at this instant and still have a row."""
    m, busy = q.m[0], q.busy
    best, best_row = np.int64(GONE), np.int64(-1)
    for row in range(m.running):
        if s.u[busy[row].unit].state == DONE and busy[row].serial < best:
            best, best_row = busy[row].serial, np.int64(row)
    return best_row
