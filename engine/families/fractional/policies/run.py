"""The compiled run of a fractional variant; the order within an instant: completions, submissions, period, yields.

These rules plan a placement; what differs from the one before the instant is carried out once, before yields are set.

Yields are updated at every instant, even if no mapping rule applies: freed CPU is used at once. The yield of a job is
its rate, and yield times need its share of a node. Periods are at k T, k = 0, 1, 2, ... of the workload's own clock;
nothing happens while no job is in the system.
"""

from __future__ import annotations

import math

from shadowtime.engine.families.fractional.policies.averaging import average
from shadowtime.engine.families.fractional.policies.filling import fill
from shadowtime.engine.families.fractional.policies.greedy import greedy_all
from shadowtime.engine.families.fractional.policies.mcb8 import repack
from shadowtime.engine.families.fractional.policies.nodes import forget_ended, wait
from shadowtime.engine.families.fractional.policies.plan import carry_out
from shadowtime.engine.families.fractional.policies.priority import flow_time, virtual_time
from shadowtime.engine.families.fractional.policies.room import submit
from shadowtime.engine.families.fractional.policies.state import AVG, GREEDY, MCB8, NOTHING, STRETCH_PER
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.errors import FULL, fail
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import NO_ROW, QUEUED
from shadowtime.engine.kernel.vocabulary import rerate, wake


@inner
def complete(s, f):
    """Apply the rule on completion, once for all completions of the instant; return whether to repack all jobs."""
    forget_ended(s, f)
    if s.k[0].ended > 0 and f.m[0].completion == GREEDY:
        greedy_all(s, f)
    return s.k[0].ended > 0 and f.m[0].completion == MCB8


@inner
def submit_all(s, f):
    """Place new jobs by the greedy rule, in order of submission; return whether to repack all jobs afterwards."""
    m, k = f.m[0], s.k[0]
    for i in range(k.arrived_first, k.arrived_last):
        if s.u[i].state == QUEUED:
            wait(s, f, i)
            if m.submission != NOTHING and m.submission != MCB8:
                submit(s, f, i)
    return k.arrived_last > k.arrived_first and m.submission == MCB8


@inner
def since_period(s, f):
    """Seconds from the last period before the kernel's origin to now: periods count from the workload's second 0."""
    return s.k[0].now + s.k[0].origin % f.m[0].period


@inner
def is_period(s, f):
    """Return whether a period is at this instant: by its alarm, or by jobs that arrive then in an empty system."""
    now, period = since_period(s, f), f.m[0].period
    return s.k[0].alarm > 0 or now == math.floor(now / period + 0.5) * period


@inner
def wait_for_period(s, f, now_is_one):
    """Set the alarm of the next period, unless the system is empty or the alarm is already set."""
    m, now = f.m[0], since_period(s, f)
    if m.waiting + m.running == 0:
        return
    after = math.floor(now / m.period + (0.5 if now_is_one else 0.0)) + 1.0
    at = after * m.period
    if at <= now:  # the division was rounded down
        at = (after + 1.0) * m.period
    if at > m.next_period:
        m.next_period = at
        wake(s, at - s.k[0].origin % m.period)


@inner
def gather(s, f):
    """Write a row for each running job: how its yield grows with the level. Jobs under penalty keep their share."""
    m = f.m[0]
    m.rows = 0
    for y in range(m.running):
        i = f.running[y]
        u = s.u[i]
        row = f.row[m.rows]
        row.unit, row.first, row.tasks, row.need = i, u.first, u.procs, u.need
        row.grow, row.base, row.low, row.high = 1.0, 0.0, 0.0, 1.0
        if m.periodic == STRETCH_PER:
            virtual, flow = virtual_time(s, i), flow_time(s, i) + m.period
            row.grow, row.base = flow / m.period, virtual / m.period
            row.low, row.high = virtual / flow, (virtual + m.period) / flow
        m.rows += 1


@inner
def share_out(s, f):
    """Compute the yields of all running jobs and set them in the kernel."""
    gather(s, f)
    m = f.m[0]
    fill(f, s.hold)
    if m.optimum == AVG and not average(f, m.periodic == STRETCH_PER):
        fail(s, FULL, NO_ROW, NO_ROW, float(len(f.table)))
    for r in range(m.rows):
        row = f.row[r]
        rerate(s, row.unit, row.yield_, row.yield_ * row.need)


@inner
def decide(s, f):
    """Decide at one instant; a single call of `repack` halves the time to compile."""
    now_is_one = False
    for step in range(3):
        if step == 0:
            needed = complete(s, f)
        elif step == 1:
            needed = submit_all(s, f)
        else:
            needed = now_is_one = f.m[0].periodic != NOTHING and is_period(s, f)
        if needed:
            repack(s, f)
    if f.m[0].periodic != NOTHING:
        wait_for_period(s, f, now_is_one)
    carry_out(s, f)
    share_out(s, f)


@compiled
def run_fractional(s, f, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, f, decide, nothing, budget)
