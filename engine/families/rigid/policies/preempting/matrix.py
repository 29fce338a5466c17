"""Steps on the Ousterhout matrix: units enter and leave it, rows come and go."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner


@inner
def lowest_range(s, q, slot, size):
    """Return the lowest column from which `size` neighbours of a slot are free; -1 if there are none."""
    lanes = s.k[0].lanes
    length = 0
    for column in range(lanes):
        length = length + 1 if q.cell[slot * lanes + column] == 0 else 0
        if length == size:
            return column - size + 1
    return -1


@inner
def enter(s, q, i, slot):
    """Give unit `i` columns of a slot that has room: neighbours where possible, else the lowest."""
    lanes, size, first = s.k[0].lanes, s.u[i].procs, q.home_first[i]
    column = max(0, lowest_range(s, q, slot, size))
    found = 0
    while found < size:
        if q.cell[slot * lanes + column] == 0:
            q.cell[slot * lanes + column] = 1
            q.home[first + found] = column
            found += 1
        column += 1
    own = q.slot[slot]
    q.member[slot * lanes + own.members] = i
    own.members += 1
    own.room -= size
    q.slot_of[i] = slot


@inner
def leave(s, q, i):
    """Remove unit `i`, which has ended, from its slot."""
    lanes, size, first, slot = s.k[0].lanes, s.u[i].procs, q.home_first[i], q.slot_of[i]
    for y in range(first, first + size):
        q.cell[slot * lanes + q.home[y]] = 0
    own = q.slot[slot]
    kept = slot * lanes
    for y in range(slot * lanes, slot * lanes + own.members):
        if q.member[y] != i:
            q.member[kept] = q.member[y]
            kept += 1
    own.members -= 1
    own.room += size


@inner
def remove_empty_rows(q):
    """Remove the rows without units. Where the active one is removed, the next one has the turn, for a new slice."""
    t = q.turns[0]
    y = t.rows - 1
    while y >= 0:
        slot = q.order[y]
        if q.slot[slot].members == 0:
            t.rows -= 1
            for x in range(y, t.rows):
                q.order[x] = q.order[x + 1]
            q.order[t.rows] = slot
            if y < t.active:
                t.active -= 1
            elif y == t.active:
                t.turn_ends = np.inf
        y -= 1
    if t.active >= t.rows:
        t.active = 0


@inner
def row_with_room(s, q, size):
    """Return the first slot that has `size` columns free, a new row if need be; -1 if the matrix is full."""
    t = q.turns[0]
    for y in range(t.rows):
        if q.slot[q.order[y]].room >= size:
            return q.order[y]
    if t.rows == t.level:
        return -1
    slot = q.order[t.rows]
    q.slot[slot].room = s.k[0].lanes
    t.rows += 1
    return slot
