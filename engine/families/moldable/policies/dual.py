"""Dual approximation: accept a guess d of the makespan, or prove that no schedule is that short.

Proof of a rejection. Take a schedule of length at most d. The jobs that run longer than d/2 all cover the instant
d/2, so together they hold at most m processors; each holds at least gamma(d) of them, hence has at least that area. All
others run at most d/2, hence have at least the area of gamma(d/2). The total is at most m d. So the least area over all
choices of long jobs that fit side by side, which the knapsack finds, is at most m d. (Section 2.3; small jobs, which
take at most d/2 on one processor, have the area of one processor.) The test is monotonic in d.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.moldable.policies.canonical import TOLERANCE, area_of, gamma, within
from shadowtime.engine.kernel.cache import allocating, inner

NEVER = np.inf


@inner
def is_small(p, i, d):
    """Return whether job i takes at most d/2 on one processor."""
    return within(p[i, 0], 0.5 * d)


@inner
def weigh_big(old, new, wide, narrow, g, long_ones, keep):
    """Compute one row of the knapsack: for each number of processors the least area, with the job long (area `wide`,
    on g processors beside the other long jobs) or short (area `narrow`)."""
    m = len(old) - 1
    for q in range(min(g, m + 1)):
        new[q] = old[q] + narrow
    if keep:
        for q in range(min(g, m + 1)):
            long_ones[q] = False
    for q in range(g, m + 1):
        short = old[q] + narrow
        long = old[q - g] + wide
        new[q] = min(short, long)
    if keep:
        for q in range(g, m + 1):
            long_ones[q] = old[q - g] + wide < old[q] + narrow


@allocating
def least_area(p, area, d, choices):
    """Return the least total area of a schedule of length d by the knapsack; infinite if a job cannot be so short.

    `choices` (n x (m + 1) booleans, or empty) gets which big jobs are long for each number of processors.
    """
    n, m = p.shape
    keep = choices.shape[0] > 0
    none = np.empty(0, np.bool_)
    old, new = np.zeros(m + 1), np.zeros(m + 1)
    small = 0.0
    for i in range(n):
        g = gamma(p, i, d)
        if g == 0:
            return NEVER
        if is_small(p, i, d):
            small += area_of(p, area, i, 1)
            continue
        h = gamma(p, i, 0.5 * d)
        narrow = NEVER if h == 0 else area_of(p, area, i, h)
        weigh_big(old, new, area_of(p, area, i, g), narrow, g, choices[i] if keep else none, keep)
        old, new = new, old
    return old[m] + small


@allocating
def accepts(p, area, d):
    """Return whether a schedule of length d is not disproved."""
    return least_area(p, area, d, np.empty((0, 0), np.bool_)) <= p.shape[1] * d * (1.0 + TOLERANCE)


@allocating
def bisect(p, area, low, accuracy):
    """Bisect from a lower bound `low` of the makespan; return (bound, accepted).

    `bound` is `low` or the largest rejected guess, `accepted` the smallest accepted one, at most 1 + accuracy times it.
    """
    if accepts(p, area, low):
        return low, low
    high = 1.5 * low
    while not accepts(p, area, high):
        low, high = high, 1.5 * high
    while high > low * (1.0 + accuracy):
        middle = np.sqrt(low * high)
        if not low < middle < high:
            break
        if accepts(p, area, middle):
            high = middle
        else:
            low = middle
    return low, high


def trivial(p: np.ndarray, area: np.ndarray) -> float:
    """Return the longest time on all processors or the total area over all processors, whichever is larger."""
    least = p[:, 0] if area.shape[0] == 0 else area[:, 0]
    return float(max(p[:, -1].max(), least.sum() / p.shape[1]))


def search(p: np.ndarray, area: np.ndarray, accuracy: float) -> tuple[float, float]:
    """Return (lower bound of the makespan, smallest accepted guess) for jobs that are all released at second 0."""
    low, high = bisect(p, area, trivial(p, area), accuracy)
    return float(low), float(high)
