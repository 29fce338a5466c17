"""Histograms on logarithmic axes, with what lies below the axis counted apart.

Most jobs of a real log wait for nothing: one bar for them would flatten the rest. So the bulk near the
floor is a number beside the picture ("below 1.5: 344 jobs").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

STRETCH_FLOOR = 1.5
WAIT_FLOOR = 10.0


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts in bins of equal width on a logarithmic axis."""

    floor: float
    """Lower end of the axis; values below it are not in the bins."""
    below: int
    """Number of values below the floor."""
    edges: np.ndarray
    """k + 1 rising bin edges, the first is the floor; k = 0 when no value reaches it."""
    counts: np.ndarray
    """k counts; bin i holds edges[i] <= value < edges[i + 1], the last one its upper edge too."""

    @property
    def total(self) -> int:
        """Number of values, those below the floor included."""
        return self.below + int(self.counts.sum())


def log_histogram(values: np.ndarray, floor: float, *, per_decade: int = 8) -> Histogram:
    """Histogram of `values` from `floor` up, in `per_decade` bins per factor of ten.

    The edges depend on the floor alone, not on the data, so that two runs can be laid over each other.
    NaN (jobs without an end) is left out.
    """
    values = values[np.isfinite(values)]
    shown = values[values >= floor]
    edges = _edges(floor, float(shown.max()), per_decade) if len(shown) else np.array([floor])
    counts = np.histogram(shown, edges)[0] if len(shown) else np.zeros(0, np.int64)
    return Histogram(floor, len(values) - len(shown), edges, counts)


def stretch_histogram(bounded_stretch: np.ndarray, *, per_decade: int = 8) -> Histogram:
    """Histogram of bounded stretches from 1.5 up; the jobs below were hardly disturbed."""
    return log_histogram(bounded_stretch, STRETCH_FLOOR, per_decade=per_decade)


def wait_histogram(wait: np.ndarray, *, per_decade: int = 4) -> Histogram:
    """Histogram of waits [s] from 10 s up; the jobs below started as good as at once."""
    return log_histogram(wait, WAIT_FLOOR, per_decade=per_decade)


def cumulative(values: np.ndarray, *, points: int = 512) -> tuple[np.ndarray, np.ndarray]:
    """The empirical distribution function: rising values and the share of all values at or below each.

    Thinned to at most `points` pairs at equal steps of the share, both ends kept; NaN is left out.
    """
    values = np.sort(values[np.isfinite(values)])
    n = len(values)
    rank = np.unique(np.linspace(0, n - 1, min(n, points)).round().astype(np.int64))
    return values[rank], (rank + 1) / max(n, 1)


def _edges(floor: float, top: float, per_decade: int) -> np.ndarray:
    bins = max(1, int(np.ceil(np.log10(top / floor) * per_decade - 1e-9)))
    edges = floor * 10.0 ** (np.arange(bins + 1) / per_decade)
    edges[-1] = max(edges[-1], top)
    return edges
