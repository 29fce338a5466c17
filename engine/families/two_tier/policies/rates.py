"""Rates of progress of two-tier jobs, which follow from the processes that share a processor.

    foreground, no background process             1
    foreground, with a background process         1 - loss
    background, no foreground process             1
    background, foreground process of usage v     min((1 - v) phi, u) / u

A job progresses at the rate of its slowest process. Only units on processors that changed at this instant are updated.
"""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import BACKGROUND, RUNNING
from shadowtime.engine.kernel.vocabulary import rerate


@inner
def background_rate(front, phi, usage):
    """Return the rate of a background process of `usage` beside a foreground process of usage `front`."""
    return min((1.0 - front) * phi, usage) / usage


@inner
def rate_in_front(s, t, i):
    """Return the rate of a foreground job; its loss applies while any of its processors has a background process."""
    u, lanes, hold = s.u[i], s.lane, s.hold
    if t.m[0].loss_always:
        return 1.0 - t.j[i].loss
    for y in range(u.first, u.first + u.procs):
        if lanes[hold[y]].count1 > 0:
            return 1.0 - t.j[i].loss
    return 1.0


@inner
def rate_behind(s, t, i):
    """Return the rate of a background job: that of its slowest process."""
    u, lanes, hold, seats = s.u[i], s.lane, s.hold, t.seat
    slowest = 1.0
    for y in range(u.first, u.first + u.procs):
        lane = hold[y]
        if lanes[lane].count0 > 0:
            seat = seats[lane]
            slowest = min(slowest, background_rate(seat.front, seat.phi, seat.back))
    return slowest


@inner
def update_rate(s, t, i):
    """Update the rate of unit `i`, once per instant."""
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
    """Update the rates of the units on the processors that changed at this instant."""
    lanes, dirty = s.lane, s.dirty
    for y in range(s.k[0].dirty):
        lane = lanes[dirty[y]]
        if lane.count0 == 1:
            update_rate(s, t, lane.owner0 - 1)
        if lane.count1 == 1:
            update_rate(s, t, lane.owner1 - 1)
