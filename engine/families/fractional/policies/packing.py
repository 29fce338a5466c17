"""MCB8's packing: two lists, and on each node the one whose resource is freer comes first (section 4.3).

Candidates stand in `cand`; what pinned tasks leave of each node in `cpu` and `memory` of `node`. A task that does not
fit on a node never fits there later, so each list is walked once per node, and from level to level in jumps.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.nodes import FITS
from shadowtime.engine.families.fractional.policies.state import LEVELS
from shadowtime.engine.kernel.cache import compiled, inner

NONE = np.int64(-1)


@inner
def level_of(value):
    """The whole parts of LEVELS in a share of a node; what fits into it has as many at most."""
    return max(np.int64(0), min(np.int64(LEVELS), np.int64(value * LEVELS)))


@inner
def link_lists(f, count):
    """Lists C (CPU request above memory) and M (the rest) over the candidates that need a node.

    C goes by decreasing CPU request, which is the order of `place`; M by decreasing memory, the order of `cand`.
    `jump` says where in each those of a level begin.
    """
    cand, place, jump = f.cand, f.place, f.jump
    tail, level = NONE, np.int64(LEVELS)
    for y in range(count):
        c = place[y]
        if cand[c].pinned == 0 and cand[c].cpu > cand[c].memory:
            if tail != NONE:
                cand[tail].next_cpu = c
            cand[c].next_cpu = NONE
            tail = np.int64(c)
            while level >= level_of(cand[c].cpu):
                jump[level].cpu = c
                level -= 1
    while level >= 0:
        jump[level].cpu = NONE
        level -= 1
    tail, level = NONE, np.int64(LEVELS)
    for c in range(count):
        if cand[c].pinned == 0 and cand[c].cpu <= cand[c].memory:
            if tail != NONE:
                cand[tail].next_memory = c
            cand[c].next_memory = NONE
            tail = np.int64(c)
            while level >= level_of(cand[c].memory):
                jump[level].memory = c
                level -= 1
    while level >= 0:
        jump[level].memory = NONE
        level -= 1


@inner
def reset(f, count):
    """Nobody has a node yet; what all ask for, and what the nodes from each one on still have."""
    m, cand = f.m[0], f.cand
    m.wanted_cpu, m.wanted_memory, m.least_memory, m.unseated = 0.0, 0.0, np.inf, 0
    for c in range(count):
        row = cand[c]
        row.left = 0
        if row.pinned == 0:
            row.left = row.tasks
            m.unseated += row.tasks
            m.wanted_cpu += row.tasks * row.cpu
            m.wanted_memory += row.tasks * row.memory
            m.least_memory = min(m.least_memory, row.memory)
    node = f.node
    cpu, memory = 0.0, 0.0
    for lane in range(node.shape[0] - 1, -1, -1):
        cpu += max(0.0, node[lane].cpu)
        memory += max(0.0, node[lane].memory)
        node[lane].ahead_cpu, node[lane].ahead_memory = cpu, memory


@inner
def seat_task(f, c, lane, side):
    """One task of candidate `c` on a node."""
    row, m = f.cand[c], f.m[0]
    f.seat[side + row.first + row.tasks - row.left] = lane
    row.left -= 1
    m.unseated -= 1
    m.wanted_cpu -= row.cpu
    m.wanted_memory -= row.memory


@inner
def first_cpu(f, at, a, b):
    """The first of list C, from `at` on, with a task left that fits into CPU `a` and memory `b`."""
    cand = f.cand
    if at != NONE and cand[at].cpu > a + FITS:
        level = level_of(a + FITS)
        if level_of(cand[at].cpu) > level:
            at = f.jump[level].cpu
            while at != NONE and cand[at].left == 0:
                at = cand[at].next_cpu
            f.jump[level].cpu = at
    while at != NONE and (cand[at].left == 0 or cand[at].cpu > a + FITS or cand[at].memory > b + FITS):
        after = cand[at].next_cpu
        while after != NONE and cand[after].left == 0:
            after = cand[after].next_cpu
        cand[at].next_cpu = after
        at = after
    return at


@inner
def first_memory(f, at, a, b):
    """The same of list M."""
    cand = f.cand
    if at != NONE and cand[at].memory > b + FITS:
        level = level_of(b + FITS)
        if level_of(cand[at].memory) > level:
            at = f.jump[level].memory
            while at != NONE and cand[at].left == 0:
                at = cand[at].next_memory
            f.jump[level].memory = at
    while at != NONE and (cand[at].left == 0 or cand[at].cpu > a + FITS or cand[at].memory > b + FITS):
        after = cand[at].next_memory
        while after != NONE and cand[after].left == 0:
            after = cand[after].next_memory
        cand[at].next_memory = after
        at = after
    return at


@inner
def fill(f, lane, side):
    """Fill one node."""
    m, cand = f.m[0], f.cand
    a, b = f.node[lane].cpu, f.node[lane].memory
    at_c, at_m = f.jump[LEVELS].cpu, f.jump[LEVELS].memory
    while b + FITS >= m.least_memory:
        if a >= b:
            at_c = first_cpu(f, at_c, a, b)
            chosen = at_c
            if chosen == NONE:
                at_m = first_memory(f, at_m, a, b)
                chosen = at_m
        else:
            at_m = first_memory(f, at_m, a, b)
            chosen = at_m
            if chosen == NONE:
                at_c = first_cpu(f, at_c, a, b)
                chosen = at_c
        if chosen == NONE:
            return
        a -= cand[chosen].cpu
        b -= cand[chosen].memory
        seat_task(f, chosen, lane, side)


@compiled
def pack(f, count, side):
    """Pack the tasks of `count` candidates, asking for `cpu` and `memory` each; whether all found a node.

    Their nodes are written from `seat[side + first]` on, ascending. Given up as soon as what is left of the nodes,
    added up, cannot hold what is left of the tasks.
    """
    m, node = f.m[0], f.node
    m.packings += 1
    reset(f, count)
    if count == 0:
        return True
    link_lists(f, count)
    slack = FITS * (node.shape[0] + 1)
    for lane in range(node.shape[0]):
        if m.unseated == 0:
            return True
        if m.wanted_memory > node[lane].ahead_memory + slack or m.wanted_cpu > node[lane].ahead_cpu + slack:
            return False
        fill(f, lane, side)
    return m.unseated == 0
