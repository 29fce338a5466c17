"""Classes of jobs by size and by area, as papers on backfilling use them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from shadowtime.engine.metrics.usage_by import Grouping

SIZE, AREA = "size_class", "area_class"
NARROW = 8
"""Most processors of a narrow job."""
SHORT = 3600.0
"""Longest runtime of a short job [s]."""
AREAS = ("short, narrow", "short, wide", "long, narrow", "long, wide")
AREA_RULE = "short: a runtime of up to 1 h, narrow: up to 8 processors"


def size_classes(processors: np.ndarray) -> Grouping:
    """Return the classes 1, 2–8, 9–32, 33–128 and so on, each four times as wide, up to that of the largest job."""
    largest = int(processors.max(initial=1))
    ends = [1, NARROW]
    while ends[-1] < largest:
        ends.append(4 * ends[-1])
    names = ["1", *(f"{low + 1:,}–{high:,}" for low, high in pairwise(ends))]
    codes = np.searchsorted(ends, processors)
    kept = int(codes.max(initial=0)) + 1
    return Grouping(SIZE, codes, tuple(names[:kept]))


def area_classes(jobs: Mapping[str, np.ndarray]) -> Grouping:
    """Return short and long, narrow and wide jobs, as S. Srinivasan, R. Kettimuthu, V. Subramani and P. Sadayappan do.

    References
    ----------
    Characterization of backfilling strategies for parallel job scheduling, ICPP Workshops 2002.
    """
    codes = 2 * (jobs["runtime"] > SHORT) + (jobs["processors"] > NARROW)
    return Grouping(AREA, codes.astype("i8"), AREAS)
