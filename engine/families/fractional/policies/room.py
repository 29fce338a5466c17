"""GreedyP and GreedyPM: pause or move less important jobs to place a new one (section 4.2)."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.greedy import choose, greedy
from shadowtime.engine.families.fractional.policies.nodes import LEAVE, SIT, fits, room, sit
from shadowtime.engine.families.fractional.policies.plan import move_to_picks, pause_job
from shadowtime.engine.families.fractional.policies.priority import heap_running, take_least, unit_in
from shadowtime.engine.families.fractional.policies.state import GREEDY, GREEDY_PM
from shadowtime.engine.kernel.cache import inner


@inner
def count_room(s, f, memory):
    """Return how many tasks of `memory` fit into the free memory of all nodes, and copy that to `trial`."""
    node = f.node
    total = np.int64(0)
    for lane in range(s.k[0].lanes):
        node[lane].trial = node[lane].free
        total += room(node[lane].free, memory)
    return total


@inner
def gain(s, f, i, memory, sign):
    """Free (`sign` 1) or take (-1) the memory of unit `i` in `trial`; return the change of the number of
    tasks of `memory` that fit."""
    u, nodes, node, first = s.u[i], f.nodes, f.node, f.j[i].first
    total = np.int64(0)
    for y in range(first, first + u.procs):
        row = node[nodes[y]]
        total -= room(row.trial, memory)
        row.trial += sign * u.memory
        total += room(row.trial, memory)
    return total


@inner
def mark(s, f, i):
    """Write into `marked`, by decreasing priority, running units whose memory makes unit `i` fit; return success."""
    size, memory, best, marked = s.u[i].procs, s.u[i].memory, f.best, f.marked
    at = last = f.m[0].running
    heap_running(s, f)
    total = count_room(s, f, memory)
    while total < size and at > 0:
        at -= 1
        take_least(best, at)
        total += gain(s, f, unit_in(best, at), memory, 1.0)
    if total < size:
        return False
    count = np.int64(0)
    for y in range(at, last):  # drop each unit that is not needed, from the most important on
        unit = unit_in(best, y)
        total += gain(s, f, unit, memory, -1.0)
        if total < size:
            total += gain(s, f, unit, memory, 1.0)
            marked[count] = unit
            count += 1
    f.m[0].marked = count
    return True


@inner
def move(s, f, i):
    """Move running unit `i`, already removed from its nodes, to nodes chosen by Greedy; pause it if it does not fit.

    If Greedy chooses the same nodes, the unit continues without a penalty. Limits do not apply to these moves.
    """
    if not fits(s, f, i):
        pause_job(s, f, i)
        return
    choose(s, f, i)
    if not stays(s, f, i):
        move_to_picks(s, f, i)


@inner
def stays(s, f, i):
    """Return whether `pick` equals the nodes planned for unit `i`; both are ascending."""
    nodes, pick, first = f.nodes, s.pick, f.j[i].first
    for y in range(s.u[i].procs):  # noqa: SIM110 (numba compiles no generators in all())
        if nodes[first + y] != pick[y]:
            return False
    return True


@inner
def submit(s, f, i):
    """Place new unit `i` by Greedy; if that fails, variants with pauses or moves first free memory of other jobs."""
    m = f.m[0]
    if greedy(s, f, i) or m.submission == GREEDY:
        return
    if not mark(s, f, i):
        return
    for y in range(m.marked):
        sit(s, f, f.marked[y], LEAVE)
        if m.submission != GREEDY_PM:
            pause_job(s, f, f.marked[y])
    placed = greedy(s, f, i)  # failure is possible only by rounding
    for y in range(m.marked):
        if placed and m.submission == GREEDY_PM:
            move(s, f, f.marked[y])
        elif not placed and f.j[f.marked[y]].runs > 0:
            sit(s, f, f.marked[y], SIT)
