"""Solve LP3 as printed: for each pair of jobs a variable decides which goes first.

`m_i C_j >= V_ij + sum over j' of V_ij' delta_j'j` on each machine of j, `C_j >= P_j`, `delta_jj' + delta_j'j = 1`. One
of each pair of deltas is eliminated, and pairs that share no machine have none.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.loads import Loads
from shadowtime.engine.families.multitask.packing.solver import Program, Solver
from shadowtime.engine.runner.watch import Watch


def full_program(loads: Loads) -> Program:
    """Return LP3 with columns C_1..C_n, then a delta for each pair of jobs that share a machine."""
    n = len(loads.weight)
    before, after, where = _pairs(loads)
    names, pair = np.unique(before * n + after, return_inverse=True)
    entries = np.arange(len(loads.job))
    ahead = np.bincount(where[0], loads.load[where[1]], len(entries))  # load of the later rows of a machine
    row = np.concatenate([entries, where[1], where[0]])
    column = np.concatenate([loads.job, n + pair, n + pair])
    value = np.concatenate([np.ones(len(entries)), -loads.load[where[0]], loads.load[where[1]]])
    cost = np.concatenate([loads.weight, np.zeros(len(names))])
    low = np.concatenate([loads.longest, np.zeros(len(names))])
    high = np.concatenate([np.full(n, np.inf), np.ones(len(names))])
    return Program(cost, low, high, loads.load + ahead, np.full(len(entries), np.inf), row, column, value)


def _pairs(loads: Loads) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Return all pairs of jobs j < j' on one machine, and their entries in the columns of loads."""
    left, right = [], []
    for begin, stop in zip(loads.begin[:-1].tolist(), loads.begin[1:].tolist(), strict=True):
        a, b = np.triu_indices(stop - begin, 1)
        left.append(a + begin)
        right.append(b + begin)
    one, two = np.concatenate(left), np.concatenate(right)
    return loads.job[one], loads.job[two], (one, two)


def full_order(loads: Loads, watch: Watch | None = None) -> tuple[float, np.ndarray]:
    """Return the value of LP3, and C of each job."""
    value, x = Solver(full_program(loads), watch).solve()
    return value, x[: len(loads.weight)]
