"""Times and areas of moldable jobs, and the canonical allotment.

`p` is a matrix of n jobs by m processors: `p[i, k - 1]` seconds on k processors, never increasing with k.
`area[i, k - 1]` is the least processors x time on k or more processors; an empty matrix means `k p`, which is right for
monotonic jobs.
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
    """Return the least processors x time of job i on k or more processors."""
    return k * p[i, k - 1] if area.shape[0] == 0 else area[i, k - 1]


@allocating
def allotments(p, deadline):
    """Return the canonical allotment of every job: n values, 0 if no number of processors is enough."""
    chosen = np.empty(p.shape[0], np.int64)
    for i in range(p.shape[0]):
        chosen[i] = gamma(p, i, deadline)
    return chosen


def least_areas(p: np.ndarray) -> np.ndarray:
    """Return `area` for times whose work is not monotonic."""
    work = p * np.arange(1, p.shape[1] + 1)
    return np.ascontiguousarray(np.minimum.accumulate(work[:, ::-1], axis=1)[:, ::-1])


def is_monotonic(p: np.ndarray) -> bool:
    """Return whether no job needs less work on more processors, up to rounding."""
    work = p * np.arange(1, p.shape[1] + 1)
    return bool((work[:, 1:] >= work[:, :-1] * (1.0 - 1e-9)).all())
