"""The primal simplex with bounded variables on a dense table, for the linear program in `program`.

It starts at x = 0; the column of largest gain enters, ties by the lowest column, so the result is deterministic.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.program import lay_out
from shadowtime.engine.families.fractional.policies.state import STEPS
from shadowtime.engine.kernel.cache import compiled, inner

TINY = 1e-10
"""Coefficients and gains below this are rounding."""


@inner
def entering(f, part, bland):
    """Return the column of largest gain, or under Bland's rule the first with a gain; -1 if there is none."""
    best, found = TINY, -1
    for c in range(part.columns):
        gain = f.column[part.column + c].gain
        if gain > best:
            found = c
            if bland:
                return found
            best = gain
    return found


@inner
def leaving(f, part, c):
    """Return the line that limits the rise of column `c` (-1: its own upper end), and whether at its upper end."""
    step, stop, at_top = f.column[part.column + c].top, -1, False
    for line in range(part.lines):
        slope = f.table[part.entry + line * part.columns + c]
        one = f.line[part.line + line]
        if slope > TINY:
            reach = one.value / slope
            if reach < step:
                step, stop, at_top = reach, line, False
        elif slope < -TINY and one.top < np.inf:
            reach = (one.value - one.top) / slope
            if reach < step:
                step, stop, at_top = reach, line, True
    return stop, at_top


@inner
def flip_column(f, part, c):
    """Move column `c` to its other end and measure it from there."""
    one = f.column[part.column + c]
    for line in range(part.lines):
        at = part.entry + line * part.columns + c
        f.line[part.line + line].value -= f.table[at] * one.top
        f.table[at] = -f.table[at]
    one.gain, one.sign = -one.gain, -one.sign


@inner
def flip_line(f, part, line):
    """Measure the variable of a line from its upper end."""
    at, one = part.entry + line * part.columns, f.line[part.line + line]
    for c in range(at, at + part.columns):
        f.table[c] = -f.table[c]
    one.value, one.sign = one.top - one.value, -one.sign


@inner
def pivot(f, part, line, c):
    """Exchange the variables of a line and a column."""
    table, row, col = f.table, f.line[part.line + line], f.column[part.column + c]
    at = part.entry + line * part.columns
    p = table[at + c]
    for k in range(part.columns):
        table[at + k] /= p
    table[at + c] = 1.0 / p
    row.value /= p
    for other in range(part.lines):
        there = part.entry + other * part.columns
        factor = table[there + c]
        if other == line or factor == 0.0:
            continue
        for k in range(part.columns):
            table[there + k] -= factor * table[at + k]
        table[there + c] = -factor / p
        one = f.line[part.line + other]
        one.value = max(0.0, one.value - factor * row.value)
    gain = col.gain
    for k in range(part.columns):
        f.column[part.column + k].gain -= gain * table[at + k]
    col.gain = -gain / p
    row.owner, col.owner = col.owner, row.owner
    row.top, col.top = col.top, row.top
    row.sign, col.sign = col.sign, row.sign


@inner
def solve(f, part):
    """Bring the table of a part to its best corner; return False if the search does not end."""
    for turn in range(STEPS):
        c = entering(f, part, turn > STEPS // 2)
        if c < 0:
            return True
        line, at_top = leaving(f, part, c)
        if line < 0:
            flip_column(f, part, c)
            continue
        if at_top:
            flip_line(f, part, line)
        pivot(f, part, line, c)
    return False


@compiled
def maximise(f, parts):
    """Set `extra` of all rows in the parts that `split` made; return False if a search does not end."""
    for r in range(f.m[0].rows):
        f.row[r].extra = 0.0
    for p in range(parts):
        part = f.part[p]
        lay_out(f, part)
        if not solve(f, part):
            return False
        for k in range(part.column, part.column + part.columns):
            one = f.column[k]
            if one.owner >= 0 and one.sign < 0.0:
                f.row[one.owner].extra = one.top
        for y in range(part.line, part.line + part.lines):
            line = f.line[y]
            if line.owner >= 0:
                f.row[line.owner].extra = line.value if line.sign > 0.0 else line.top - line.value
    return True
