"""The interval program of moldable jobs, literally, for a general solver; and the best schedule, by trying all."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from scipy.optimize import linprog


def interval_program(p, weight, release, grid, tight):
    """Value of the program with one variable a job and interval and cumulative rows."""
    n, m = len(p), len(p[0])
    ends = [*grid[1:], float("inf")]
    cost, bounds, area = [], [], np.zeros((n, len(ends)))
    for i in range(n):
        for j, end in enumerate(ends):
            fitting = [k * p[i][k - 1] for k in range(1, m + 1) if release[i] + p[i][k - 1] <= end * (1 + 1e-11)]
            cost.append(weight[i] * (max(grid[j], release[i] + min(p[i])) if tight else grid[j]))
            bounds.append((0, None) if fitting else (0, 0))
            area[i, j] = min(fitting) if fitting else 0.0
    rows, limits = [], []
    for i in range(n):
        row = np.zeros((n, len(ends)))
        row[i] = -1
        rows.append(row.ravel())
        limits.append(-1)
    for j in range(len(ends) - 1):
        row = np.zeros((n, len(ends)))
        row[:, : j + 1] = area[:, : j + 1]
        rows.append(row.ravel())
        limits.append(m * ends[j])
    return linprog(cost, np.array(rows), limits, bounds=bounds, method="highs").fun


def best(p, weight, release):
    """(least makespan from the first release, least sum of weight x end) over all allotments and orders."""
    n, m = len(p), len(p[0])
    makespan, minsum = float("inf"), float("inf")
    for sizes in product(range(1, m + 1), repeat=n):
        for order in permutations(range(n)):
            ends = _serial(order, p, sizes, release, m)
            makespan = min(makespan, max(ends) - min(release))
            minsum = min(minsum, sum(w * end for w, end in zip(weight, ends, strict=True)))
    return makespan, minsum


def _serial(order, p, sizes, release, m):
    """Each job as early as it fits among those before it."""
    placed, ends = [], [0.0] * len(order)
    for i in order:
        for begin in sorted({release[i], *(end for _, end, _ in placed if end > release[i])}):
            end = begin + p[i][sizes[i] - 1]
            instants = [begin, *(s for s, _, _ in placed if begin < s < end)]
            if all(sum(k for s, e, k in placed if s <= t < e) + sizes[i] <= m for t in instants):
                placed.append((begin, end, sizes[i]))
                ends[i] = end
                break
    return ends
