"""Slack-based backfilling: a job may delay reservations, but none beyond the promise made at submission.

D. Talby and D. G. Feitelson, Supporting priorities and improving utilization of the IBM SP scheduler using
slack-based backfilling, IPPS 1999. There the slack follows from priorities and the mean wait; here it is a factor of
the job's own request.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.conservative import start_due, update
from shadowtime.engine.families.rigid.policies.backfilling.instant import drive_events, hold, start
from shadowtime.engine.families.rigid.policies.backfilling.profiles import insert, lay_running
from shadowtime.engine.families.rigid.policies.backfilling.queue import candidate, compact, sort_backfill_order
from shadowtime.engine.families.rigid.policies.running import expected_free, free_processors
from shadowtime.engine.kernel import profile
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.profile import Profile
from shadowtime.engine.kernel.record import BACKFILL, note
from shadowtime.engine.kernel.state import FOREGROUND, NO_ROW, QUEUED


@inner
def sort_by_reservation(q):
    """Write the waiting units into `line`, by reservation, then submission."""
    m = q.m[0]
    for y in range(m.waiting):
        i, at = q.queue[y], y
        while at > 0:
            j = q.line[at - 1]
            if q.begin[j] < q.begin[i] or (q.begin[j] == q.begin[i] and j < i):
                break
            q.line[at] = j
            at -= 1
        q.line[at] = i


@inner
def promises_hold(s, q, first):
    """Return whether all promises hold if unit `first` starts now; the new reservations are in `found`."""
    m, now = q.m[0], s.k[0].now
    trial = Profile(q.span2, q.at2, q.free2)
    lay_running(s, q, trial)
    profile.insert(trial, now, now + q.predicted[first], (s.u[first].procs,))
    for y in range(m.waiting):
        i = q.line[y]
        if i == first:
            continue
        size, length = (s.u[i].procs,), q.predicted[i]
        begin = profile.earliest(trial, now, size, length, np.inf)
        if begin > max(q.promise[i], q.begin[i]):
            return False
        profile.insert(trial, begin, begin + length, size)
        q.found[i] = begin
    return True


@inner
def adopt_found(s, q):
    """Replace the reservations by those in `found`."""
    m = q.m[0]
    lay_running(s, q, q)
    for y in range(m.waiting):
        i = q.line[y]
        if s.u[i].state == QUEUED:
            insert(s, q, i, q.found[i])
            hold(q, i, q.found[i])
    compact(s, q)


@inner
def use_slack(s, q):
    """Start jobs early, in the order of backfilling, as long as all promises hold."""
    m = q.m[0]
    sort_backfill_order(s, q)
    y = 0
    count = m.waiting
    for x in range(count):
        q.tried[x] = candidate(q, x)
    sort_by_reservation(q)
    while y < count and free_processors(s) >= m.smallest:
        i = q.tried[y]
        y += 1
        size = s.u[i].procs
        if s.u[i].state != QUEUED or size > free_processors(s) or size > expected_free(s, q)[0]:
            continue
        if promises_hold(s, q, i):
            note(s, BACKFILL, i, FOREGROUND, NO_ROW, q.begin[i])
            start(s, q, i)
            adopt_found(s, q)
            start_due(s, q)
            sort_by_reservation(q)


@inner
def schedule(s, q):
    """Start the jobs whose reservation is due, then others as far as slack allows."""
    update(s, q)
    start_due(s, q)
    if q.m[0].waiting > 0:
        use_slack(s, q)


@compiled
def run_slack(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive_events(s, q, schedule, budget)
