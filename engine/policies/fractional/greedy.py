"""Greedy: each task on the least loaded node that has the memory (section 4.2)."""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner
from engine.kernel.state import FOREGROUND, QUEUED
from engine.kernel.vocabulary import place
from engine.policies.fractional.heap import heap_up, take_first
from engine.policies.fractional.nodes import EVEN, FITS, MANY, SIT, fits, put, room
from engine.policies.fractional.present import run_on
from engine.policies.fractional.priority import priority_of
from engine.policies.fractional.state import LEVELS


@inner
def choose(s, f, i):
    """Seat the tasks of unit `i`, which fits, and write their nodes, ascending, into `pick`.

    Each takes the node of the smallest load of CPU needs; of equal ones the lowest.
    """
    u, node, pick = s.u[i], f.node, s.pick
    for y in range(u.procs):
        best = np.int64(-1)
        for lane in range(s.k[0].lanes):
            if node[lane].free + FITS >= u.memory and (best < 0 or node[lane].load < node[best].load - EVEN):
                best = np.int64(lane)
        put(node, best, u.need, u.memory, SIT)
        at = y
        while at > 0 and pick[at - 1] > best:
            pick[at] = pick[at - 1]
            at -= 1
        pick[at] = best


@inner
def settle_down(s, f, i):
    """Start or resume unit `i` on the nodes in `pick`; its yield is said later. A first start costs nothing."""
    penalty = f.m[0].penalty if s.u[i].state != QUEUED else 0.0
    place(s, i, FOREGROUND, 0.0, 0.0, penalty)
    run_on(f, i)


@inner
def greedy(s, f, i):
    """Place unit `i` if it fits; whether it did."""
    if not fits(s, f, i):
        return False
    choose(s, f, i)
    settle_down(s, f, i)
    return True


@inner
def known_to_fail(f, procs, memory):
    """Whether so many tasks of so much memory ask for at least what has failed in this pass already."""
    for y in range(f.m[0].failures):  # noqa: SIM110 (numba compiles no generators in any())
        if procs >= f.failure[y].procs and memory >= f.failure[y].memory:
            return True
    return False


@inner
def remember_failure(f, procs, memory):
    """So much did not fit; what asks for at least as much is forgotten, since this says more."""
    m, kept = f.m[0], np.int64(0)
    for y in range(m.failures):
        if f.failure[y].procs < procs or f.failure[y].memory < memory:
            f.failure[kept].procs, f.failure[kept].memory = f.failure[y].procs, f.failure[y].memory
            kept += 1
    if kept < len(f.failure):
        f.failure[kept].procs, f.failure[kept].memory = procs, memory
        kept += 1
    m.failures = kept


@inner
def count_capacities(s, f):
    """How many tasks of each level of memory fit: those of a job fit at most as often as its level says, and at least
    as often as the next one."""
    node, capacity = f.node, f.capacity
    capacity[0] = MANY
    for level in range(1, LEVELS + 2):
        capacity[level] = 0
    for lane in range(s.k[0].lanes):
        free = node[lane].free
        for level in range(1, min(np.int64(LEVELS), np.int64((free + FITS) * LEVELS)) + 1):
            capacity[level] += room(free, level / LEVELS)


@inner
def could_fit(s, f):
    """The units that wait and fit now, each on its own, into `pool` as a heap by priority; their number."""
    m, now, capacity, pool = f.m[0], s.k[0].now, f.capacity, f.pool
    count_capacities(s, f)
    m.failures, m.least_procs, m.least_memory = 0, MANY, np.inf
    count = np.int64(0)
    for y in range(m.waiting):
        row = f.wait[y]
        if row.procs > capacity[row.level]:
            continue
        if row.procs > capacity[row.level + 1]:  # between the two bounds: count for its own memory
            if known_to_fail(f, row.procs, row.memory):
                continue
            if not fits(s, f, row.unit):
                remember_failure(f, row.procs, row.memory)
                continue
        m.least_procs, m.least_memory = min(m.least_procs, row.procs), min(m.least_memory, row.memory)
        pool[count].unit, pool[count].priority = row.unit, priority_of(now - row.release, row.lived)
        count += 1
    heap_up(pool, count)
    return count


@inner
def greedy_all(s, f):
    """On completion: waiting and paused jobs by decreasing priority, each placed if it fits, skipped otherwise.

    Memory only shrinks meanwhile: who does not fit at first, or asks for as much as somebody who failed, never fits.
    """
    m = f.m[0]
    left = could_fit(s, f)
    while left > 0 and not known_to_fail(f, m.least_procs, m.least_memory):
        i = take_first(f.pool, left)
        left -= 1
        u = s.u[i]
        if not known_to_fail(f, u.procs, u.memory) and not greedy(s, f, i):
            remember_failure(f, u.procs, u.memory)
