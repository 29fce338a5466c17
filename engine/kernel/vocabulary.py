"""What a policy may say: place, rerate, pause, kill, wake, reject. Nothing else changes a run.

Each act brings the unit's work to now, moves it, and *touches* it; `settle` (in `loop`) predicts each
touched unit once, however often it was acted upon in the instant.
"""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import compiled, inner
from engine.kernel.heap import push
from engine.kernel.record import KILL, LOST, MIGRATE, PAUSE, REJECT, RESUME, RUN, START, SWAP, close, note
from engine.kernel.state import BACKGROUND, DONE, FUTURE, NOBODY, PAUSED, QUEUED, REJECTED, RUNNING

SAME_YIELD = 1e-12
"""Rates closer than this are one rate, else rounding would make segments."""

# Error codes; `checks.sentence` turns them into words.
OVERFULL, NOT_RELEASED, OVER, OUTSIDE, NOT_RUNNING, STALLED, BAD_RATE, BAD_TIME, NO_UNIT, TWICE = (
    np.int64(code) for code in range(1, 11)
)


@inner
def fail(s, code, i, lane, value):
    """Keep the first error of the run; the loop stops at the end of the instant."""
    k = s.k[0]
    if k.error == 0:
        k.error, k.error_unit, k.error_lane, k.error_value = code, i, lane, value


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
def sit(s, i):
    """Seat unit `i` on its lanes."""
    u, k, hold = s.u[i], s.k[0], s.hold
    share, memory = u.share, u.memory
    for y in range(u.first, u.first + u.procs):
        lane = s.lane[hold[y]]
        if u.tier == BACKGROUND:
            lane.count1 += 1
            lane.owner1 ^= i + 1
        else:
            lane.count0 += 1
            lane.owner0 ^= i + 1
        lane.given += share
        lane.memory += memory
        soil(s, hold[y])
    if u.tier == BACKGROUND:
        k.held_background += u.procs
    else:
        k.held += u.procs


@inner
def leave(s, i):
    """Take unit `i` off its lanes."""
    u, k, hold = s.u[i], s.k[0], s.hold
    share, memory = u.share, u.memory
    for y in range(u.first, u.first + u.procs):
        lane = s.lane[hold[y]]
        if u.tier == BACKGROUND:
            lane.count1 -= 1
            lane.owner1 ^= i + 1
        else:
            lane.count0 -= 1
            lane.owner0 ^= i + 1
        lane.given -= share
        lane.memory -= memory
        if lane.count0 + lane.count1 == 0:  # an empty lane holds exactly nothing
            lane.given = 0.0
            lane.memory = 0.0
        soil(s, hold[y])
    if u.tier == BACKGROUND:
        k.held_background -= u.procs
    else:
        k.held -= u.procs


@inner
def progress(s, i):
    """Bring the remaining work of a running unit to now, at the rate it had."""
    u, now = s.u[i], s.k[0].now
    since = max(u.since, min(u.stall, now))
    if now > since and u.rate > 0.0:
        u.remaining = max(0.0, u.remaining - u.rate * (now - since))
    u.since = now


@inner
def exists(s, i):
    if 0 <= i < s.k[0].units:
        return True
    fail(s, NO_UNIT, i, NOBODY, 0.0)
    return False


@inner
def picks_are_lanes(s, i):
    """Whether the first `procs` picks are lanes of the machine, each once where slots are exclusive."""
    k, count = s.k[0], s.u[i].procs
    good = True
    for y in range(count):
        lane = s.pick[y]
        if lane < 0 or lane >= k.lanes:
            fail(s, OUTSIDE, i, lane, 0.0)
            count = y
            good = False
            break
        s.lane[lane].mark += 1
        if k.exclusive and s.lane[lane].mark > 1:
            fail(s, TWICE, i, lane, 0.0)
            good = False
    for y in range(count):
        s.lane[s.pick[y]].mark = 0
    return good


@inner
def same_lanes(s, i):
    """Whether the picks are the lanes that unit `i` holds, as sets with repeats (dfrs: node counts are equal)."""
    u = s.u[i]
    for y in range(u.procs):
        s.lane[s.hold[u.first + y]].mark += 1
        s.lane[s.pick[y]].mark -= 1
    same = True
    for y in range(u.procs):
        if s.lane[s.hold[u.first + y]].mark != 0:
            same = False
    for y in range(u.procs):
        s.lane[s.hold[u.first + y]].mark = 0
        s.lane[s.pick[y]].mark = 0
    return same


@inner
def settle_on_picks(s, i, tier, rate, share, delay):
    """Seat unit `i` on the picks from now on."""
    u, k = s.u[i], s.k[0]
    for y in range(u.procs):
        s.hold[u.first + y] = s.pick[y]
    u.tier, u.rate, u.share = tier, rate, share
    u.since, u.opened = k.now, k.now
    if delay > 0.0:
        u.stall = k.now + delay
    u.state = RUNNING
    if tier == BACKGROUND:
        k.background_starts += 1
    sit(s, i)
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
        stays = same_lanes(s, i)
        if stays and tier == u.tier and delay == 0.0:
            rerate(s, i, rate, share)
            return
        progress(s, i)
        close(s, i, RUN)
        was = u.tier
        leave(s, i)
        settle_on_picks(s, i, tier, rate, share, delay)
        if not stays:
            k.migrations += 1
            note(s, MIGRATE, i, tier, was, delay)
        elif tier != was:
            k.swaps += 1
            note(s, SWAP, i, tier, was, delay)
    else:
        first_time = u.state == QUEUED
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
    leave(s, i)
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
    leave(s, i)
    wasted = u.runtime - u.remaining
    u.lost += wasted
    u.remaining = u.runtime
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
def reject(s, i):
    """Turn a waiting unit away for good."""
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
    note(s, REJECT, i, np.int64(0), NOBODY, np.nan)
