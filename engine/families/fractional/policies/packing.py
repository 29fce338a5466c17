"""MCB8's packing: two lists; each node takes from the list whose resource it has more of (section 4.3).

`cand` holds the candidates, `cpu` and `memory` of `node` the capacity left by pinned tasks. A task that does not fit
on a node never fits there later, so each list is walked once per node, with jumps from level to level.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.nodes import FITS
from shadowtime.engine.families.fractional.policies.state import LEVELS
from shadowtime.engine.kernel.cache import compiled, inner

NONE = np.int64(-1)


@inner
def level_of(value):
    """Return the number of whole parts of 1 / LEVELS in a share of a node; it does not decrease with the share."""
    return max(np.int64(0), min(np.int64(LEVELS), np.int64(value * LEVELS)))


@inner
def link_lists(f, count):
    """Build the lists C (CPU request above memory) and M (the rest) of the candidates that need nodes.

    C is sorted by decreasing CPU request, the order of `place`; M by decreasing memory, the order of `cand`.
    `jump` holds the first candidate of each level in each list.
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
    """Clear all assignments; sum up the requests of all tasks, and the capacity of each node and all after it."""
    m, cand = f.m[0], f.cand
    m.request_cpu, m.request_memory, m.least_memory, m.unseated = 0.0, 0.0, np.inf, 0
    for c in range(count):
        row = cand[c]
        row.left = 0
        if row.pinned == 0:
            row.left = row.tasks
            m.unseated += row.tasks
            m.request_cpu += row.tasks * row.cpu
            m.request_memory += row.tasks * row.memory
            m.least_memory = min(m.least_memory, row.memory)
    node = f.node
    cpu, memory = 0.0, 0.0
    for lane in range(node.shape[0] - 1, -1, -1):
        cpu += max(0.0, node[lane].cpu)
        memory += max(0.0, node[lane].memory)
        node[lane].ahead_cpu, node[lane].ahead_memory = cpu, memory


@inner
def seat_task(f, c, lane, side):
    """Assign one task of candidate `c` to a node."""
    row, m = f.cand[c], f.m[0]
    f.seat[side + row.first + row.tasks - row.left] = lane
    row.left -= 1
    m.unseated -= 1
    m.request_cpu -= row.cpu
    m.request_memory -= row.memory


@inner
def first_cpu(f, at, a, b):
    """Return the first candidate of list C, from `at` on, with a task left that fits into CPU `a` and memory `b`."""
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
    """Return the same for list M."""
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
    """Assign tasks to one node until none fits."""
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
    """Pack the tasks of `count` candidates, which need `cpu` and `memory` each; return whether all have a node.

    Their nodes are written from `seat[side + first]` on, ascending. The attempt ends as soon as the total capacity of
    the remaining nodes is below the total request of the remaining tasks.
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
        if m.request_memory > node[lane].ahead_memory + slack or m.request_cpu > node[lane].ahead_cpu + slack:
            return False
        fill(f, lane, side)
    return m.unseated == 0
