"""Greedy: each task on the least loaded node that has the memory (section 4.2)."""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner
from engine.kernel.state import FOREGROUND, PAUSED, QUEUED
from engine.kernel.vocabulary import place
from engine.policies.fractional.nodes import EVEN, FITS, SIT, fits, put
from engine.policies.fractional.priority import sort, weigh


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


@inner
def greedy(s, f, i):
    """Place unit `i` if it fits; whether it did."""
    if not fits(s, f, i):
        return False
    choose(s, f, i)
    settle_down(s, f, i)
    return True


@inner
def free_memory(s, f):
    """Memory that is free on all nodes together, and the most that is free on one."""
    total, most = 0.0, 0.0
    node = f.node
    for lane in range(s.k[0].lanes):
        total += node[lane].free
        most = max(most, node[lane].free)
    return total, most


@inner
def greedy_all(s, f):
    """On completion: waiting and paused jobs by decreasing priority, each placed if it fits, skipped otherwise.

    Memory only shrinks meanwhile, so that who does not fit at first need not be sorted.
    """
    m, order = f.m[0], f.order
    total, most = free_memory(s, f)
    count = np.int64(0)
    for y in range(m.present):
        i = f.present[y]
        u = s.u[i]
        if u.state != QUEUED and u.state != PAUSED:
            continue
        if u.memory <= most + FITS and u.procs * (u.memory - FITS) <= total and fits(s, f, i):
            weigh(s, f, i)
            order[count] = i
            count += 1
    sort(f.j, order, count)
    for y in range(count):
        greedy(s, f, order[y])
