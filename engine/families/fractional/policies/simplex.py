"""A small linear program: the largest weighted sum of yields that fits on the nodes.

    maximise sum w_r x_r   with 0 <= x_r <= top_r,   sum over the tasks of a node: need_r x_r <= free CPU of the node

x is the yield of a row beyond its floor. The method is the primal simplex with bounded variables on a dense table,
started at x = 0; the column of largest gain enters, ties by the lowest column, so the result is deterministic. Nodes
with the same tasks form one constraint.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.state import STEPS
from shadowtime.engine.kernel.cache import compiled, inner

TINY = 1e-10
"""Coefficients and gains below this are rounding."""


@inner
def same_tasks(f, a, b):
    """Return whether two crowded nodes have the same rows, each equally often."""
    here, there = f.node[a], f.node[b]
    if here.count != there.count:
        return False
    for y in range(here.count):  # noqa: SIM110 (numba compiles no generators in all())
        if f.stay[here.first + y] != f.stay[there.first + y]:
            return False
    return True


@inner
def constraints(f):
    """Write one line per distinct crowded node, with its free CPU beyond the floors of its rows; return the count."""
    m, node = f.m[0], f.node
    lines = 0
    for y in range(m.crowded):
        lane, line = f.crowded[y], 0
        while line < lines and not same_tasks(f, f.line[line].lane, lane):
            line += 1
        if line < lines:
            continue
        left, here = 1.0, node[lane]
        for at in range(here.first, here.first + here.count):
            one = f.row[f.stay[at]]
            left -= one.need * one.floor
        f.line[lines].lane, f.line[lines].value = lane, max(0.0, left)
        f.line[lines].top, f.line[lines].sign, f.line[lines].owner = np.inf, 1.0, -1 - lines
        lines += 1
    return lines


@inner
def lay_out(f):
    """Fill the table: one line per constraint, one column per row on a crowded node; return (lines, columns)."""
    m, node, table = f.m[0], f.node, f.table
    lines = constraints(f)
    columns = 0
    for r in range(m.rows):
        one = f.row[r]
        one.column = -1
        if one.shared:
            one.column = columns
            f.column[columns].gain, f.column[columns].top = one.weight, 1.0 - one.floor
            f.column[columns].sign, f.column[columns].owner = 1.0, r
            columns += 1
    if lines * columns > len(table):
        return -1, columns
    for y in range(lines * columns):
        table[y] = 0.0
    for line in range(lines):
        here = node[f.line[line].lane]
        for at in range(here.first, here.first + here.count):
            one = f.row[f.stay[at]]
            table[line * columns + one.column] += one.need
    return lines, columns


@inner
def entering(f, columns, bland):
    """Return the column of largest gain, or under Bland's rule the first with a gain; -1 if there is none."""
    best, found = TINY, -1
    for c in range(columns):
        if f.column[c].gain > best:
            found = c
            if bland:
                return found
            best = f.column[c].gain
    return found


@inner
def leaving(f, lines, columns, c):
    """Return the line that limits the rise of column `c` (-1: its own upper end), and whether at its upper end."""
    step, stop, at_top = f.column[c].top, -1, False
    for line in range(lines):
        slope = f.table[line * columns + c]
        one = f.line[line]
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
def flip_column(f, lines, columns, c):
    """Move column `c` to its other end and measure it from there."""
    table, one = f.table, f.column[c]
    for line in range(lines):
        f.line[line].value -= table[line * columns + c] * one.top
        table[line * columns + c] = -table[line * columns + c]
    one.gain, one.sign = -one.gain, -one.sign


@inner
def flip_line(f, columns, line):
    """Measure the variable of a line from its upper end."""
    table, one = f.table, f.line[line]
    for c in range(columns):
        table[line * columns + c] = -table[line * columns + c]
    one.value, one.sign = one.top - one.value, -one.sign


@inner
def pivot(f, lines, columns, line, c):
    """Exchange the variables of a line and a column."""
    table, row, col = f.table, f.line[line], f.column[c]
    at = line * columns
    p = table[at + c]
    for k in range(columns):
        table[at + k] /= p
    table[at + c] = 1.0 / p
    row.value /= p
    for other in range(lines):
        there = other * columns
        factor = table[there + c]
        if other == line or factor == 0.0:
            continue
        for k in range(columns):
            table[there + k] -= factor * table[at + k]
        table[there + c] = -factor / p
        f.line[other].value = max(0.0, f.line[other].value - factor * row.value)
    gain = col.gain
    for k in range(columns):
        f.column[k].gain -= gain * table[at + k]
    col.gain = -gain / p
    row.owner, col.owner = col.owner, row.owner
    row.top, col.top = col.top, row.top
    row.sign, col.sign = col.sign, row.sign


@compiled
def maximise(f):
    """Set `extra` of all rows on crowded nodes; return False if the table is too small or the search does not end."""
    lines, columns = lay_out(f)
    if lines < 0:
        return False
    for turn in range(STEPS):
        c = entering(f, columns, turn > STEPS // 2)
        if c < 0:
            break
        line, at_top = leaving(f, lines, columns, c)
        if line < 0:
            flip_column(f, lines, columns, c)
            continue
        if at_top:
            flip_line(f, columns, line)
        pivot(f, lines, columns, line, c)
    for r in range(f.m[0].rows):
        f.row[r].extra = 0.0
    for k in range(columns):
        one = f.column[k]
        if one.owner >= 0 and one.sign < 0.0:
            f.row[one.owner].extra = one.top
    for line in range(lines):
        one = f.line[line]
        if one.owner >= 0:
            f.row[one.owner].extra = one.value if one.sign > 0.0 else one.top - one.value
    return c < 0
