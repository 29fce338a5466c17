"""EASY backfilling: later jobs may start earlier if they do not delay the reservation of the first job in the queue."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.fcfs import start_heads
from shadowtime.engine.families.rigid.policies.running import expected_free, free_processors, reserve_from
from shadowtime.engine.families.rigid.policies.steps import apply_events, start, waiting_from
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.record import BACKFILL, PROMISE, RESERVE, note
from shadowtime.engine.kernel.state import FOREGROUND


@inner
def reserve(s, q, size):
    """Set the shadow time of a job of `size` processors; return the extra processors at that instant."""
    free, row = expected_free(s, q)
    q.m[0].shadow = s.k[0].now
    return reserve_from(q, size, free, row)


@inner
def backfill(s, q):
    """Start, in submission order, jobs that end by the shadow time or fit into the extra processors."""
    m, now = q.m[0], s.k[0].now
    head = m.head
    extra = reserve(s, q, q.size[head])
    free = free_processors(s)
    if m.one_by_one:
        free = min(free, expected_free(s, q)[0])
    i = waiting_from(q, head + 1, free)
    while i < m.tail:
        size = q.size[i]
        in_time = now + s.u[i].estimate <= m.shadow
        if in_time or size <= extra:
            note(s, BACKFILL, i, FOREGROUND, head, m.shadow)
            start(s, q, i)
            free -= size
            if not in_time:
                extra -= size
        i = waiting_from(q, i + 1, free)


@inner
def schedule(s, q):
    """Start jobs from the head of the queue while they fit, then backfill."""
    start_heads(s, q)
    m = q.m[0]
    if m.head < m.tail:
        if free_processors(s) > 0:
            backfill(s, q)
        elif m.head != m.recorded_head:
            reserve(s, q, q.size[m.head])


@inner
def record_reservation(s, q, kind):
    """Record the reservation, PROMISE or PLAN, if it changed: at most once per instant, after all decisions."""
    m = q.m[0]
    if m.head < m.tail and (m.head != m.recorded_head or m.shadow != m.recorded_shadow):
        m.recorded_head, m.recorded_shadow = m.head, m.shadow
        note(s, RESERVE, m.head, FOREGROUND, kind, m.shadow)


@inner
def decide(s, q):
    """Schedule after the events of the instant, then record the reservation."""
    apply_events(s, q, schedule)
    record_reservation(s, q, PROMISE)


@compiled
def run_easy(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
