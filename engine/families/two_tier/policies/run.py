"""The compiled run of KEASY, REASY and MEASY, and rates of progress, which follow from processes on one processor.

    foreground, no background process             1
    foreground, with a background process         1 - loss
    background, no foreground process             1
    background, foreground process of usage v     min((1 - v) phi, u) / u

A job progresses at the rate of its slowest process. Only units on processors that changed at this instant are updated.
"""

from __future__ import annotations

from shadowtime.engine.families.two_tier.policies.steps import decide
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive
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
        if lanes[hold[y]].count0 > 0:
            seat = seats[hold[y]]
            slowest = min(slowest, background_rate(seat.front, seat.phi, seat.back))
    return slowest


@inner
def update_rate(s, t, i):
    """Update the rate of unit `i`, once per instant."""
    job = t.j[i]
    if job.stamp != s.k[0].decisions and s.u[i].state == RUNNING:
        job.stamp = s.k[0].decisions
        rerate(s, i, rate_behind(s, t, i) if s.u[i].tier == BACKGROUND else rate_in_front(s, t, i), 1.0)


@inner
def two_tier_rates(s, t):
    """Update the rates of the units on the processors that changed at this instant."""
    for y in range(s.k[0].dirty):
        lane = s.lane[s.dirty[y]]
        if lane.count0 == 1:
            update_rate(s, t, lane.owner0 - 1)
        if lane.count1 == 1:
            update_rate(s, t, lane.owner1 - 1)


@compiled
def run_two_tier(s, t, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, t, decide, two_tier_rates, budget)
