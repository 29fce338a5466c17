"""Independent instances as samples: means with t intervals, and two algorithms on the same instances.

All functions take a column per figure and leave NaN out: a run that failed is no sample.

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
"""Samples below which an interval leans on the normal law more than on what was seen."""
ENOUGH_FOR_LAG = 10
"""Samples from which on a correlation of neighbours can be told from chance."""


@dataclass(frozen=True)
class Samples:
    """What is known of each figure: arrays without the first axis of the values."""

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
    """Mean, deviation, extremes and t interval along the first axis; NaN are no samples.

    The interval covers the true mean in a share `level` of all studies where samples are independent and their mean
    is near to normal.

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
    """Why not to trust the interval of `n` samples, or None."""
    if n == 0 or n >= FEW:
        return None
    many = "one sample has no interval" if n == 1 else f"the interval of {n} samples says little"
    return f"{many}; take {FEW} or more"


def resemblance(values: np.ndarray) -> str | None:
    """Why not to call samples, in the order in which they were drawn, independent; None where nothing speaks
    against it, or where they are too few to tell or all equal."""
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
    """Of them, those without a logarithm: exactly one of the two values is 0."""
    log_ratio: float
    """Mean of log(value / other); below 0 the first has the smaller values."""
    low: float
    high: float
    """Its t interval; NaN for fewer than two instances."""
    smaller: int
    larger: int
    equal: int
    p: float
    """Of the two-sided sign test: how likely so uneven a split would be if neither were better."""

    @property
    def ratio(self) -> float:
        """Geometric mean of value / other."""
        return float(np.exp(self.log_ratio))


def paired(values: np.ndarray, others: np.ndarray, *, level: float = LEVEL) -> Pair:
    """Mean paired log ratio with its interval, and the sign test.

    Both zero is a tie, of ratio 1; ties take no part in the sign test.
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
    """Two-sided p of so many on either side, when each is as likely: 1 where there is nothing to tell."""
    if smaller + larger == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(smaller, smaller + larger).pvalue)


def friedman(table: np.ndarray) -> float:
    """p of Friedman's test that columns (algorithms) do not differ over rows (instances).

    NaN for fewer than three columns or two complete rows, where the test says nothing.
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
    """Mean rank of each column over the complete rows, from 1 for the smallest; ties share their ranks."""
    from scipy.stats import rankdata

    table = np.asarray(table, float)
    table = table[np.isfinite(table).all(axis=1)]
    return rankdata(table, axis=1).mean(axis=0) if len(table) else np.full(table.shape[1], np.nan)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values of several tests made at once, adjusted so that all together err no more often than one."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))), 1.0)
    return [float(value) for value in adjusted]
