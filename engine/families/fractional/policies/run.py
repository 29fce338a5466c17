"""The compiled run of a fractional variant; the order within an instant: completions, submissions, period, yields.

Yields are updated at every instant, even if no mapping rule applies: freed CPU is used at once. Periods are at k T,
k = 0, 1, 2, ... of the workload's own clock; nothing happens while no job is in the system.
"""

from __future__ import annotations

import math

from shadowtime.engine.families.fractional.policies.greedy import greedy_all
from shadowtime.engine.families.fractional.policies.mcb8 import repack
from shadowtime.engine.families.fractional.policies.present import admit, forget_ended
from shadowtime.engine.families.fractional.policies.room import submit
from shadowtime.engine.families.fractional.policies.shares import share_out
from shadowtime.engine.families.fractional.policies.state import GREEDY, MCB8, NOTHING
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import QUEUED
from shadowtime.engine.kernel.vocabulary import wake


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
        admit(s, f, i)
        if m.submission != NOTHING and m.submission != MCB8 and s.u[i].state == QUEUED:
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
    share_out(s, f)


@compiled
def run_fractional(s, f, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive(s, f, decide, nothing, budget)
