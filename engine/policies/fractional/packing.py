"""MCB8's packing: two lists, and on each node the one whose resource is freer comes first (section 4.3).

Candidates stand in `cand`; what pinned tasks leave of each node in `cpu` and `memory` of `node`. A task that does not
fit on a node never fits there later, so each list is walked once per node.
"""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import compiled, inner
from engine.policies.fractional.nodes import FITS

NONE = np.int64(-1)


@inner
def link_lists(f, count):
    """Lists C (CPU request above memory) and M (the rest) over the candidates that need a node.

    C goes by decreasing CPU request, which is the order of `place`; M by decreasing memory, the order of `cand`.
    """
    m, cand, place = f.m[0], f.cand, f.place
    m.head_cpu, m.head_memory = NONE, NONE
    tail = NONE
    for y in range(count):
        c = place[y]
        if cand[c].pinned == 0 and cand[c].cpu > cand[c].memory:
            if tail == NONE:
                m.head_cpu = c
            else:
                cand[tail].next_cpu = c
            cand[c].next_cpu = NONE
            tail = np.int64(c)
    tail = NONE
    for c in range(count):
        if cand[c].pinned == 0 and cand[c].cpu <= cand[c].memory:
            if tail == NONE:
                m.head_memory = c
            else:
                cand[tail].next_memory = c
            cand[c].next_memory = NONE
            tail = np.int64(c)


@inner
def reset(f, count):
    """Nobody has a node yet; what all ask for, and what the nodes from each one on still have."""
    m, cand = f.m[0], f.cand
    m.wanted_cpu, m.wanted_memory, m.least_memory = 0.0, 0.0, np.inf
    for c in range(count):
        row = cand[c]
        row.left = 0
        if row.pinned == 0:
            row.left = row.tasks
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
    m.wanted_cpu -= row.cpu
    m.wanted_memory -= row.memory


@inner
def fill(f, lane, side):
    """Fill one node; how many tasks it got."""
    m, cand = f.m[0], f.cand
    a, b = f.node[lane].cpu, f.node[lane].memory
    before_c, at_c, before_m, at_m = NONE, m.head_cpu, NONE, m.head_memory
    seated = 0
    while b + FITS >= m.least_memory:
        cpu_first = a >= b
        chosen = NONE
        for turn in range(2):
            if (turn == 0) == cpu_first:
                while at_c != NONE and (cand[at_c].cpu > a + FITS or cand[at_c].memory > b + FITS):
                    before_c, at_c = at_c, cand[at_c].next_cpu
                chosen = at_c
            else:
                while at_m != NONE and (cand[at_m].cpu > a + FITS or cand[at_m].memory > b + FITS):
                    before_m, at_m = at_m, cand[at_m].next_memory
                chosen = at_m
            if chosen != NONE:
                break
        if chosen == NONE:
            break
        row = cand[chosen]
        a -= row.cpu
        b -= row.memory
        seat_task(f, chosen, lane, side)
        seated += 1
        if row.left == 0:
            if row.cpu > row.memory:
                at_c = row.next_cpu
                if before_c == NONE:
                    m.head_cpu = at_c
                else:
                    cand[before_c].next_cpu = at_c
            else:
                at_m = row.next_memory
                if before_m == NONE:
                    m.head_memory = at_m
                else:
                    cand[before_m].next_memory = at_m
    return seated


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
        if m.head_cpu == NONE and m.head_memory == NONE:
            return True
        if m.wanted_memory > node[lane].ahead_memory + slack or m.wanted_cpu > node[lane].ahead_cpu + slack:
            return False
        fill(f, lane, side)
    return m.head_cpu == NONE and m.head_memory == NONE
