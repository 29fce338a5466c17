"""Times and areas of moldable jobs, and the canonical allotment.

`p` is a matrix of n jobs by m processors: `p[i, k - 1]` seconds on k processors, never growing with k. `area[i, k - 1]`
is the least processors x time on k or more processors; an empty matrix stands for `k p`, right for monotonic jobs.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import allocating, inner

TOLERANCE = 1e-11
"""Deadlines are built by halving and doubling, so equality is common: a time may exceed one by this share."""

NO_AREA = np.empty((0, 0))
"""Stands for `k p`."""


@inner
def within(time, deadline):
    """Whether a time meets a deadline, rounding aside."""
    return time <= deadline * (1.0 + TOLERANCE)


@inner
def gamma(p, i, deadline):
    """Fewest processors on which job i takes at most `deadline`; 0 when there are none that do."""
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
    """Least processors x time of job i on k or more processors."""
    return k * p[i, k - 1] if area.shape[0] == 0 else area[i, k - 1]


@allocating
def allotments(p, deadline):
    """The canonical allotment of every job: n values, 0 where no number of processors is enough."""
    chosen = np.empty(p.shape[0], np.int64)
    for i in range(p.shape[0]):
        chosen[i] = gamma(p, i, deadline)
    return chosen


def least_areas(p: np.ndarray) -> np.ndarray:
    """`area` of times that are not monotonic in their work."""
    work = p * np.arange(1, p.shape[1] + 1)
    return np.ascontiguousarray(np.minimum.accumulate(work[:, ::-1], axis=1)[:, ::-1])


def is_monotonic(p: np.ndarray) -> bool:
    """Whether no job needs less work on more processors, rounding aside; times never grow here."""
    work = p * np.arange(1, p.shape[1] + 1)
    return bool((work[:, 1:] >= work[:, :-1] * (1.0 - 1e-9)).all())
