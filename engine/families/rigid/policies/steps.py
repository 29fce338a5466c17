"""Steps shared by FCFS and EASY: the queue, the running jobs by expected end, the start of a job.

A running job whose expected end has passed counts as free for reservations; a start needs processors that are
actually free.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.processors import pick_first_fit, pick_highest, put_back_all
from shadowtime.engine.families.rigid.policies.state import BLOCK, GONE
from shadowtime.engine.kernel.cache import inner, njit
from shadowtime.engine.kernel.state import DONE, FOREGROUND, QUEUED
from shadowtime.engine.kernel.vocabulary import place


@inner
def enqueue(s, q, i):
    """Add unit `i`, just submitted, to the queue."""
    q.m[0].tail = i + 1
    if s.u[i].state == QUEUED:
        size = s.u[i].procs
        q.size[i] = size
        block = i // BLOCK
        q.smallest[block] = min(q.smallest[block], size)


@inner
def dequeue(q, i):
    """Remove unit `i` from the queue."""
    size, block = q.size[i], i // BLOCK
    q.size[i] = GONE
    if size == q.smallest[block]:
        smallest = GONE
        for y in range(block * BLOCK, min((block + 1) * BLOCK, q.m[0].tail)):
            smallest = min(smallest, q.size[y])
        q.smallest[block] = smallest


@inner
def waiting_from(q, i, most):
    """Return the first waiting unit from `i` on that needs at most `most` processors; `tail` if there is none."""
    tail = q.m[0].tail
    while i < tail:
        if i % BLOCK == 0 and q.smallest[i // BLOCK] > most:
            i += BLOCK
        elif q.size[i] <= most:
            return i
        else:
            i += 1
    return tail


@inner
def has_head(q):
    """Return whether a job waits, and set `head` to the one submitted first."""
    m = q.m[0]
    m.head = waiting_from(q, m.head, GONE - 1)
    return m.head < m.tail


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
def fits(s, q, i):
    """Return whether unit `i` can start now."""
    size = q.size[i]
    return size <= free_processors(s) and (q.m[0].one_by_one == 0 or size <= expected_free(s, q)[0])


@inner
def start(s, q, i):
    """Start unit `i`, with expected end now + estimate."""
    m, busy, u = q.m[0], q.busy, s.u[i]
    dequeue(q, i)
    if m.from_top:
        pick_highest(s, q, u.procs)
    else:
        pick_first_fit(s, q, u.procs)
    place(s, i, FOREGROUND, 1.0, 1.0, 0.0)
    end = s.k[0].now + u.estimate
    at = m.running
    while at > 0 and busy[at - 1].end > end:
        busy[at].end, busy[at].unit = busy[at - 1].end, busy[at - 1].unit
        busy[at].procs, busy[at].serial = busy[at - 1].procs, busy[at - 1].serial
        at -= 1
    busy[at].end, busy[at].unit, busy[at].procs, busy[at].serial = end, i, u.procs, m.serial
    m.running += 1
    m.occupied += u.procs
    m.serial += 1


@inner
def row_of(s, q, i):
    """Return the row of running unit `i`: bisection to its expected end, then a scan of the ties."""
    m, busy = q.m[0], q.busy
    end = s.u[i].start + s.u[i].estimate
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
    for y in range(at, m.running - 1):
        busy[y].end, busy[y].unit = busy[y + 1].end, busy[y + 1].unit
        busy[y].procs, busy[y].serial = busy[y + 1].procs, busy[y + 1].serial
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


# Inlined, since numba keeps no function in its cache that calls one which it got as an argument.
@njit(inline="always")
def apply_events(s, q, schedule):
    """Apply the ends and submissions of the instant and call `schedule(s, q)`: once, or after each event.

    Per event, submissions come first, then ends in the order of their starts (`event_order=submissions-first`).
    """
    k = s.k[0]
    for y in range(k.ended):
        put_back_all(s, q, s.ended[y])
    if q.m[0].one_by_one:
        for i in range(k.arrived_first, k.arrived_last):
            enqueue(s, q, i)
            schedule(s, q)
        for _ in range(k.ended):
            forget_row(q, earliest_started(s, q))
            schedule(s, q)
        return
    for y in range(k.ended):
        forget_row(q, row_of(s, q, s.ended[y]))
    for i in range(k.arrived_first, k.arrived_last):
        enqueue(s, q, i)
    schedule(s, q)
