"""GreedyP and GreedyPM: pause or move less important jobs to place a new one (section 4.2)."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.greedy import choose, greedy, start_or_resume
from shadowtime.engine.families.fractional.policies.nodes import LEAVE, SIT, fits, room, sit
from shadowtime.engine.families.fractional.policies.present import pause_job
from shadowtime.engine.families.fractional.policies.priority import heap_running
from shadowtime.engine.families.fractional.policies.sorting import take_least
from shadowtime.engine.families.fractional.policies.state import GREEDY, GREEDY_PM
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import FOREGROUND, RUNNING
from shadowtime.engine.kernel.vocabulary import place


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
    """Write into `marked`, by decreasing priority, running units whose memory makes unit `i` fit; return success.

    Step 1: mark the least important units, one by one, until there is room. Step 2: of these, from the most important
    on, unmark each unit that is not needed.
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
    """Move running unit `i`, already removed from its nodes, to nodes chosen by Greedy; pause it if it does not fit.

    If Greedy chooses the same nodes, the unit continues without a penalty. Limits do not apply to these moves.
    """
    if not fits(s, f, i):
        pause_job(s, f, i)
        return
    choose(s, f, i)
    if not stays(s, i):
        place(s, i, FOREGROUND, 0.0, 0.0, f.m[0].penalty)


@inner
def stays(s, i):
    """Return whether `pick` equals the nodes that unit `i` holds; both are ascending."""
    u, hold, pick = s.u[i], s.hold, s.pick
    for y in range(u.procs):  # noqa: SIM110 (numba compiles no generators in all())
        if hold[u.first + y] != pick[y]:
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
    if not fits(s, f, i):  # possible only by rounding
        for y in range(m.marked):
            if s.u[f.marked[y]].state == RUNNING:
                sit(s, f, f.marked[y], SIT)
        return
    choose(s, f, i)
    start_or_resume(s, f, i)
    if m.submission == GREEDY_PM:
        for y in range(m.marked):
            move(s, f, f.marked[y])
