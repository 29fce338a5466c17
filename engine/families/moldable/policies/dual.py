"""Canonical allotments, and the dual approximation: accept a guess d of the makespan, or prove it too short.

`p` is a matrix of n jobs by m processors: `p[i, k - 1]` seconds on k processors, never increasing with k.
`area[i, k - 1]` is the least processors x time on k or more processors; an empty matrix means `k p`, which is right for
monotonic jobs without a minimum.

A job that cannot run below a minimum number of processors takes an infinite time there. The proof below holds for such
jobs: canonical allotments are never below the minimum.

Proof of a rejection. Take a schedule of length at most d. The jobs that run longer than d/2 all cover the instant
d/2, so together they hold at most m processors; each holds at least gamma(d) of them, hence has at least that area. All
others run at most d/2, hence have at least the area of gamma(d/2). The total is at most m d. So the least area over all
choices of long jobs that fit side by side, which the knapsack finds, is at most m d. (Section 2.3; small jobs, which
take at most d/2 on one processor, have the area of one processor.) The test is monotonic in d.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import allocating, inner

TOLERANCE = 1e-11
"""Share by which a time may exceed a deadline: deadlines come from halving and doubling, so equality is common."""

NO_AREA = np.empty((0, 0))
"""Empty matrix that means `k p`."""


@inner
def within(time, deadline):
    """Return whether a time meets a deadline, up to rounding."""
    return time <= deadline * (1.0 + TOLERANCE)


@inner
def gamma(p, i, deadline):
    """Return the fewest processors on which job i takes at most `deadline`; 0 if there is no such number."""
    low, high = np.int64(0), np.int64(p.shape[1])
    if not within(p[i, high - 1], deadline):
        return np.int64(0)
    while low < high:
        middle = (low + high) // 2
        if within(p[i, middle], deadline):
            high = middle
        else:
            low = middle + 1
    return low + 1


@inner
def area_of(p, area, i, k):
    """Return the least processors x time of job i on k or more processors; infinite for k = 0."""
    if k == 0:
        return np.inf
    return k * p[i, k - 1] if area.shape[0] == 0 else area[i, k - 1]


@allocating
def allotments(p, deadline):
    """Return the canonical allotment of every job: n values, 0 if no number of processors is enough."""
    return np.array([gamma(p, i, deadline) for i in range(p.shape[0])])


def work_of(p: np.ndarray) -> np.ndarray:
    """Return processors x time, n x m."""
    return p * np.arange(1, p.shape[1] + 1)


def least_areas(p: np.ndarray) -> np.ndarray:
    """Return `area` for times whose work is not monotonic, or infinite below a minimum."""
    return np.ascontiguousarray(np.minimum.accumulate(work_of(p)[:, ::-1], axis=1)[:, ::-1])


def is_monotonic(p: np.ndarray) -> bool:
    """Return whether no job needs less work on more processors, from its minimum on and up to rounding."""
    work = work_of(p)
    rising = work[:, 1:] >= work[:, :-1] * (1.0 - 1e-9)
    return bool((rising | np.isinf(work[:, :-1]) if has_minimum(p) else rising).all())


def has_minimum(p: np.ndarray) -> bool:
    """Return whether some job cannot run on one processor."""
    return bool(np.isinf(p[:, 0]).any())


def minimum(p: np.ndarray) -> np.ndarray:
    """Return the fewest processors on which each job can run, n values."""
    return 1 + np.isinf(p).sum(axis=1)


def areas_of(p: np.ndarray) -> np.ndarray:
    """Return `area` for jobs that are monotonic from their minimum on."""
    return least_areas(p) if has_minimum(p) else NO_AREA


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
    for q in range(g, m + 1):
        new[q] = min(old[q] + narrow, old[q - g] + wide)
    if keep:
        for q in range(g, m + 1):
            long_ones[q] = old[q - g] + wide < old[q] + narrow


@allocating
def least_area(p, area, d, choices):
    """Return the least total area of a schedule of length d by the knapsack; infinite if a job cannot be so short.

    `choices` (n x (m + 1) booleans, all false, or empty) gets which big jobs are long for each number of processors.
    """
    n, m = p.shape
    keep = choices.shape[0] > 0
    none = np.empty(0, np.bool_)
    old, new = np.zeros(m + 1), np.zeros(m + 1)
    small = 0.0
    for i in range(n):
        g = gamma(p, i, d)
        if g == 0:
            return np.inf
        if is_small(p, i, d):
            small += area_of(p, area, i, 1)
            continue
        narrow = area_of(p, area, i, gamma(p, i, 0.5 * d))
        weigh_big(old, new, area_of(p, area, i, g), narrow, g, choices[i] if keep else none, keep)
        old, new = new, old
    return old[m] + small


@allocating
def accepts(p, area, d):
    """Return whether a schedule of length d is not disproved."""
    return least_area(p, area, d, np.empty((0, 0), np.bool_)) <= p.shape[1] * d * (1.0 + TOLERANCE)


@allocating
def bisect(p, area, low, accuracy):
    """Return the largest rejected guess, or `low`, and the smallest accepted one, at most 1 + accuracy times that."""
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
