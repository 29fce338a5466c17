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
CPU, MEMORY = np.int64(0), np.int64(LEVELS + 1)
"""Where the list begins in `jump`."""


@inner
def level_of(value):
    """Return the number of whole parts of 1 / LEVELS in a share of a node; it does not decrease with the share."""
    return max(np.int64(0), min(np.int64(LEVELS), np.int64(value * LEVELS)))


@inner
def link(f, count, which):
    """Build list C (CPU request above memory, in the order of `place`) or M (the rest, in that of `cand`) of the
    candidates that need nodes; write the first of each level into `jump`."""
    cand, jump = f.cand, f.jump
    tail, level = NONE, np.int64(LEVELS)
    for y in range(count):
        c = f.place[y] if which == CPU else np.int64(y)
        row = cand[c]
        if row.pinned or (row.cpu > row.memory) != (which == CPU):
            continue
        if tail != NONE:
            cand[tail].next = c
        row.next = NONE
        tail = c
        row.size = max(row.cpu, row.memory)
        while level >= level_of(row.size):
            jump[which + level] = c
            level -= 1
    for rest in range(level + 1):
        jump[which + rest] = NONE


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
def first_left(cand, at):
    """Return the first candidate, from `at` on, with a task left; NONE if there is none."""
    while at != NONE and cand[at].left == 0:
        at = cand[at].next
    return at


@inner
def first_fit(f, which, at, a, b):
    """Return the first candidate of a list, from `at` on, with a task left that fits into CPU `a` and memory `b`."""
    cand, most = f.cand, (a if which == CPU else b) + FITS
    if at != NONE and cand[at].size > most:
        level = level_of(most)
        if level_of(cand[at].size) > level:
            at = first_left(cand, f.jump[which + level])
            f.jump[which + level] = at
    while at != NONE and (cand[at].left == 0 or cand[at].cpu > a + FITS or cand[at].memory > b + FITS):
        cand[at].next = first_left(cand, cand[at].next)
        at = cand[at].next
    return at


@inner
def fill(f, lane, side):
    """Assign tasks to one node until none fits."""
    m, cand = f.m[0], f.cand
    a, b = f.node[lane].cpu, f.node[lane].memory
    at_c, at_m = f.jump[CPU + LEVELS], f.jump[MEMORY + LEVELS]
    while b + FITS >= m.least_memory:
        chosen = NONE
        if a >= b:
            chosen = at_c = first_fit(f, CPU, at_c, a, b)
        if chosen == NONE:
            chosen = at_m = first_fit(f, MEMORY, at_m, a, b)
        if chosen == NONE and a < b:
            chosen = at_c = first_fit(f, CPU, at_c, a, b)
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
    link(f, count, CPU)
    link(f, count, MEMORY)
    slack = FITS * (node.shape[0] + 1)
    for lane in range(node.shape[0]):
        if m.unseated == 0:
            return True
        if m.request_memory > node[lane].ahead_memory + slack or m.request_cpu > node[lane].ahead_cpu + slack:
            return False
        fill(f, lane, side)
    return m.unseated == 0
