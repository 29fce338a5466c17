"""Choose the processors of a job: least used partners first, for processes in order of decreasing usage."""

from __future__ import annotations

from shadowtime.engine.kernel.binary_heap import NO_VERSION, heapify, pop, write
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import BACKGROUND


@inner
def pick(s, t, i, tier):
    """Write into `s.pick` processors whose slot of `tier` may take a process of unit `i`.

    They are in order of increasing usage of the process in the other slot (0 if none), ties highest first. A background
    slot that `i` itself leaves counts as empty.
    """
    count, lanes, picked, seats, choice = s.u[i].procs, s.lane, s.pick, t.seat, t.choice
    y = 0
    others = 0
    for lane in range(s.k[0].lanes - 1, -1, -1):
        row = lanes[lane]
        if tier == BACKGROUND:
            takes, alone, usage = seats[lane].may_take == 1, row.count0 == 0, seats[lane].front_seen
        else:
            alone = row.count1 == 0 or (row.count1 == 1 and row.owner1 == i + 1)
            takes, usage = row.count0 == 0, seats[lane].back_seen
        if takes and alone:
            picked[y] = lane
            y += 1
            if y == count:
                return
        elif takes:
            write(choice, others, usage, -lane, NO_VERSION)
            others += 1
    heapify(choice, others)
    for rest in range(y, count):
        picked[rest] = -choice[0].unit
        others = pop(choice, others)


@inner
def refresh(s, t, lane):
    """Update whether `lane` may take a background process: its background slot is empty, and the foreground slot is
    empty or used below the threshold."""
    row, seat, m = s.lane[lane], t.seat[lane], t.m[0]
    may = 1 if row.count1 == 0 and (row.count0 == 0 or seat.front_seen < m.threshold) else 0
    m.idle_behind += may - seat.may_take
    seat.may_take = may


@inner
def sit(s, t, i):
    """Store the usages of unit `i`, just placed."""
    u, hold, seats, first = s.u[i], s.hold, t.seat, t.j[i].first
    for y in range(u.procs):
        lane = hold[u.first + y]
        seat = seats[lane]
        if u.tier == BACKGROUND:
            seat.back, seat.back_seen, seat.phi = t.usage[first + y], t.seen[first + y], t.phi[first + y]
        else:
            seat.front, seat.front_seen = t.usage[first + y], t.seen[first + y]
        refresh(s, t, lane)


@inner
def refresh_dirty(s, t):
    """Update all processors that changed so far at this instant."""
    for y in range(s.k[0].dirty):
        refresh(s, t, s.dirty[y])
