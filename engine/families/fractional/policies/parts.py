"""A test for jobs that no packing has memory for, which saves attempts to pack them.

Cut a node into k + 1 equal parts. A task that needs more than z of them has weight z. The tasks of one node weigh at
most k together, since a weight of k + 1 would need more than the whole node; so all nodes hold at most k times their
number. This holds for every k and is stronger than the sum of memory: two tasks above a half never share a node.
(Dual feasible functions: S. Fekete and J. Schepers, New classes of fast lower bounds for bin packing problems, 2001.)
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.nodes import FITS
from shadowtime.engine.families.fractional.policies.state import CUTS
from shadowtime.engine.kernel.cache import inner

SLACK = 100.0 * FITS
"""Excess over z parts that still counts as z parts, since nodes may be exceeded by FITS."""


@inner
def reset_memory(s, f):
    """Set the total memory and, for each k, the total weight that empty nodes hold."""
    f.m[0].memory_left = s.k[0].lanes + FITS * (s.k[0].lanes + 1)
    for k in range(1, CUTS + 1):
        f.weight_left[k] = k * s.k[0].lanes


@inner
def reserve_memory(s, f, i):
    """Subtract the memory of unit `i`; return whether a packing of all units subtracted so far is still possible."""
    m, left = f.m[0], f.weight_left
    memory, procs = s.u[i].memory, s.u[i].procs
    m.memory_left -= procs * memory
    possible = m.memory_left >= 0.0
    for k in range(1, CUTS + 1):
        left[k] -= procs * np.int64(max(0.0, (k + 1) * memory - SLACK))
        if left[k] < 0:
            possible = False
    return possible
