"""Compiled steps of `dashboard/viewer/windows.py`: rectangles counted into cells of time and lanes."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.tables import SEGMENTS


@compiled
def put(cells, tier, row, low, high, value):
    """One edge: `value` from `low` to `high`, both in columns, as differences along the row."""
    column, until = int(low), int(high)
    late, beyond = low - column, high - until
    cells[tier, row, column] += value * (1.0 - late)
    cells[tier, row, column + 1] += value * late
    cells[tier, row, until] -= value * (1.0 - beyond)
    cells[tier, row, until + 1] -= value * beyond


@compiled
def count(job, first, last, tier, start, end, share, begin, stop, grid, weight, cells):
    """Add rectangles `begin` to `stop` to the second differences of their coverage, each times its job's `weight`.

    grid: t0, columns a second, columns, first lane, lane after the last, lanes a row. weight: by job; none for 1.
    cells: tiers x (rows + 2) x (columns + 2).
    """
    t0, scale, width = grid[0], grid[1], grid[2]
    n0, n1, each = int(grid[3]), int(grid[4]), int(grid[5])
    t1 = t0 + width / scale
    for i in range(begin, stop):
        if start[i] >= t1 or end[i] <= t0 or last[i] < n0 or first[i] >= n1:
            continue
        value = share[i] * weight[job[i]] if len(weight) else share[i]
        if value == 0.0:
            continue
        low = max(start[i] - t0, 0.0) * scale
        high = min((end[i] - t0) * scale, width)
        upper, lower = max(first[i] - n0, 0), min(last[i] + 1, n1) - n0
        a, above = upper // each, upper % each
        z, below = lower // each, lower % each
        put(cells, tier[i], a, low, high, value * (each - above))
        put(cells, tier[i], z, low, high, value * (below - each))
        if above:
            put(cells, tier[i], a + 1, low, high, value * above)
        if below:
            put(cells, tier[i], z + 1, low, high, -value * below)


@compiled
def integrate(cells, running):
    """From second differences to coverage in lanes, down the rows and along each; `running`: to its running sum."""
    tiers, rows, width = cells.shape
    for tier in range(tiers):
        for row in range(1, rows):
            for column in range(width):
                cells[tier, row, column] += cells[tier, row - 1, column]
        for row in range(rows):
            total, grown = 0.0, 0.0
            for column in range(width):
                total += cells[tier, row, column]
                grown += total
                cells[tier, row, column] = grown if running else total


@compiled
def within(first, last, start, end, n0, n1, t0, t1, begin, stop, found):
    """Rows of the rectangles in a window into `found`, in order; gives how many there are, stored or not."""
    n = 0
    for i in range(begin, stop):
        if start[i] < t1 and end[i] > t0 and last[i] >= n0 and first[i] < n1:
            if n < len(found):
                found[n] = i
            n += 1
    return n


def warm() -> None:
    """Compile the steps, or load what was compiled, for tables that are mapped from disk; 0.3 to 3 s."""
    s = {name: np.zeros(1, dtype) for name, dtype in SEGMENTS.items()}
    for column in s.values():
        column.setflags(write=False)
    grid, cells = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 1.0]), np.zeros((1, 3, 3))
    columns = [s[name] for name in ("job", "first", "last", "tier", "start", "end", "share")]
    count(*columns, 0, 1, grid, np.zeros(0), cells)
    integrate(cells, False)
    within(s["first"], s["last"], s["start"], s["end"], 0, 1, 0.0, 1.0, 0, 1, np.empty(1, np.int64))
