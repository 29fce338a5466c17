"""EASY backfilling with several reservations: of the first jobs that do not fit, and of jobs that waited too long."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.instant import drive_events, hold, start
from shadowtime.engine.families.rigid.policies.backfilling.profiles import can_start, earliest, insert, lay_running
from shadowtime.engine.families.rigid.policies.backfilling.queue import (
    candidate,
    compact,
    sort_backfill_order,
    sort_queue,
)
from shadowtime.engine.families.rigid.policies.running import free_processors
from shadowtime.engine.kernel.arrays import insert_sorted
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.record import BACKFILL, note
from shadowtime.engine.kernel.state import FOREGROUND, NO_ROW, QUEUED


@inner
def waits_freely(s, q, i):
    """Return whether unit `i` still waits, and without a reservation."""
    return s.u[i].state == QUEUED and math.isnan(q.begin[i])


@inner
def start_or_reserve(s, q, i):
    """Start unit `i` if it fits now, else reserve at the earliest; return whether it holds a reservation then."""
    m, begin = q.m[0], earliest(s, q, i)
    insert(s, q, i, begin)
    if begin <= s.k[0].now and s.u[i].procs <= free_processors(s):
        start(s, q, i)
        return False
    hold(q, i, begin)
    if m.head == NO_ROW:
        m.head, m.shadow = i, begin
    return True


@inner
def reserve_starved(s, q):
    """Start or reserve for the jobs that have waited for `reserve_after`, in submission order."""
    m, count = q.m[0], 0
    for y in range(m.waiting):
        i = q.queue[y]
        if s.k[0].now - s.u[i].release >= m.reserve_after:
            insert_sorted(q.line, count, i)
            count += 1
    for y in range(count):
        start_or_reserve(s, q, q.line[y])


@inner
def reserve_first(s, q):
    """Start or reserve for jobs in queue order, until `depth` of them hold reservations."""
    m, held, y = q.m[0], 0, 0
    while y < m.waiting and held < m.depth:
        i = q.queue[y]
        if waits_freely(s, q, i) and start_or_reserve(s, q, i):
            held += 1
        y += 1


@inner
def backfill(s, q):
    """Start, in the order of backfilling, what fits now without moving a reservation."""
    m, now = q.m[0], s.k[0].now
    sort_backfill_order(s, q)
    for y in range(m.waiting):
        if free_processors(s) < m.smallest:
            return
        i = candidate(q, y)
        if waits_freely(s, q, i) and can_start(s, q, i):
            note(s, BACKFILL, i, FOREGROUND, m.head, m.shadow)
            insert(s, q, i, now)
            start(s, q, i)


@inner
def schedule(s, q):
    """Drop all reservations and make them again, starting what fits; then backfill."""
    m = q.m[0]
    if m.waiting == 0:
        return
    for y in range(m.waiting):
        q.begin[q.queue[y]] = np.nan
    m.head = NO_ROW
    lay_running(s, q, q)
    sort_queue(s, q)
    if m.reserve_after > 0.0:
        reserve_starved(s, q)
    reserve_first(s, q)
    backfill(s, q)
    compact(s, q)
    m.moved = 1


@compiled
def run_deep(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive_events(s, q, schedule, budget)
