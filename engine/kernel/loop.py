"""From instant to instant: completions, then submissions, then alarms; one decision; one settlement."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.arrays import insert_sorted
from shadowtime.engine.kernel.cache import compiled, expanded, inner
from shadowtime.engine.kernel.clock import TIE
from shadowtime.engine.kernel.errors import OVERFULL, STALLED, fail
from shadowtime.engine.kernel.heap import next_prediction, pop, push, tidy
from shadowtime.engine.kernel.lanes import LEAVE, give_block, seat
from shadowtime.engine.kernel.record import END, RUN, close, note, note_rate
from shadowtime.engine.kernel.state import DONE, FUTURE, NO_ROW, QUEUED, REJECTED, RUNNING

MOST = 1.0 + 1e-9
"""A lane holds shares and memory up to 1; sums of fractions round."""


@inner
def complete(s, i):
    """End unit `i` now: its work is done."""
    u, k = s.u[i], s.k[0]
    close(s, i, RUN)
    seat(s, i, LEAVE)
    give_block(s, i)
    u.remaining, u.rate = 0.0, 0.0
    u.state, u.end, u.since = DONE, k.now, k.now
    k.running -= 1
    k.unfinished -= 1
    k.acts += 1
    note(s, END, i, u.tier, NO_ROW, np.nan)


@inner
def collect_ended(s, until):
    """Take all predictions up to `until` off the heap: units into `ended` by number, alarms into `alarm`."""
    k, ended = s.k[0], s.ended
    count = 0
    while next_prediction(s) <= until:
        unit = s.heap[0].unit
        pop(s)
        if unit == NO_ROW:
            k.alarm += 1
            continue
        insert_sorted(ended, count, unit)
        count += 1
    k.ended = count


@inner
def release_until(s, until):
    """Queue all units released up to `until`; the range is left in `arrived_first..arrived_last`."""
    k = s.k[0]
    k.arrived_first = k.next_release
    while k.next_release < k.units and s.u[k.next_release].release <= until:
        unit = s.u[k.next_release]
        if unit.state == FUTURE:
            unit.state = QUEUED
            k.waiting += 1
            k.acts += 1
        k.next_release += 1
    k.arrived_last = k.next_release


@compiled
def advance(s):
    """Go to the next instant and leave for the policy what it brought; False when the run is over.

    A unit in `ended` has left its lanes already. When a release lies within the tie window after the first
    completion, the instant is the release.
    """
    k = s.k[0]
    if k.error != 0 or k.unfinished == 0:
        return False
    while k.next_release < k.units and s.u[k.next_release].state == REJECTED:
        k.next_release += 1
    released = s.u[k.next_release].release if k.next_release < k.units else np.inf
    predicted = next_prediction(s)
    now = min(released, predicted)
    if now == np.inf:
        fail(s, STALLED, NO_ROW, NO_ROW, k.now)
        return False
    window = TIE * max(1.0, abs(now))
    if predicted <= released <= predicted + window:
        now = released
    k.now = now
    k.alarm = 0
    collect_ended(s, now + window)
    for y in range(k.ended):
        complete(s, s.ended[y])
    release_until(s, now)
    k.decisions += 1
    return True


@inner
def check_dirty(s):
    """What must hold after every instant, on the lanes that changed."""
    k, lanes, dirty = s.k[0], s.lane, s.dirty
    for y in range(k.dirty):
        lane = lanes[dirty[y]]
        lane.dirty = 0
        if k.exclusive:
            if lane.count0 > 1 or lane.count1 > 1:
                fail(s, OVERFULL, NO_ROW, dirty[y], float(max(lane.count0, lane.count1)))
        elif lane.given > MOST or lane.memory > MOST:
            fail(s, OVERFULL, NO_ROW, dirty[y], max(lane.given, lane.memory))
    k.dirty = 0


@compiled
def settle(s):
    """Check the lanes that changed and predict every touched unit once."""
    check_dirty(s)
    k = s.k[0]
    keep_rates = s.rate.shape[0] > 0
    for y in range(k.touched):
        i = s.touched[y]
        u = s.u[i]
        if keep_rates:
            note_rate(s, i)
        u.touched = 0
        u.version += 1
        if u.state == RUNNING and u.rate > 0.0:
            push(s, max(k.now, u.stall) + u.remaining / u.rate, i, u.version)
    k.touched = 0
    tidy(s)


@inner
def has_room(s, stop):
    """Whether a slice may go on: acts are left until `stop`, and there is room for what an instant writes."""
    k = s.k[0]
    return k.acts < stop and k.segments < k.segments_stop and k.events < k.events_stop and k.rates < k.rates_stop


OVER, DECIDE, SPENT = np.int64(0), np.int64(1), np.int64(2)
"""What `step` found: the run is over, a decision is due, or the slice is."""


@compiled
def step(s, stop):
    """Settle the instant before and go to the next: one call from Python for a decision.

    `settle` does nothing where an instant is settled already, so a slice may end between the two.
    """
    settle(s)
    if not has_room(s, stop):
        return SPENT
    return DECIDE if advance(s) else OVER


@expanded
def drive(s, policy, decide, physics, budget):
    """Run until the work is done or `budget` acts are spent; True: call me again.

    `physics` sets rates that follow from placement (two tiers); other families pass `nothing`.
    """
    k = s.k[0]
    stop = k.acts + budget
    while has_room(s, stop):
        if not advance(s):
            return False
        decide(s, policy)
        physics(s, policy)
        settle(s)
    return True


@inner
def nothing(s, policy):
    """The physics of families whose rates the policy says itself."""
