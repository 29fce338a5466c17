"""The linear program of the mean yield: the largest weighted sum of yields that fits on the nodes.

    maximise sum w_r x_r   with 0 <= x_r <= top_r,   sum over the tasks of a node: need_r x_r <= free CPU of the node

x is the yield of a row beyond its floor. Nodes with the same tasks form one constraint. Constraints without a common
row, directly or through others, belong to different parts, which are solved apart: on HPC2N a program of 99
constraints and 162 rows has 2.2 coefficients a constraint, so that its parts are small.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled, inner


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
def distinct(f):
    """Write the first of all crowded nodes with the same tasks, in their order, to `constraint`; return the count."""
    count = 0
    for y in range(f.m[0].crowded):
        lane, line = f.crowded[y], 0
        while line < count and not same_tasks(f, f.constraint[line].lane, lane):
            line += 1
        if line == count:
            f.constraint[count].lane, f.constraint[count].root = lane, count
            count += 1
    return count


@inner
def root_of(f, line):
    """Return the first constraint that is known to belong to the same part."""
    one = f.constraint
    while one[line].root != line:
        one[line].root = one[one[line].root].root
        line = one[line].root
    return line


@inner
def join(f, lines):
    """Join the constraints that a row has in common; `column` of a row becomes one of its constraints."""
    for r in range(f.m[0].rows):
        f.row[r].column = -1
    for line in range(lines):
        here = f.node[f.constraint[line].lane]
        for at in range(here.first, here.first + here.count):
            one = f.row[f.stay[at]]
            if one.column < 0:
                one.column = line
            else:
                a, b = root_of(f, line), root_of(f, one.column)
                f.constraint[max(a, b)].root = min(a, b)


@inner
def count_parts(f, lines):
    """Number the parts and count their lines and columns; return how many there are."""
    parts = 0
    for line in range(lines):
        root = root_of(f, line)
        if root == line:
            f.constraint[line].part = parts
            f.part[parts].lines, f.part[parts].columns = 0, 0
            parts += 1
        f.constraint[line].part = f.constraint[root].part
        f.part[f.constraint[line].part].lines += 1
    for r in range(f.m[0].rows):
        if f.row[r].shared:
            f.part[f.constraint[f.row[r].column].part].columns += 1
    return parts


@compiled
def split(f):
    """Give each part a range of lines and columns, in the order of nodes and rows; return how many parts there are.

    The floors must be set. Returns -1 if the tables need too much memory.
    """
    lines = distinct(f)
    join(f, lines)
    parts = count_parts(f, lines)
    line, column, entry = 0, 0, 0
    for p in range(parts):
        part = f.part[p]
        part.line, part.column, part.entry = line, column, entry
        line, column, entry = line + part.lines, column + part.columns, entry + part.lines * part.columns
        part.lines, part.columns = 0, 0
    if entry > len(f.table):
        return -1
    for r in range(f.m[0].rows):
        one = f.row[r]
        if one.shared:
            part = f.part[f.constraint[one.column].part]
            one.column = part.column + part.columns
            f.column[one.column].row = r
            part.columns += 1
    for y in range(lines):
        part = f.part[f.constraint[y].part]
        here = f.line[part.line + part.lines]
        here.lane, here.room = f.constraint[y].lane, room_on(f, f.constraint[y].lane)
        part.lines += 1
    return parts


@inner
def room_on(f, lane):
    """Return the CPU of a node that the floors of its rows leave free."""
    left, here = 1.0, f.node[lane]
    for at in range(here.first, here.first + here.count):
        one = f.row[f.stay[at]]
        left -= one.need * one.floor
    return max(0.0, left)


@inner
def lay_out(f, part):
    """Fill the table of a part: one line per constraint, one column per row."""
    for y in range(part.entry, part.entry + part.lines * part.columns):
        f.table[y] = 0.0
    for y in range(part.columns):
        column = f.column[part.column + y]
        one = f.row[column.row]
        column.gain, column.top, column.sign, column.owner = one.weight, 1.0 - one.floor, 1.0, column.row
    for y in range(part.lines):
        line = f.line[part.line + y]
        line.value, line.top, line.sign, line.owner = line.room, np.inf, 1.0, -1
        here = f.node[line.lane]
        for at in range(here.first, here.first + here.count):
            one = f.row[f.stay[at]]
            f.table[part.entry + y * part.columns + one.column - part.column] += one.need
