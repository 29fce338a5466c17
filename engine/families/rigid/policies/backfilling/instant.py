"""What an instant brings to a backfilling policy: corrections, submissions, ends; and its record of reservations."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.predicting import correct_outlived, learn
from shadowtime.engine.families.rigid.policies.backfilling.queue import enqueue
from shadowtime.engine.families.rigid.policies.processors import put_back_all
from shadowtime.engine.families.rigid.policies.running import earliest_started, forget_row, occupy
from shadowtime.engine.kernel import profile
from shadowtime.engine.kernel.cache import expanded, inner
from shadowtime.engine.kernel.loop import DECIDE, SPENT, step
from shadowtime.engine.kernel.record import PLAN, PROMISE, RESERVE, UNRESERVE, note
from shadowtime.engine.kernel.state import FOREGROUND, NO_ROW, QUEUED


@inner
def apply_end(s, q, row):
    """Remove the job in `row` of `busy`, which has ended: its slot of the profile too. Learn its run time."""
    m, i = q.m[0], q.busy[row].unit
    if m.keeps_profile and m.outdated == 0:
        profile.remove(q, s.k[0].now, q.until[i], (s.u[i].procs,))
    forget_row(q, row)
    learn(s, q, i)
    m.left = 1


# Inlined, since numba keeps no function in its cache that calls one which it got as an argument.
@expanded
def apply_events(s, q, decide):
    """Apply the events of the instant and call `decide(s, q)`: once, or after each event, submissions first.

    Predictions that were outlived are corrected before all, without a decision; ends follow in the order of the starts.
    """
    k = s.k[0]
    correct_outlived(s, q)
    for y in range(k.ended):
        put_back_all(s, q, s.ended[y])
    if q.m[0].one_by_one:
        for i in range(k.arrived_first, k.arrived_last):
            enqueue(s, q, i)
            decide(s, q)
        for _ in range(k.ended):
            apply_end(s, q, earliest_started(s, q))
            decide(s, q)
    else:
        for _ in range(k.ended):
            apply_end(s, q, earliest_started(s, q))
        for i in range(k.arrived_first, k.arrived_last):
            enqueue(s, q, i)
        decide(s, q)
    record_reservations(s, q)


@expanded
def drive_events(s, q, decide, budget):
    """Advance the run by about `budget` acts, with `apply_events` at each instant; True while there is more to do."""
    stop = s.k[0].acts + budget
    found = step(s, stop)
    while found == DECIDE:
        apply_events(s, q, decide)
        found = step(s, stop)
    return found == SPENT


@inner
def start(s, q, i):
    """Start waiting unit `i`, with its predicted end; `compact` removes it from the queue."""
    q.begin[i] = np.nan
    occupy(s, q, i, s.k[0].now + q.predicted[i])


@inner
def hold(q, i, begin):
    """Set the reservation of waiting unit `i`."""
    m = q.m[0]
    if q.listed[i] == 0:
        q.listed[i] = 1
        q.holder[m.holders] = i
        m.holders += 1
    q.begin[i], q.reserved[i] = begin, q.predicted[i]
    m.moved = 1


@inner
def record_reservations(s, q):
    """Record the reservations that changed in this instant: once, as they are after all decisions."""
    m = q.m[0]
    if m.moved == 0:
        return
    m.moved = 0
    kept = 0
    for y in range(m.holders):
        i = q.holder[y]
        if s.u[i].state != QUEUED or math.isnan(q.begin[i]):
            if s.u[i].state == QUEUED and not math.isnan(q.recorded[i]):
                note(s, UNRESERVE, i, FOREGROUND, NO_ROW, np.nan)
            q.recorded[i], q.listed[i] = np.nan, 0
            continue
        if q.begin[i] != q.recorded[i]:
            note(s, RESERVE, i, FOREGROUND, PROMISE if m.promises else PLAN, q.begin[i])
            q.recorded[i] = q.begin[i]
        q.holder[kept] = i
        kept += 1
    m.holders = kept
