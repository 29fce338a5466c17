"""Statistics of independent instances: means with t intervals, and paired comparison of two algorithms.

All functions take one column per metric and leave NaN out: a failed run is not a sample.

References
----------
A. Law and D. Kelton, Simulation Modeling and Analysis, ch. 9 and 10 (intervals, paired comparison).
W. Conover, Practical Nonparametric Statistics, ch. 3 (sign test) and 5 (Friedman's test).
S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6 (1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.metrics.statistics import CORRELATED, lag_one_correlation

LEVEL = 0.95
FEW = 5
"""Number of samples below which the interval depends more on the assumption of normality than on the data."""
ENOUGH_FOR_LAG = 10
"""Number of samples from which a correlation of neighbours can be distinguished from chance."""


@dataclass(frozen=True)
class Samples:
    """Statistics of each metric: arrays without the first axis of the values."""

    n: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    """Sample deviation (ddof 1); NaN for fewer than two."""
    min: np.ndarray
    max: np.ndarray
    low: np.ndarray
    """Lower end of the t interval; NaN for fewer than two samples."""
    high: np.ndarray


def samples(values: np.ndarray, *, level: float = LEVEL) -> Samples:
    """Return mean, deviation, extremes and t interval along the first axis; NaN values are left out.

    The interval covers the true mean in a share `level` of all studies if samples are independent and their mean
    is nearly normal.

    Raises
    ------
    ValueError
        If `level` is not inside (0, 1).
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level = {level}, but it must be inside (0, 1)")
    from scipy.special import stdtrit

    values = np.asarray(values, float)
    there = np.isfinite(values)
    n = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, values, 0.0).sum(axis=0) / n
        square = np.where(there, (values - mean) ** 2, 0.0).sum(axis=0)
        std = np.where(n > 1, np.sqrt(square / np.maximum(n - 1, 1)), np.nan)
        half = stdtrit(np.maximum(n - 1, 1), 0.5 + level / 2.0) * std / np.sqrt(n)
    least = np.where(there, values, np.inf).min(axis=0, initial=np.inf)
    most = np.where(there, values, -np.inf).max(axis=0, initial=-np.inf)
    least, most = np.where(n > 0, least, np.nan), np.where(n > 0, most, np.nan)
    # Rounding must not put a mean of equal values outside them.
    mean = np.clip(mean, least, most)
    return Samples(n, mean, std, least, most, mean - half, mean + half)


def too_few(n: int) -> str | None:
    """Return a warning if `n` samples are too few for an interval, else None."""
    if n == 0 or n >= FEW:
        return None
    many = "one sample has no interval" if n == 1 else f"the interval of {n} samples says little"
    return f"{many}; take {FEW} or more"


def resemblance(values: np.ndarray) -> str | None:
    """Return a warning if samples, in the order drawn, look correlated; None if not, or if they are too few."""
    values = np.asarray(values, float)
    values = values[np.isfinite(values)]
    if len(values) < ENOUGH_FOR_LAG:
        return None
    lag = lag_one_correlation(values)
    if lag <= max(CORRELATED, 2.0 / len(values) ** 0.5):
        return None
    return f"neighbouring samples resemble each other (correlation {lag:.2f}): the interval is too narrow"


@dataclass(frozen=True)
class Pair:
    """One algorithm against another on the same instances."""

    n: int
    """Instances where both have a value."""
    left_out: int
    """How many of them have no logarithm, since exactly one of the two values is 0."""
    log_ratio: float
    """Mean of log(value / other); below 0 if the first algorithm has the smaller values."""
    low: float
    high: float
    """Ends of its t interval; NaN for fewer than two instances."""
    smaller: int
    larger: int
    equal: int
    p: float
    """p-value of the two-sided sign test: the probability of a split at least this uneven if neither is better."""

    @property
    def ratio(self) -> float:
        """Geometric mean of value / other."""
        return float(np.exp(self.log_ratio))


def paired(values: np.ndarray, others: np.ndarray, *, level: float = LEVEL) -> Pair:
    """Return the mean paired log ratio with its interval, and the sign test.

    Two zeros are a tie of ratio 1; ties do not count in the sign test.
    """
    values, others = np.asarray(values, float), np.asarray(others, float)
    both = np.isfinite(values) & np.isfinite(others)
    values, others = values[both], others[both]
    smaller, larger = int((values < others).sum()), int((values > others).sum())
    has_log = ((values > 0) & (others > 0)) | (values == others)
    logs = np.zeros(int(has_log.sum()))
    apart = values[has_log] != others[has_log]
    logs[apart] = np.log(values[has_log][apart] / others[has_log][apart])
    found = samples(logs, level=level)
    return Pair(
        len(values),
        int((~has_log).sum()),
        float(found.mean),
        float(found.low),
        float(found.high),
        smaller,
        larger,
        len(values) - smaller - larger,
        sign_test(smaller, larger),
    )


def sign_test(smaller: int, larger: int) -> float:
    """Return the two-sided p-value of the split, if both sides are equally likely; 1 without data."""
    if smaller + larger == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(smaller, smaller + larger).pvalue)


def friedman(table: np.ndarray) -> float:
    """Return the p-value of Friedman's test that columns (algorithms) do not differ over rows (instances).

    NaN for fewer than three columns or two complete rows, where the test is not defined.
    """
    table = np.asarray(table, float)
    table = table[np.isfinite(table).all(axis=1)]
    if table.shape[0] < 2 or table.shape[1] < 3:
        return float("nan")
    if (table == table[:, :1]).all():
        return 1.0
    from scipy.stats import friedmanchisquare

    return float(friedmanchisquare(*table.T).pvalue)


def mean_ranks(table: np.ndarray) -> np.ndarray:
    """Return the mean rank of each column over the complete rows, from 1 for the smallest; ties share their ranks."""
    from scipy.stats import rankdata

    table = np.asarray(table, float)
    table = table[np.isfinite(table).all(axis=1)]
    return rankdata(table, axis=1).mean(axis=0) if len(table) else np.full(table.shape[1], np.nan)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's method, which limits the error of all tests together to that of one."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))), 1.0)
    return [float(value) for value in adjusted]
