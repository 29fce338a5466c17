"""GreedyP and GreedyPM: less important jobs make room for a new one (section 4.2)."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.greedy import choose, greedy, settle_down
from shadowtime.engine.families.fractional.policies.nodes import LEAVE, SIT, fits, room, sit
from shadowtime.engine.families.fractional.policies.present import put_aside
from shadowtime.engine.families.fractional.policies.priority import heap_running
from shadowtime.engine.families.fractional.policies.sorting import take_least
from shadowtime.engine.families.fractional.policies.state import GREEDY, GREEDY_PM
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import FOREGROUND, RUNNING
from shadowtime.engine.kernel.vocabulary import place


@inner
def count_room(s, f, memory):
    """Tasks of `memory` that fit into the free memory of all nodes; `trial` becomes what is free."""
    node = f.node
    total = np.int64(0)
    for lane in range(s.k[0].lanes):
        node[lane].trial = node[lane].free
        total += room(node[lane].free, memory)
    return total


@inner
def gain(s, f, i, memory, sign):
    """How many tasks of `memory` more (`sign` 1) or less (-1) there is room for with the memory of unit `i` free."""
    u, hold, node = s.u[i], s.hold, f.node
    total = np.int64(0)
    for y in range(u.first, u.first + u.procs):
        row = node[hold[y]]
        total -= room(row.trial, memory)
        row.trial += sign * u.memory
        total += room(row.trial, memory)
    return total


@inner
def mark(s, f, i):
    """Choose running units whose memory lets unit `i` fit, into `marked` by decreasing priority; whether there are.

    Step 1: the least important ones, one by one, until there is room. Step 2: of these, from the most important
    on, whoever is not needed after all stays.
    """
    size, memory, best, marked = s.u[i].procs, s.u[i].memory, f.best, f.marked
    at = last = f.m[0].running
    heap_running(s, f)
    total = count_room(s, f, memory)
    while total < size and at > 0:
        at -= 1
        take_least(best, at)
        total += gain(s, f, best[at].unit, memory, 1.0)
    if total < size:
        return False
    count = np.int64(0)
    for y in range(at, last):
        total += gain(s, f, best[y].unit, memory, -1.0)
        if total < size:
            total += gain(s, f, best[y].unit, memory, 1.0)
            marked[count] = best[y].unit
            count += 1
    f.m[0].marked = count
    return True


@inner
def move(s, f, i):
    """Move running unit `i`, which has left its nodes, to where Greedy finds room; else pause it.

    On the same nodes as before it was never touched. Limits do not bind these moves.
    """
    if not fits(s, f, i):
        put_aside(s, f, i)
        return
    choose(s, f, i)
    if not stays(s, i):
        place(s, i, FOREGROUND, 0.0, 0.0, f.m[0].penalty)


@inner
def stays(s, i):
    """Whether the picks, ascending, are the nodes that unit `i` holds, which stand ascending too."""
    u, hold, pick = s.u[i], s.hold, s.pick
    for y in range(u.procs):  # noqa: SIM110 (numba compiles no generators in all())
        if hold[u.first + y] != pick[y]:
            return False
    return True


@inner
def submit(s, f, i):
    """A new job: Greedy, and where that fails and the variant has it, Greedy after others made room."""
    m = f.m[0]
    if greedy(s, f, i) or m.submission == GREEDY:
        return
    if not mark(s, f, i):
        return
    for y in range(m.marked):
        sit(s, f, f.marked[y], LEAVE)
        if m.submission != GREEDY_PM:
            put_aside(s, f, f.marked[y])
    if not fits(s, f, i):  # only rounding can have promised too much
        for y in range(m.marked):
            if s.u[f.marked[y]].state == RUNNING:
                sit(s, f, f.marked[y], SIT)
        return
    choose(s, f, i)
    settle_down(s, f, i)
    if m.submission == GREEDY_PM:
        for y in range(m.marked):
            move(s, f, f.marked[y])
