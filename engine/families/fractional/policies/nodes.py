"""State of each node: free memory, and the load of CPU needs (not of yields)."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.kernel.cache import inner

FITS = 1e-9
"""Amount by which memory and CPU of a node may be exceeded, for rounding of sums of fractions."""
EVEN = 1e-12
"""Loads closer than this are equal; the lowest node is then taken."""

SIT, LEAVE = 1.0, -1.0
MANY = np.int64(2**40)
"""Number of tasks without memory that a node can take."""


@inner
def put(node, lane, need, memory, sign):
    """Add a task to a node (`sign` SIT) or remove it (LEAVE); an empty node is reset exactly, without rounding."""
    row = node[lane]
    row.free -= sign * memory
    row.load += sign * need
    row.tasks += 1 if sign > 0.0 else -1
    if row.tasks == 0:
        row.free, row.load = 1.0, 0.0


@inner
def sit(s, f, i, sign):
    """Add all tasks of unit `i` to the nodes that it holds in the kernel (SIT), or remove them (LEAVE)."""
    u, hold, node = s.u[i], s.hold, f.node
    for y in range(u.first, u.first + u.procs):
        put(node, hold[y], u.need, u.memory, sign)


@inner
def room(free, memory):
    """Return how many tasks of `memory` fit into `free`."""
    if memory <= 0.0:
        return MANY
    return np.int64(math.floor((free + FITS) / memory))


@inner
def fits(s, f, i):
    """Return whether there is memory for all tasks of unit `i`; Greedy then succeeds, since the tasks are equal."""
    count, memory, node = s.u[i].procs, s.u[i].memory, f.node
    for lane in range(s.k[0].lanes):
        if node[lane].free + FITS >= memory:
            count -= room(node[lane].free, memory)
            if count <= 0:
                return True
    return False
