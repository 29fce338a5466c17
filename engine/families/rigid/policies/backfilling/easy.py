"""EASY backfilling in any order: the first job that does not fit holds a reservation. Also: no backfilling at all."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.instant import drive_events, hold, start
from shadowtime.engine.families.rigid.policies.backfilling.queue import (
    candidate,
    compact,
    sort_backfill_order,
    sort_queue,
)
from shadowtime.engine.families.rigid.policies.running import expected_free, fits_now, free_processors, reserve_from
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.record import BACKFILL, note
from shadowtime.engine.kernel.state import FOREGROUND, NO_ROW, QUEUED


@inner
def start_heads(s, q):
    """Start jobs from the head of the queue while they fit."""
    m, y = q.m[0], 0
    while y < m.waiting and fits_now(s, q, s.u[q.queue[y]].procs):
        start(s, q, q.queue[y])
        y += 1
    if y > 0:
        compact(s, q)


@inner
def reserve_head(s, q):
    """Reserve for the head of the queue at the shadow time; return the extra processors there."""
    m, head = q.m[0], q.queue[0]
    free, row = expected_free(s, q)
    m.shadow = s.k[0].now
    extra = reserve_from(q, s.u[head].procs, free, row)
    if m.head != head and m.head != NO_ROW:
        q.begin[m.head] = np.nan
    m.head = head
    hold(q, head, m.shadow)
    return extra


@inner
def usable(s, q):
    """Return how many processors a backfilled job may take now."""
    free = free_processors(s)
    return min(free, expected_free(s, q)[0]) if q.m[0].one_by_one else free


@inner
def backfill(s, q):
    """Start, in the order of backfilling, jobs that end by the shadow time or fit into the extra processors."""
    m, now, head = q.m[0], s.k[0].now, q.queue[0]
    extra = reserve_head(s, q)
    free = usable(s, q)
    if free < m.smallest:
        return
    sort_backfill_order(s, q)
    started = False
    for y in range(m.waiting):
        i = candidate(q, y)
        size = s.u[i].procs
        if size > free or i == head:
            continue
        in_time = now + q.predicted[i] <= m.shadow
        if in_time or size <= extra:
            note(s, BACKFILL, i, FOREGROUND, head, m.shadow)
            start(s, q, i)
            started = True
            free -= size
            if not in_time:
                extra -= size
            if free < m.smallest:
                break
    if started:
        compact(s, q)


@inner
def is_idle_pass(s, q):
    """Return whether no waiting job fits and the head holds its reservation already: nothing can start."""
    m = q.m[0]
    if m.waiting == 0:
        return True
    if free_processors(s) >= m.smallest:
        return False
    return m.depth == 0 or (m.head != NO_ROW and s.u[m.head].state == QUEUED and (m.changes or m.head == q.queue[0]))


@inner
def begin_pass(s, q):
    """Start jobs from the head of the queue while they fit; return whether others may be backfilled."""
    if is_idle_pass(s, q):
        return False
    sort_queue(s, q)
    start_heads(s, q)
    return q.m[0].waiting > 0


@inner
def schedule(s, q):
    """Start jobs from the head of the queue while they fit, then backfill."""
    if begin_pass(s, q) and q.m[0].depth > 0:
        backfill(s, q)


@compiled
def run_easy(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive_events(s, q, schedule, budget)
