"""Greedy: each task on the least loaded node that has the memory (section 4.2)."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.nodes import EVEN, FITS, MANY, SIT, fits, put
from shadowtime.engine.families.fractional.policies.plan import start_or_resume
from shadowtime.engine.families.fractional.policies.priority import NEARLY, keep_best, priority_of, sort, unit_in
from shadowtime.engine.families.fractional.policies.state import LEVELS
from shadowtime.engine.kernel.arrays import insert_sorted
from shadowtime.engine.kernel.cache import inner

FEW = np.int64(64)
"""Number of jobs that are tried before the others are scanned again."""
LOWER = 0.9998
"""Factor by which guesses of a priority are lowered; close to 1, since backlogs have many jobs of similar priority."""


@inner
def choose(s, f, i):
    """Assign each task of unit `i`, which fits, to the node of least load, the lowest of equal ones, and write these,
    ascending, into `pick`."""
    u, node, pick = s.u[i], f.node, s.pick
    for y in range(u.procs):
        best = np.int64(-1)
        for lane in range(s.k[0].lanes):
            if node[lane].free + FITS >= u.memory and (best < 0 or node[lane].load < node[best].load - EVEN):
                best = np.int64(lane)
        put(node, best, u.need, u.memory, SIT)
        insert_sorted(pick, y, best)


@inner
def greedy(s, f, i):
    """Place unit `i` if it fits; return whether it did."""
    if not fits(s, f, i):
        return False
    choose(s, f, i)
    start_or_resume(s, f, i)
    return True


@inner
def known_to_fail(f, procs, memory):
    """Return whether `procs` tasks of `memory` need at least as much as a request that failed in this pass."""
    for y in range(f.m[0].failures):  # noqa: SIM110 (numba compiles no generators in any())
        if procs >= f.failure[y].procs and memory >= f.failure[y].memory:
            return True
    return False


@inner
def remember_failure(f, procs, memory):
    """Record that `procs` tasks of `memory` do not fit; larger recorded failures are redundant and removed."""
    m, kept = f.m[0], np.int64(0)
    for y in range(m.failures):
        if f.failure[y].procs < procs or f.failure[y].memory < memory:
            f.failure[kept] = f.failure[y]
            kept += 1
    if kept < len(f.failure):
        f.failure[kept].procs, f.failure[kept].memory = procs, memory
        kept += 1
    m.failures = kept


@inner
def count_capacities(s, f):
    """Count how many tasks of each level of memory fit: of a job's tasks at most `most` of its own level, and at least
    `least` of the next level."""
    node, capacity = f.node, f.capacity
    for level in range(LEVELS + 2):
        capacity[level].most, capacity[level].least = 0, 0
        capacity[level].most_lanes, capacity[level].least_lanes = 0, 0
    for lane in range(s.k[0].lanes):
        free = max(0.0, node[lane].free)
        capacity[min(np.int64(LEVELS), np.int64((free + 2.0 * FITS) * LEVELS))].most_lanes += 1
        capacity[min(np.int64(LEVELS), np.int64(free * LEVELS))].least_lanes += 1
    for free in range(1, LEVELS + 1):
        row = capacity[free]
        if row.most_lanes + row.least_lanes > 0:
            for level in range(1, free + 1):
                capacity[level].most += row.most_lanes * (free // level)
                capacity[level].least += row.least_lanes * (free // level)
    capacity[0].most = MANY


@inner
def could_fit(s, f, guess):
    """Write into `best` the most important units of priority `guess` or more that each fit now, and return how many."""
    wait, age, best, capacity, now = f.wait, f.age, f.best, f.capacity, s.k[0].now
    count, least = np.int64(0), guess
    for g in range(len(f.group)):
        group = f.group[g]
        procs = group.procs
        if group.count == 0 or procs > capacity[group.level].most:
            continue
        surely = procs <= capacity[group.level + 1].least
        for y in range(group.first, group.first + group.count):
            flow, virtual = now - age[y].release, age[y].virtual_time
            if flow * NEARLY < least * virtual * virtual:  # never true at virtual time 0, even if least is infinite
                continue
            if not surely:  # between the two bounds: count with its exact memory
                if known_to_fail(f, procs, wait[y].memory):
                    continue
                if not fits(s, f, wait[y].unit):
                    remember_failure(f, procs, wait[y].memory)
                    continue
            priority = priority_of(flow, virtual)
            if priority >= guess:
                count = keep_best(best, count, FEW, wait[y].unit, priority)
                if count == FEW:
                    least = best[0].key
    sort(best, count)
    return count


@inner
def is_full(s, f):
    """Return whether no node has room for a task of the least memory."""
    for lane in range(s.k[0].lanes):  # noqa: SIM110 (numba compiles no generators in any())
        if f.node[lane].free + FITS >= f.m[0].smallest:
            return False
    return True


@inner
def greedy_all(s, f):
    """On completion: place each waiting or paused job that fits, by decreasing priority.

    Free memory only shrinks during the pass: a job that does not fit at first, or needs as much as one that failed,
    never fits. Thousands of jobs may wait, so the most important are tried before the others are scanned again.
    """
    m, guess = f.m[0], f.m[0].eager
    m.failures = 0
    while True:
        if is_full(s, f):
            return
        count_capacities(s, f)
        count = could_fit(s, f, guess)
        if count == FEW:
            least = f.best[count - 1].key
            m.eager = least if least < np.inf else 0.0
        elif guess > 0.0:
            m.eager *= LOWER**10
        for y in range(count):
            i = unit_in(f.best, y)
            u = s.u[i]
            if not known_to_fail(f, u.procs, u.memory) and not greedy(s, f, i):
                remember_failure(f, u.procs, u.memory)
        if count < FEW and guess == 0.0:
            return
        guess = 0.0
