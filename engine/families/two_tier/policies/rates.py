"""The progress law, as physics: rates follow from who sits where (section 2 of the specification).

    in front, nobody behind            1
    in front, somebody behind          1 - loss
    behind, nobody in front            1
    behind, usage v in front           min((1 - v) phi, u) / u

A job progresses at the rate of its slowest process. Only the neighbours of processors that changed in this
instant are rated anew.
"""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import BACKGROUND, RUNNING
from shadowtime.engine.kernel.vocabulary import rerate


@inner
def background_rate(front, phi, usage):
    """Progress per second of a background process of `usage` beside a foreground process of usage `front`."""
    return min((1.0 - front) * phi, usage) / usage


@inner
def rate_in_front(s, t, i):
    """Rate of a foreground job: its loss applies while any of its processors has somebody behind."""
    u, lanes, hold = s.u[i], s.lane, s.hold
    if t.m[0].loss_always:
        return 1.0 - t.j[i].loss
    for y in range(u.first, u.first + u.procs):
        if lanes[hold[y]].count1 > 0:
            return 1.0 - t.j[i].loss
    return 1.0


@inner
def rate_behind(s, t, i):
    """Rate of a background job: that of its slowest process."""
    u, lanes, hold, seats = s.u[i], s.lane, s.hold, t.seat
    slowest = 1.0
    for y in range(u.first, u.first + u.procs):
        lane = hold[y]
        if lanes[lane].count0 > 0:
            seat = seats[lane]
            slowest = min(slowest, background_rate(seat.front, seat.phi, seat.back))
    return slowest


@inner
def rate_anew(s, t, i):
    """Re-rate unit `i`, once per instant."""
    job = t.j[i]
    if job.stamp == s.k[0].decisions or s.u[i].state != RUNNING:
        return
    job.stamp = s.k[0].decisions
    if s.u[i].tier == BACKGROUND:
        rerate(s, i, rate_behind(s, t, i), 1.0)
    else:
        rerate(s, i, rate_in_front(s, t, i), 1.0)


@inner
def two_tier_rates(s, t):
    """Re-rate the units on the processors that changed in this instant."""
    lanes, dirty = s.lane, s.dirty
    for y in range(s.k[0].dirty):
        lane = lanes[dirty[y]]
        if lane.count0 == 1:
            rate_anew(s, t, lane.owner0 - 1)
        if lane.count1 == 1:
            rate_anew(s, t, lane.owner1 - 1)
