"""Water filling: all yields rise together; jobs on a full node keep theirs, the others rise on (section 4.6).

At level u a job's yield is `grow * u - base`, cut to 0 and 1. For `opt=min` that is u itself; for the smallest
predicted stretch 1 / u it is `((flow + T) u - virtual time) / T`. The answer is unique.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled, inner

CROWDED = 1.0 + 1e-10
"""Sum of needs above which a node is crowded; smaller excesses are rounding of sums."""
STALE = -1.0
"""Level of a node whose rows changed since it was computed."""


@inner
def crowd(f, hold):
    """Find the crowded nodes, whose jobs need more CPU than there is, and their rows; all other rows get yield 1."""
    m, node, row = f.m[0], f.node, f.row
    for lane in range(node.shape[0]):
        node[lane].need, node[lane].count = 0.0, 0
    for r in range(m.rows):
        for y in range(row[r].first, row[r].first + row[r].tasks):
            node[hold[y]].need += row[r].need
            node[hold[y]].count += 1
    m.crowded = 0
    first = 0
    for lane in range(node.shape[0]):
        if node[lane].need > CROWDED:
            f.crowded[m.crowded] = lane
            f.level[m.crowded] = STALE
            node[lane].place, node[lane].first, node[lane].live, node[lane].used = m.crowded, first, 0, 0.0
            m.crowded += 1
            first += node[lane].count
        else:
            node[lane].count = 0
    for r in range(m.rows):
        row[r].yield_, row[r].frozen, row[r].shared = 1.0, 1, 0
        for y in range(row[r].first, row[r].first + row[r].tasks):
            here = node[hold[y]]
            if here.count > 0:
                f.stay[here.first + here.live] = r
                here.live += 1
                row[r].frozen, row[r].shared = 0, 1


@inner
def at_level(here, u):
    """Return the yield of a row at level u."""
    if u >= here.high:
        return 1.0
    return max(0.0, here.grow * u - here.base) if u > here.low else 0.0


@inner
def full_at(f, lane, u):
    """Return the level >= u at which a node is full; infinity if it never is."""
    row, here = f.row, f.node[lane]
    while True:
        value, slope, bend = here.used, 0.0, np.inf
        for y in range(here.first, here.first + here.count):
            one = row[f.stay[y]]
            if one.frozen:
                continue
            value += one.need * at_level(one, u)
            if u < one.low:
                bend = min(bend, one.low)
            elif u < one.high:
                slope += one.need * one.grow
                bend = min(bend, one.high)
        if value >= 1.0:
            return u
        cross = u + (1.0 - value) / slope if slope > 0.0 else np.inf
        if cross <= bend:
            return cross
        u = bend


@inner
def freeze(f, hold, r, u):
    """Fix the yield of row `r` at its value at level u; the levels of its nodes become stale."""
    row, node = f.row[r], f.node
    row.frozen = 1
    row.yield_ = at_level(row, u)
    for y in range(row.first, row.first + row.tasks):
        here = node[hold[y]]
        if here.count > 0:
            here.used += row.need * row.yield_
            here.live -= 1
            f.level[here.place] = STALE


@inner
def fullest(f, u):
    """Return the place of the crowded node that is full first, given that none is before level u; -1 if none is."""
    level = f.level
    found, least = np.int64(-1), np.inf
    for y in range(f.m[0].crowded):
        if level[y] == STALE:
            lane = f.crowded[y]
            level[y] = full_at(f, lane, u) if f.node[lane].live > 0 else np.inf
        if level[y] < least:
            found, least = np.int64(y), level[y]
            if least <= u:
                break
    return found


@compiled
def fill(f, hold):
    """Set the yields of all rows, and `level` of the memo to the first level at which a node is full (or infinity)."""
    m, node = f.m[0], f.node
    crowd(f, hold)
    u = 0.0
    m.level = np.inf
    while True:
        place = fullest(f, u)
        if place < 0:
            break
        u = max(u, f.level[place])
        m.level = min(m.level, u)
        here = node[f.crowded[place]]
        for y in range(here.first, here.first + here.count):
            if f.row[f.stay[y]].frozen == 0:
                freeze(f, hold, f.stay[y], u)
