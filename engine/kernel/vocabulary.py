"""The acts of a policy: allot, place, rerate, pause, kill, wake, reject. Nothing else changes a run.

Each act updates the unit's remaining work to the present, changes its placement or rate, and *touches* it; `settle` (in
`loop`) predicts the completion of each touched unit once, however many acts concerned it in the instant.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.clock import TIE
from shadowtime.engine.kernel.errors import BAD_RATE, BAD_TIME, NO_UNIT, NOT_RELEASED, NOT_RUNNING, OUTSIDE, OVER, fail
from shadowtime.engine.kernel.heap import push
from shadowtime.engine.kernel.lanes import (
    LEAVE,
    SIT,
    change_share,
    give_block,
    moved_lanes,
    picks_are_lanes,
    seat,
    take_block,
)
from shadowtime.engine.kernel.record import (
    KILL,
    LOST,
    MIGRATE,
    PAUSE,
    REJECT,
    RESUME,
    RUN,
    START,
    SWAP,
    close,
    note,
    rectangles,
)
from shadowtime.engine.kernel.state import BACKGROUND, DONE, FUTURE, NO_ROW, PAUSED, QUEUED, REJECTED, RUNNING

SAME_YIELD = 1e-12
"""Rates closer than this are equal; otherwise rounding would open new segments."""


@inner
def touch(s, i):
    """Mark unit `i`: `settle` predicts its completion again."""
    k, u = s.k[0], s.u[i]
    k.acts += 1
    if u.touched == 0:
        u.touched = 1
        s.touched[k.touched] = i
        k.touched += 1


@inner
def progress(s, i):
    """Update the remaining work of a running unit to the present, at the rate it had."""
    u, now = s.u[i], s.k[0].now
    since = max(u.since, min(u.stall, now))
    if now > since and u.rate > 0.0:
        done = u.rate * (now - since)
        u.remaining = max(0.0, u.remaining - done)
        u.virtual_time += done
    u.since = now


@inner
def exists(s, i):
    """Return whether there is a unit `i`: compiled code checks no bounds, so a policy's number is checked here."""
    if 0 <= i < s.k[0].units:
        return True
    fail(s, NO_UNIT, i, NO_ROW, 0.0)
    return False


@compiled
def resize(s, i, procs):
    """Set the lanes (`procs`) that a queued unit has from its next start on; return whether that is allowed.

    Only a queued unit may be changed, since it has no lanes to resume on: it was never started, or it was killed.
    """
    if not exists(s, i):
        return False
    u = s.u[i]
    if u.state == FUTURE:
        fail(s, NOT_RELEASED, i, NO_ROW, u.release)
        return False
    if u.state != QUEUED:
        fail(s, OVER, i, NO_ROW, 0.0)
        return False
    if procs < 1 or procs >= len(s.idle):
        fail(s, OUTSIDE, i, procs, 0.0)
        return False
    u.procs = procs
    return True


@compiled
def allot(s, i, procs, runtime):
    """Set the lanes (`procs`) and the runtime [s, at rate 1] that a queued unit has from its next start on."""
    if not resize(s, i, procs):
        return
    if not 0.0 < runtime < np.inf:
        fail(s, BAD_RATE, i, NO_ROW, runtime)
        return
    s.u[i].runtime, s.u[i].remaining = runtime, runtime


@inner
def settle_on_picks(s, i, tier, rate, share, delay):
    """Run unit `i` on the picks from now on."""
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
    """Run unit `i` on the first `procs` lanes of `pick`: start, resume, migrate, swap or re-rate it.

    rate: seconds of dedicated work per second, >= 0. share: of each lane, per process. delay [s]: the unit holds its
    lanes but makes no progress for so long; a further move restarts the delay. The same lanes in the other tier are a
    swap; the same lanes and tier without a delay a re-rate.
    """
    if not exists(s, i):
        return
    u, k = s.u[i], s.k[0]
    if u.state == DONE or u.state == REJECTED:
        fail(s, OVER, i, NO_ROW, 0.0)
        return
    if u.state == FUTURE:
        fail(s, NOT_RELEASED, i, NO_ROW, u.release)
        return
    if not (0.0 <= rate < np.inf and 0.0 <= share < np.inf and 0.0 <= delay < np.inf):
        fail(s, BAD_RATE, i, NO_ROW, rate)
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
            note(s, START, i, tier, NO_ROW, np.nan)
        else:
            note(s, RESUME, i, tier, NO_ROW, delay)


@inner
def runs(s, i):
    """Return whether unit `i` exists and runs; otherwise record the error."""
    if not exists(s, i):
        return False
    if s.u[i].state == RUNNING:
        return True
    fail(s, NOT_RUNNING, i, NO_ROW, 0.0)
    return False


@compiled
def rerate(s, i, rate, share):
    """Change rate and share of a running unit; a new share opens a new segment, a new rate alone does not."""
    if not runs(s, i):
        return
    u = s.u[i]
    if not (0.0 <= rate < np.inf and 0.0 <= share < np.inf):
        fail(s, BAD_RATE, i, NO_ROW, rate)
        return
    changed_share = abs(share - u.share) > SAME_YIELD
    if not changed_share and abs(rate - u.rate) <= SAME_YIELD:
        return
    progress(s, i)
    if changed_share:
        close(s, i, RUN)
        change_share(s, i, share)
    u.rate = rate
    touch(s, i)


@inner
def stop(s, i, kind, state):
    """Remove a running unit from its lanes, close its segment as `kind` and put it into `state`."""
    u, k = s.u[i], s.k[0]
    progress(s, i)
    close(s, i, kind)
    seat(s, i, LEAVE)
    give_block(s, i)
    u.state, u.rate = state, 0.0
    k.running -= 1
    k.waiting += 1
    touch(s, i)


@compiled
def pause(s, i):
    """Stop a running unit and keep its progress."""
    if not runs(s, i):
        return
    stop(s, i, RUN, PAUSED)
    s.k[0].preemptions += 1
    note(s, PAUSE, i, s.u[i].tier, NO_ROW, np.nan)


@compiled
def kill(s, i):
    """Stop a running unit, discard its progress and queue it again."""
    if runs(s, i):
        discard(s, i, s.u[i].runtime)


@compiled
def kill_to_checkpoint(s, i, lost):
    """Stop a running unit, discard the last `lost` seconds of its progress, made at rate 1 on these lanes, and queue it
    again."""
    if not runs(s, i):
        return
    u, now = s.u[i], s.k[0].now
    progress(s, i)
    since = now - lost
    if since - u.opened > TIE * max(1.0, now):
        rectangles(s, i, u.opened, since, RUN)
        u.opened = since
    discard(s, i, min(u.runtime, u.remaining + lost))


@inner
def discard(s, i, left):
    """Stop a running unit, whose open segment is lost, and queue it again with so many seconds of work to do."""
    u = s.u[i]
    stop(s, i, LOST, QUEUED)
    wasted = left - u.remaining
    u.remaining, u.virtual_time, u.stall = left, u.runtime - left, 0.0
    s.k[0].kills += 1
    note(s, KILL, i, u.tier, NO_ROW, wasted)


@compiled
def wake(s, at):
    """Set an alarm: the policy decides at time `at` [s] even if nothing happens then."""
    if not at >= s.k[0].now or at == np.inf:
        fail(s, BAD_TIME, NO_ROW, NO_ROW, at)
        return
    push(s, at, NO_ROW, np.int64(0))


@compiled
def reject(s, i, why):
    """Reject a waiting unit for good; why: one of `tables.REJECTIONS`."""
    if not exists(s, i):
        return
    u, k = s.u[i], s.k[0]
    if u.state != QUEUED and u.state != PAUSED:
        fail(s, OVER, i, NO_ROW, 0.0)
        return
    u.state = REJECTED
    k.waiting -= 1
    k.unfinished -= 1
    k.acts += 1
    note(s, REJECT, i, np.int64(0), why, np.nan)
