"""What each node has left: free memory, and the load of CPU needs (not of yields)."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.kernel.cache import inner

FITS = 1e-9
"""Memory and CPU may be overdrawn by this: sums of fractions round."""
EVEN = 1e-12
"""Loads closer than this are equal, so that the lowest node is taken."""

SIT, LEAVE = 1.0, -1.0
MANY = np.int64(2**40)
"""Tasks without memory that a node takes."""


@inner
def put(node, lane, need, memory, sign):
    """One task more (`sign` SIT) or less (LEAVE) on a node; an empty node holds exactly nothing."""
    row = node[lane]
    row.free -= sign * memory
    row.load += sign * need
    row.tasks += 1 if sign > 0.0 else -1
    if row.tasks == 0:
        row.free, row.load = 1.0, 0.0


@inner
def sit(s, f, i, sign):
    """All tasks of unit `i`, on the nodes that the kernel has for it, sit down or leave."""
    u, hold, node = s.u[i], s.hold, f.node
    for y in range(u.first, u.first + u.procs):
        put(node, hold[y], u.need, u.memory, sign)


@inner
def room(free, memory):
    """How many tasks of `memory` fit into `free`."""
    if memory <= 0.0:
        return MANY
    return np.int64(math.floor((free + FITS) / memory))


@inner
def fits(s, f, i):
    """Whether all tasks of unit `i` find memory: Greedy then succeeds, since they are all alike."""
    count, memory, node = s.u[i].procs, s.u[i].memory, f.node
    for lane in range(s.k[0].lanes):
        if node[lane].free + FITS >= memory:
            count -= room(node[lane].free, memory)
            if count <= 0:
                return True
    return False
