"""What memory cannot hold however it is packed, so that nobody packs it to find out.

Cut a node into k + 1 equal parts. A task that needs more than z of them weighs z. On one node tasks weigh at most k
together, since k + 1 would need more than the whole node; so all nodes together hold at most k times their number.
This holds for every k and knows what the sum of memory does not: that two tasks above a half never share a node.
(Dual feasible functions: S. Fekete and J. Schepers, New classes of fast lower bounds for bin packing problems, 2001.)
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.nodes import FITS
from shadowtime.engine.families.fractional.policies.state import CUTS
from shadowtime.engine.kernel.cache import inner

SLACK = 100.0 * FITS
"""A task that needs so little more than z parts is not said to; nodes may be overdrawn by FITS."""


@inner
def empty_nodes(s, f):
    """All nodes are empty; memory as it adds up, and the weight that they hold for each k."""
    f.m[0].memory_left = s.k[0].lanes + FITS * (s.k[0].lanes + 1)
    for k in range(1, CUTS + 1):
        f.weight_left[k] = k * s.k[0].lanes


@inner
def could_hold(s, f, i):
    """Give unit `i` its memory; whether a packing of it and all who were given theirs is not ruled out."""
    m, left = f.m[0], f.weight_left
    memory, procs = s.u[i].memory, s.u[i].procs
    m.memory_left -= procs * memory
    possible = m.memory_left >= 0.0
    for k in range(1, CUTS + 1):
        left[k] -= procs * np.int64(max(0.0, (k + 1) * memory - SLACK))
        if left[k] < 0:
            possible = False
    return possible
