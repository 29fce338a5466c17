"""What is learned at ends, and the correction of predictions that were outlived."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.state import DOUBLE, GRADUAL
from shadowtime.engine.families.rigid.policies.running import add_row, forget_row
from shadowtime.engine.families.rigid.predictions import ACTUAL, LEAST, USER2
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.record import CORRECT, note
from shadowtime.engine.kernel.state import DONE, FOREGROUND, NO_ROW

HOUR = 3600.0
STEPS = (
    60.0, 300.0, 900.0, 1800.0, HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR, 50 * HOUR, 100 * HOUR
)  # fmt: skip
"""Extensions of gradual correction, one after the other [s]. Tsafrir, Etsion and Feitelson, TPDS 2007, section 5.1."""


@inner
def predict(s, q, i):
    """Return the predicted run time of waiting unit `i` [s]; never above its request."""
    u = s.u[i]
    if q.m[0].prediction == ACTUAL:
        return min(u.estimate, u.runtime)
    return min(u.estimate, q.guess[q.group[i]]) if q.group[i] >= 0 else u.estimate


@inner
def learn(s, q, i):
    """Learn from unit `i`, which has ended; predict the waiting jobs of its group again, 1 s at least."""
    m, g = q.m[0], q.group[i]
    if g < 0:
        return
    was = q.guess[g]
    guess = mean_of(q, g, s.u[i].runtime) if m.past > 0 else percentile_of(q, g, s.u[i].runtime)
    q.guess[g] = max(1.0, guess)
    if q.guess[g] == was:
        return
    for y in range(m.waiting):
        j = q.queue[y]
        if q.group[j] == g:
            length = predict(s, q, j)
            if length != q.predicted[j]:
                q.predicted[j] = length
                m.relearned = 1


@inner
def mean_of(q, g, runtime):
    """Return the mean of the last run times of group `g`, `runtime` included; infinity as long as they are too few."""
    m, first = q.m[0], q.offset[g]
    q.past[first + q.ended[g] % m.past] = runtime
    q.ended[g] += 1
    if q.ended[g] < m.past:
        return np.inf
    total = 0.0
    for y in range(q.ended[g], q.ended[g] + m.past):
        total += q.past[first + y % m.past]
    if m.prediction == USER2:
        return math.floor(total / 2.0)
    return total / m.past


@inner
def percentile_of(q, g, runtime):
    """Return the nearest-rank percentile of all run times of group `g`, `runtime` included."""
    first, count = q.offset[g], q.ended[g]
    place = first + count
    while place > first and q.past[place - 1] > runtime:
        q.past[place] = q.past[place - 1]
        place -= 1
    q.past[place] = runtime
    q.ended[g] = count + 1
    if count + 1 < LEAST:
        return np.inf
    rank = math.ceil(q.m[0].argument * (count + 1) / 100.0)  # in this order, 28 % of 25 is 7 and not 8
    return q.past[first + max(0, int(rank) - 1)]


@inner
def outlives(s, q, i):
    """Return whether running unit `i` outlives its predicted end, which is at or before now and before its limit.

    A unit that ended in this instant outlived it if it ran longer.
    """
    u, end = s.u[i], q.until[i]
    if end >= u.start + u.estimate:
        return False
    return u.state != DONE or end < u.start + u.runtime


@inner
def corrected(s, q, i):
    """Return the predicted end of unit `i` after one more correction; at most its limit."""
    m, u = q.m[0], s.u[i]
    limit = u.start + u.estimate
    fixes = q.fixes[i]
    q.fixes[i] = fixes + 1
    if m.correction == DOUBLE:
        return min(limit, u.start + 2.0 * (q.until[i] - u.start))
    if m.correction == GRADUAL and fixes < len(STEPS):
        return min(limit, q.until[i] + STEPS[fixes])
    return limit


@inner
def correct_outlived(s, q):
    """Move the predicted ends that running jobs have outlived; mark reservations as outdated."""
    m, busy, now = q.m[0], q.busy, s.k[0].now
    row = 0
    while row < m.running and busy[row].end <= now:
        i = busy[row].unit
        if not outlives(s, q, i):
            row += 1
            continue
        procs, serial = busy[row].procs, busy[row].serial
        forget_row(q, row)
        while q.until[i] <= now and outlives(s, q, i):
            q.until[i] = corrected(s, q, i)
        add_row(q, i, procs, q.until[i], serial)
        note(s, CORRECT, i, FOREGROUND, NO_ROW, q.until[i])
        m.outdated = 1
