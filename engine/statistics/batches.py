"""Batch means of one long run, after its warm-up.

References
----------
A. Law and D. Kelton, Simulation Modeling and Analysis, ch. 9 (batch means).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

CORRELATED = 0.2
"""Lag-one correlation of batch averages above which an interval is too narrow."""


class BatchMeans(NamedTuple):
    """The mean of one long run with its confidence interval."""

    mean: float
    half_width: float
    """Half the width of the confidence interval."""
    level: float
    averages: np.ndarray
    """Averages of the batches, in order."""
    deviation: float
    """Sample deviation of the averages."""
    size: int
    """Values per batch."""
    lag_one: float
    """Correlation of each batch average with the next, in [-1, 1]."""

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width

    @property
    def warning(self) -> str | None:
        """A warning if the interval is too narrow, else None."""
        if self.lag_one <= CORRELATED:
            return None
        return (
            f"neighbouring batches resemble each other (correlation {self.lag_one:.2f}, above {CORRELATED}): "
            "the interval is too narrow; take fewer batches or a longer run"
        )


def after_warm_up(values: np.ndarray, share: float) -> np.ndarray:
    """Return `values` (in submission order) without the first `share` of them.

    Raises
    ------
    ValueError
        If `share` is not in [0, 1).
    """
    if not 0.0 <= share < 1.0:
        raise ValueError(f"warm-up share = {share}, but it must be at least 0 and below 1")
    return values[int(len(values) * share) :]


def batch_means(values: np.ndarray, *, batches: int = 20, level: float = 0.95, warm_up: float = 0.0) -> BatchMeans:
    """Return the mean of a long run with a t interval from the averages of equal, consecutive batches.

    Values of one run depend on each other; averages of long batches hardly do. The method does not apply to maxima.

    Parameters
    ----------
    values
        One value per job, in submission order; NaN (a job that never ended) is left out.
    batches
        Number of batches, at least 2; values that do not fill them are dropped from the front.
    level
        Confidence level, in (0, 1).
    warm_up
        Share of the jobs dropped from the front first.

    Raises
    ------
    ValueError
        If there are fewer values than batches, or a parameter is out of its range.
    """
    if batches < 2 or not 0.0 < level < 1.0:
        raise ValueError(f"batches = {batches}, level = {level}, but they must be at least 2 and inside (0, 1)")
    values = after_warm_up(np.asarray(values, float), warm_up)
    values = values[np.isfinite(values)]
    size = len(values) // batches
    if size == 0:
        raise ValueError(f"{len(values)} values do not fill {batches} batches")
    averages = values[len(values) - size * batches :].reshape(batches, size).mean(axis=1)
    deviation = float(averages.std(ddof=1))
    half_width = t_quantile(0.5 + level / 2.0, batches - 1) * deviation / batches**0.5
    return BatchMeans(
        float(averages.mean()), half_width, level, averages, deviation, size, lag_one_correlation(averages)
    )


_QUANTILES = {(0.975, 19): 2.0930240544083087}
"""Quantile of the default (20 batches, 95 %): most commands then need not import scipy."""


def t_quantile(probability: float, degrees: int) -> float:
    """Return a quantile of Student's t distribution."""
    if known := _QUANTILES.get((probability, degrees)):
        return known
    from scipy.special import stdtrit  # scipy.stats takes half a second to import

    return float(stdtrit(degrees, probability))


def lag_one_correlation(values: np.ndarray) -> float:
    """Return the sample autocorrelation at lag one; 0 if all values are equal or there are fewer than two."""
    centred = np.asarray(values, float) - np.mean(values)
    square = float(np.sum(centred**2))
    return float(np.sum(centred[:-1] * centred[1:])) / square if square > 0.0 else 0.0


def ratio_of_sums(values: np.ndarray, bounds: np.ndarray) -> float:
    """Return the sum of values over the sum of bounds (DEMT); large instances count more."""
    return float(np.sum(values) / np.sum(bounds))
