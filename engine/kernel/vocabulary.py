"""What a policy may say: place, rerate, pause, kill, wake, reject. Nothing else changes a run.

Each act brings the unit's work to now, moves it, and *touches* it; `settle` (in `loop`) predicts each
touched unit once, however often it was acted upon in the instant.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.errors import (
    BAD_RATE,
    BAD_TIME,
    NO_UNIT,
    NOT_RELEASED,
    NOT_RUNNING,
    OUTSIDE,
    OVER,
    TWICE,
    fail,
)
from shadowtime.engine.kernel.heap import push
from shadowtime.engine.kernel.record import KILL, LOST, MIGRATE, PAUSE, REJECT, RESUME, RUN, START, SWAP, close, note
from shadowtime.engine.kernel.state import BACKGROUND, DONE, FUTURE, NOBODY, PAUSED, QUEUED, REJECTED, RUNNING

SAME_YIELD = 1e-12
"""Rates closer than this are one rate, else rounding would make segments."""

SIT, LEAVE = np.int64(1), np.int64(-1)


@inner
def touch(s, i):
    """Have `settle` predict unit `i` anew."""
    k, u = s.k[0], s.u[i]
    k.acts += 1
    if u.touched == 0:
        u.touched = 1
        s.touched[k.touched] = i
        k.touched += 1


@inner
def soil(s, lane):
    """Have `settle` check this lane."""
    k = s.k[0]
    if s.lane[lane].soiled == 0:
        s.lane[lane].soiled = 1
        s.soiled[k.soiled] = lane
        k.soiled += 1


@inner
def seat(s, i, sign):
    """Seat unit `i` on its lanes (sign 1), or take it off them (sign -1).

    The arrays are fetched once: each `s.array` in a loop would count a reference per lane.
    """
    u, k = s.u[i], s.k[0]
    hold, lanes, soiled = s.hold, s.lane, s.soiled
    behind = u.tier == BACKGROUND
    dirty = k.soiled
    for y in range(u.first, u.first + u.procs):
        lane = lanes[hold[y]]
        if behind:
            lane.count1 += sign
            lane.owner1 ^= i + 1
        else:
            lane.count0 += sign
            lane.owner0 ^= i + 1
        if lane.soiled == 0:
            lane.soiled = 1
            soiled[dirty] = hold[y]
            dirty += 1
    k.soiled = dirty
    if behind:
        k.held_background += sign * u.procs
    else:
        k.held += sign * u.procs
    if k.exclusive == 0:
        weigh(s, i, sign)


@inner
def weigh(s, i, sign):
    """Add what unit `i` takes of its shared lanes, or give it back; an empty lane holds exactly nothing."""
    u, hold, lanes = s.u[i], s.hold, s.lane
    for y in range(u.first, u.first + u.procs):
        lane = lanes[hold[y]]
        lane.given += sign * u.share
        lane.memory += sign * u.memory
        if lane.count0 + lane.count1 == 0:
            lane.given = 0.0
            lane.memory = 0.0


@inner
def progress(s, i):
    """Bring the remaining work of a running unit to now, at the rate it had."""
    u, now = s.u[i], s.k[0].now
    since = max(u.since, min(u.stall, now))
    if now > since and u.rate > 0.0:
        done = u.rate * (now - since)
        u.remaining = max(0.0, u.remaining - done)
        u.lived += done
    u.since = now


@inner
def exists(s, i):
    """Whether there is a unit `i`: compiled code checks no bounds, so a policy's number is checked here."""
    if 0 <= i < s.k[0].units:
        return True
    fail(s, NO_UNIT, i, NOBODY, 0.0)
    return False


@inner
def picks_are_lanes(s, i):
    """Whether the first `procs` picks are lanes of the machine, each once where slots are exclusive."""
    k, count = s.k[0], s.u[i].procs
    pick, lanes, last = s.pick, s.lane, k.lanes
    ascending = True
    before = np.int64(-1)
    for y in range(count):
        lane = pick[y]
        if lane < 0 or lane >= last:
            fail(s, OUTSIDE, i, lane, 0.0)
            return False
        ascending = ascending and lane > before
        before = lane
    if ascending or k.exclusive == 0:
        return True
    good = True
    for y in range(count):
        lanes[pick[y]].mark += 1
        if lanes[pick[y]].mark > 1:
            fail(s, TWICE, i, pick[y], 0.0)
            good = False
    for y in range(count):
        lanes[pick[y]].mark = 0
    return good


@inner
def moved_lanes(s, i):
    """How many of the picks are not lanes that unit `i` holds, as sets with repeats; 0: it stays where it is."""
    u, lanes, hold, pick = s.u[i], s.lane, s.hold, s.pick
    for y in range(u.procs):
        lanes[hold[u.first + y]].mark += 1
        lanes[pick[y]].mark -= 1
    moved = np.int64(0)
    for y in range(u.procs):
        moved += max(np.int64(0), lanes[hold[u.first + y]].mark)
        lanes[hold[u.first + y]].mark = 0
    for y in range(u.procs):
        lanes[pick[y]].mark = 0
    return moved


@inner
def take_block(s, i):
    """Find room in `hold` for the lanes of unit `i`: a free block of just its size, else fresh room.

    Blocks are used again because fresh memory is dear: a log holds each lane thousands of times.
    """
    u, k = s.u[i], s.k[0]
    block = s.idle[u.procs]
    if block >= 0:
        s.idle[u.procs] = s.link[block]
    else:
        block = k.hold_used
        k.hold_used += u.procs
    u.first = block


@inner
def give_block(s, i):
    """Unit `i` holds lanes no more; what its block says stays readable until the next `take_block`."""
    u = s.u[i]
    s.link[u.first] = s.idle[u.procs]
    s.idle[u.procs] = u.first


@inner
def settle_on_picks(s, i, tier, rate, share, delay):
    """Seat unit `i` on the picks from now on."""
    u, k = s.u[i], s.k[0]
    hold, pick, first = s.hold, s.pick, u.first
    for y in range(u.procs):
        hold[first + y] = pick[y]
    u.tier, u.rate, u.share = tier, rate, share
    u.since, u.opened = k.now, k.now
    if delay > 0.0:
        u.stall = k.now + delay
    u.state = RUNNING
    if tier == BACKGROUND:
        k.background_starts += 1
    seat(s, i, SIT)
    touch(s, i)


@compiled
def place(s, i, tier, rate, share, delay):
    """Run unit `i` on the lanes in `pick` (its first `procs`): start, resume, migrate, swap or re-rate.

    rate: seconds of dedicated work per second, > 0 or 0. share: of each lane, per process. delay [s]: no
    progress for so long, lanes held meanwhile; a new move restarts it. Same lanes in the other tier is a
    swap; all the same and no delay a re-rate.
    """
    if not exists(s, i):
        return
    u, k = s.u[i], s.k[0]
    if u.state == DONE or u.state == REJECTED:
        fail(s, OVER, i, NOBODY, 0.0)
        return
    if u.state == FUTURE:
        fail(s, NOT_RELEASED, i, NOBODY, u.release)
        return
    if not (0.0 <= rate < np.inf and 0.0 <= share < np.inf and 0.0 <= delay < np.inf):
        fail(s, BAD_RATE, i, NOBODY, rate)
        return
    if not picks_are_lanes(s, i):
        return
    if u.state == RUNNING:
        moved = moved_lanes(s, i)
        if moved == 0 and tier == u.tier and delay == 0.0:
            rerate(s, i, rate, share)
            return
        progress(s, i)
        close(s, i, RUN)
        was = u.tier
        seat(s, i, LEAVE)
        settle_on_picks(s, i, tier, rate, share, delay)
        if moved > 0:
            k.migrations += 1
            u.moved += moved
            note(s, MIGRATE, i, tier, was, delay)
        elif tier != was:
            k.swaps += 1
            note(s, SWAP, i, tier, was, delay)
    else:
        first_time = u.state == QUEUED
        take_block(s, i)
        k.waiting -= 1
        k.running += 1
        settle_on_picks(s, i, tier, rate, share, delay)
        if np.isnan(u.start):
            u.start = k.now
        if first_time:
            note(s, START, i, tier, NOBODY, np.nan)
        else:
            note(s, RESUME, i, tier, NOBODY, delay)


@compiled
def rerate(s, i, rate, share):
    """Change rate and share of a running unit; a new share opens a new segment, a new rate alone does not."""
    if not exists(s, i):
        return
    u = s.u[i]
    if u.state != RUNNING:
        fail(s, NOT_RUNNING, i, NOBODY, 0.0)
        return
    if not (0.0 <= rate < np.inf and 0.0 <= share < np.inf):
        fail(s, BAD_RATE, i, NOBODY, rate)
        return
    changed_share = abs(share - u.share) > SAME_YIELD
    if not changed_share and abs(rate - u.rate) <= SAME_YIELD:
        return
    progress(s, i)
    if changed_share:
        close(s, i, RUN)
        difference = share - u.share
        for y in range(u.first, u.first + u.procs):
            s.lane[s.hold[y]].given += difference
            soil(s, s.hold[y])
        u.share = share
    u.rate = rate
    touch(s, i)


@compiled
def pause(s, i):
    """Take a running unit off its lanes, its progress kept."""
    if not exists(s, i):
        return
    u, k = s.u[i], s.k[0]
    if u.state != RUNNING:
        fail(s, NOT_RUNNING, i, NOBODY, 0.0)
        return
    progress(s, i)
    close(s, i, RUN)
    seat(s, i, LEAVE)
    give_block(s, i)
    u.state, u.rate = PAUSED, 0.0
    k.running -= 1
    k.waiting += 1
    k.preemptions += 1
    touch(s, i)
    note(s, PAUSE, i, u.tier, NOBODY, np.nan)


@compiled
def kill(s, i):
    """Take a running unit off its lanes and throw its progress away: it is queued again."""
    if not exists(s, i):
        return
    u, k = s.u[i], s.k[0]
    if u.state != RUNNING:
        fail(s, NOT_RUNNING, i, NOBODY, 0.0)
        return
    progress(s, i)
    close(s, i, LOST)
    seat(s, i, LEAVE)
    give_block(s, i)
    wasted = u.runtime - u.remaining
    u.lost += wasted
    u.remaining, u.lived = u.runtime, 0.0
    u.state, u.rate, u.stall = QUEUED, 0.0, 0.0
    k.running -= 1
    k.waiting += 1
    k.kills += 1
    touch(s, i)
    note(s, KILL, i, u.tier, NOBODY, wasted)


@compiled
def wake(s, at):
    """Ask to decide at time `at` [s] even if nothing happens then."""
    if not at >= s.k[0].now or at == np.inf:
        fail(s, BAD_TIME, NOBODY, NOBODY, at)
        return
    push(s, at, NOBODY, np.int64(0))


@compiled
def reject(s, i, why):
    """Turn a waiting unit away for good; why: one of `tables.REJECTIONS`."""
    if not exists(s, i):
        return
    u, k = s.u[i], s.k[0]
    if u.state != QUEUED and u.state != PAUSED:
        fail(s, OVER, i, NOBODY, 0.0)
        return
    u.state = REJECTED
    k.waiting -= 1
    k.unfinished -= 1
    k.acts += 1
    note(s, REJECT, i, np.int64(0), why, np.nan)
