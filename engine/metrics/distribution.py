"""The empirical distribution function of a metric over the jobs."""

from __future__ import annotations

import numpy as np


def cumulative(values: np.ndarray, *, points: int = 512) -> tuple[np.ndarray, np.ndarray]:
    """Return the empirical distribution function: rising values and the share of all values at or below each.

    The result is thinned to at most `points` pairs at equal steps of the share, keeping both ends; NaN is left out.
    """
    values = np.sort(values[np.isfinite(values)])
    n = len(values)
    rank = np.unique(np.linspace(0, n - 1, min(n, points)).round().astype(np.int64))
    return values[rank], (rank + 1) / max(n, 1)
