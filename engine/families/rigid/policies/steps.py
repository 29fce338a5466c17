"""Steps shared by FCFS and EASY: the queue in submission order, the start of a job, the events of an instant."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.processors import put_back_all
from shadowtime.engine.families.rigid.policies.running import earliest_started, fits_now, forget_row, occupy, row_of
from shadowtime.engine.families.rigid.policies.state import BLOCK, GONE
from shadowtime.engine.kernel.cache import expanded, inner
from shadowtime.engine.kernel.state import QUEUED


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
    """Remove unit `i` from the queue. No unit before `head` waits."""
    m, size, block = q.m[0], q.size[i], i // BLOCK
    q.size[i] = GONE
    if size > q.smallest[block]:
        return
    smallest = GONE
    for y in range(max(block * BLOCK, m.head), min((block + 1) * BLOCK, m.tail)):
        if q.size[y] == size:
            return
        smallest = min(smallest, q.size[y])
    q.smallest[block] = smallest


@inner
def waiting_from(q, i, most):
    """Return the first waiting unit from `i` on that needs at most `most` processors; `tail` if there is none."""
    tail = q.m[0].tail
    while i < tail:
        block = i // BLOCK
        after = (block + 1) * BLOCK
        if q.smallest[block] <= most:
            for y in range(i, min(after, tail)):
                if q.size[y] <= most:
                    return y
        i = after
    return tail


@inner
def has_head(q):
    """Return whether a job waits, and set `head` to the one submitted first."""
    m = q.m[0]
    m.head = waiting_from(q, m.head, GONE - 1)
    return m.head < m.tail


@inner
def fits(s, q, i):
    """Return whether unit `i` can start now."""
    return fits_now(s, q, q.size[i])


@inner
def start(s, q, i):
    """Start unit `i`, with expected end now + estimate."""
    dequeue(q, i)
    occupy(s, q, i, s.k[0].now + s.u[i].estimate)


# Inlined, since numba keeps no function in its cache that calls one which it got as an argument.
@expanded
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
        forget_row(q, row_of(q, s.ended[y]))
    for i in range(k.arrived_first, k.arrived_last):
        enqueue(s, q, i)
    schedule(s, q)
