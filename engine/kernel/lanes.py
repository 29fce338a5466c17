"""The lanes of units: seats on lanes, blocks of `hold`, and the checks of a policy's picks."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.errors import OUTSIDE, TWICE, fail
from shadowtime.engine.kernel.state import BACKGROUND

SIT, LEAVE = np.int64(1), np.int64(-1)


@inner
def seat(s, i, sign):
    """Add unit `i` to its lanes (sign 1), or remove it from them (sign -1).

    The arrays are loaded before the loop, not once a lane.
    """
    u, k = s.u[i], s.k[0]
    hold, lanes, dirty = s.hold, s.lane, s.dirty
    behind = u.tier == BACKGROUND
    marked = k.dirty
    for y in range(u.first, u.first + u.procs):
        lane = lanes[hold[y]]
        if behind:
            lane.count1 += sign
            lane.owner1 ^= i + 1
        else:
            lane.count0 += sign
            lane.owner0 ^= i + 1
        if lane.dirty == 0:
            lane.dirty = 1
            dirty[marked] = hold[y]
            marked += 1
    k.dirty = marked
    if not behind:
        k.held += sign * u.procs
    if k.exclusive == 0:
        weigh(s, i, sign)


@inner
def weigh(s, i, sign):
    """Add or subtract the share and memory of unit `i` on its shared lanes; an empty lane is reset to exactly 0."""
    u, hold, lanes = s.u[i], s.hold, s.lane
    for y in range(u.first, u.first + u.procs):
        lane = lanes[hold[y]]
        lane.given += sign * u.share
        lane.memory += sign * u.memory
        if lane.count0 + lane.count1 == 0:
            lane.given = 0.0
            lane.memory = 0.0


@inner
def change_share(s, i, share):
    """Change the share of unit `i` on each of its lanes."""
    k, u, hold, lanes = s.k[0], s.u[i], s.hold, s.lane
    difference = share - u.share
    for y in range(u.first, u.first + u.procs):
        lane = lanes[hold[y]]
        lane.given += difference
        if lane.dirty == 0:
            lane.dirty = 1
            s.dirty[k.dirty] = hold[y]
            k.dirty += 1
    u.share = share


@inner
def picks_are_lanes(s, i):
    """Return whether the first `procs` picks are lanes of the machine, each once where lanes are exclusive."""
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
    """Return how many picks are not lanes that unit `i` holds, as multisets; 0: it stays where it is."""
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
    """Allocate a block of `hold` for the lanes of unit `i`: a free block of its exact size, else a new one.

    Blocks are reused because the first use of memory is slow: over a log, each lane is held thousands of times.
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
    """Free the block of unit `i`; its contents stay valid until the next `take_block`."""
    u = s.u[i]
    s.link[u.first] = s.idle[u.procs]
    s.idle[u.procs] = u.first
