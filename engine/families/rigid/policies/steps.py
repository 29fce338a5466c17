"""Steps shared by FCFS and EASY: the queue, the running jobs by expected end, starting.

A running job whose expected end is now or past is not expected to hold processors any more; a start also
needs processors that are free in fact.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.processors import pick_first_fit, pick_highest, put_back_all
from shadowtime.engine.families.rigid.policies.state import BLOCK, GONE
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import DONE, FOREGROUND, QUEUED
from shadowtime.engine.kernel.vocabulary import place


@inner
def enqueue(s, q, i):
    """Let unit `i`, just submitted, wait."""
    q.m[0].tail = i + 1
    if s.u[i].state == QUEUED:
        size = s.u[i].procs
        q.size[i] = size
        block = i // BLOCK
        q.smallest[block] = min(q.smallest[block], size)


@inner
def dequeue(q, i):
    """Unit `i` waits no more."""
    size, block = q.size[i], i // BLOCK
    q.size[i] = GONE
    if size == q.smallest[block]:
        smallest = GONE
        for y in range(block * BLOCK, min((block + 1) * BLOCK, q.m[0].tail)):
            smallest = min(smallest, q.size[y])
        q.smallest[block] = smallest


@inner
def waiting_from(q, i, most):
    """The first unit from `i` on that waits and asks for at most `most` processors; `tail` when there is none."""
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
    """Whether a job waits; `head` is then the one submitted first."""
    m = q.m[0]
    m.head = waiting_from(q, m.head, GONE - 1)
    return m.head < m.tail


@inner
def free_processors(s):
    """Processors that are free in fact."""
    return s.k[0].lanes - s.k[0].held


@inner
def expected_free(s, q):
    """Processors expected to be free now: those of jobs past their expected end count as free."""
    m, busy, now = q.m[0], q.busy, s.k[0].now
    free = s.k[0].lanes - m.occupied
    row = 0
    while row < m.running and busy[row].end <= now:
        free += busy[row].procs
        row += 1
    return free


@inner
def fits(s, q, i):
    """Whether unit `i` can start now."""
    size = q.size[i]
    return size <= free_processors(s) and (q.m[0].one_by_one == 0 or size <= expected_free(s, q))


@inner
def start(s, q, i):
    """Start unit `i` and expect its end at now + estimate."""
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
    """The row of running unit `i`: bisection to its expected end, then along the ties."""
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
    """A running job ended: its processors are expected free."""
    m, busy = q.m[0], q.busy
    m.occupied -= busy[at].procs
    for y in range(at, m.running - 1):
        busy[y].end, busy[y].unit = busy[y + 1].end, busy[y + 1].unit
        busy[y].procs, busy[y].serial = busy[y + 1].procs, busy[y + 1].serial
    m.running -= 1


@inner
def take_back(s, q):
    """Put the processors of all units that ended in this instant back; they are free in fact."""
    for y in range(s.k[0].ended):
        put_back_all(s, q, s.ended[y])


@inner
def earliest_started(s, q):
    """The row, among units that ended in this instant and are not yet forgotten, of the one started first."""
    m, busy = q.m[0], q.busy
    best, best_row = np.int64(GONE), np.int64(-1)
    for row in range(m.running):
        if s.u[busy[row].unit].state == DONE and busy[row].serial < best:
            best, best_row = busy[row].serial, np.int64(row)
    return best_row
