"""How far to trust a mean: warm-up, batch means, and comparing algorithms over instances.

References
----------
A. Law and D. Kelton, Simulation Modeling and Analysis, ch. 9 (batch means).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CORRELATED = 0.2
"""Above this lag-one correlation of its batch averages, an interval is narrower than it should be."""


@dataclass(frozen=True, eq=False)
class BatchMeans:
    """A mean of one long run with its confidence interval."""

    mean: float
    half_width: float
    """Half of the confidence interval: the mean lies within it of the true one, at `level`."""
    level: float
    averages: np.ndarray
    """Averages of the batches, in order."""
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
        """Why not to trust the interval, or None."""
        if self.lag_one <= CORRELATED:
            return None
        return (
            f"neighbouring batches resemble each other (correlation {self.lag_one:.2f}, above {CORRELATED}): "
            "the interval is too narrow; take fewer batches or a longer run"
        )


def after_warm_up(values: np.ndarray, share: float) -> np.ndarray:
    """Without the first `share` of the values, which are in submission order. The dropped jobs still ran.

    Raises
    ------
    ValueError
        If `share` is not in [0, 1).
    """
    if not 0.0 <= share < 1.0:
        raise ValueError(f"warm-up share = {share}, but it must be at least 0 and below 1")
    return values[int(len(values) * share) :]


def batch_means(values: np.ndarray, *, batches: int = 20, level: float = 0.95, warm_up: float = 0.0) -> BatchMeans:
    """Mean of a long run with a t interval from the averages of equal, consecutive batches.

    Values of one run depend on each other; averages of long batches hardly do. A maximum has no batch means.

    Parameters
    ----------
    values
        One value per job, in submission order, NaN for jobs that never ended (left out).
    batches
        Number of batches, at least 2; what does not fill them is dropped from the front.
    level
        Confidence, in (0, 1).
    warm_up
        Share of the jobs dropped first.

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
    return BatchMeans(float(averages.mean()), half_width, level, averages, size, lag_one_correlation(averages))


_QUANTILES = {(0.975, 19): 2.0930240544083087}
"""Of 20 batches at 95 %, the habit: a command that prints one interval need not import scipy."""


def t_quantile(probability: float, degrees: int) -> float:
    """Quantile of Student's t distribution."""
    if known := _QUANTILES.get((probability, degrees)):
        return known
    from scipy.special import stdtrit  # scipy.stats would take half a second to import

    return float(stdtrit(degrees, probability))


def lag_one_correlation(values: np.ndarray) -> float:
    """Sample autocorrelation at lag one; 0 when all values are equal or there are fewer than two."""
    centred = np.asarray(values, float) - np.mean(values)
    square = float(np.dot(centred, centred))
    return float(np.dot(centred[:-1], centred[1:])) / square if square > 0.0 else 0.0


@dataclass(frozen=True)
class Spread:
    """One figure over several instances."""

    n: int
    mean: float
    std: float
    """Sample deviation (ddof 1); NaN for one instance."""
    min: float
    max: float


def spread(values: np.ndarray) -> Spread:
    """Mean, sample deviation, smallest and largest value over instances (DFRS, DEMT)."""
    values = np.asarray(values, float)
    std = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    return Spread(len(values), float(values.mean()), std, float(values.min()), float(values.max()))


def mean_of_ratios(values: np.ndarray, bounds: np.ndarray) -> float:
    """Mean over instances of value / bound (DFRS). Large and small instances count alike."""
    return float(np.mean(np.asarray(values, float) / np.asarray(bounds, float)))


def ratio_of_sums(values: np.ndarray, bounds: np.ndarray) -> float:
    """Sum of values over sum of bounds (DEMT). Large instances count more; say which of the two you print."""
    return float(np.sum(values) / np.sum(bounds))


def paired_log_ratio(values: np.ndarray, others: np.ndarray) -> float:
    """Mean over instances of `log(value / other)`, both algorithms on the same instances.

    Degradations are heavy-tailed: one bad instance decides a difference of means, but hardly this. Its
    exponential is the geometric mean of the ratios; below 0 the first algorithm is the better one.
    """
    return float(np.mean(np.log(np.asarray(values, float) / np.asarray(others, float))))


def improvement(mean: float, other: float) -> float:
    """`1 - mean / other`: by what share A is better than B at the same load and workload."""
    return 1.0 - mean / other
