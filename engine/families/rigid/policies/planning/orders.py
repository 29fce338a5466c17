"""The orders from which the search for a plan starts: all permutations of a few jobs, else the usual orders."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.backfilling.queue import key_of, sort_by_key
from shadowtime.engine.kernel.cache import inner

FCFS, SJF, LJF, SAF = range(4)
NARROW, WIDE = -1, -2
INITIAL = (FCFS, SJF, LJF, NARROW, WIDE, SAF)
"""Codes of `ORDERS`, and the fewest or the most processors first."""


@inner
def swap(rows, a, b):
    """Exchange two values."""
    rows[a], rows[b] = rows[b], rows[a]


@inner
def next_permutation(rows, count):
    """Make the next permutation of `count` units in lexicographic order; return False after the last one."""
    a = count - 2
    while a >= 0 and rows[a] > rows[a + 1]:
        a -= 1
    if a < 0:
        return False
    b = count - 1
    while rows[b] < rows[a]:
        b -= 1
    swap(rows, a, b)
    a, b = a + 1, count - 1
    while a < b:
        swap(rows, a, b)
        a, b = a + 1, b - 1
    return True


@inner
def line_up(s, q, order):
    """Write the waiting units into `line` in one of the initial orders; equal keys in submission order."""
    m = q.m[0]
    for y in range(m.waiting):
        i = q.queue[y]
        q.line[y] = i
        if order == NARROW:
            q.second[i] = float(s.u[i].procs)
        elif order == WIDE:
            q.second[i] = -float(s.u[i].procs)
        else:
            q.second[i] = key_of(s, q, i, order)
    sort_by_key(q.second, q.line, m.waiting)
