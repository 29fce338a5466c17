"""Confidence intervals of means over independent blocks, inside the range of the metric.

References
----------
U. Olsson, Confidence intervals for the mean of a log-normal distribution, J. Statistics Education 13 (2005).
A. Law and D. Kelton, Simulation Modeling and Analysis, ch. 9.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shadowtime.engine.metrics.nature import ANY, Nature
from shadowtime.engine.statistics.blocks import LEVEL, count_words, too_few_for_interval
from shadowtime.engine.statistics.bootstrap import ENOUGH, mean_interval

SAME = 1e-12
"""Values that differ by less than this share of the largest are equal: what is left is rounding."""
ERRATIC = 1.0
"""Coefficient of variation of blocks above which a few of them decide the mean (measured: coverage below 90 %)."""


@dataclass(frozen=True, eq=False)
class Means:
    """Means over blocks and their intervals: arrays without the first axis of the values."""

    blocks: np.ndarray
    """Number of blocks with a value."""
    mean: np.ndarray
    std: np.ndarray
    """Sample deviation (ddof 1); NaN for fewer than two blocks."""
    min: np.ndarray
    max: np.ndarray
    low: np.ndarray
    """Lower end of the interval; NaN for fewer than two blocks."""
    high: np.ndarray
    method: str
    """"t", "log-t", "logit-t" or "bootstrap"."""
    level: float


@dataclass(frozen=True)
class Interval:
    """The mean of a metric over blocks, with its confidence interval."""

    mean: float
    low: float
    high: float
    blocks: int
    method: str
    level: float = LEVEL
    warnings: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return f"{self.mean:.4g} ({self.low:.4g} to {self.high:.4g}, {self.level:.0%}, {count_words(self.blocks)})"


def method_of(nature: Nature) -> str:
    """Return how the interval of a mean over blocks is computed."""
    if nature.is_extreme:
        return "bootstrap"
    if np.isfinite(nature.low):
        return "logit-t" if np.isfinite(nature.high) else "log-t"
    return "t"


def means(values: np.ndarray, nature: Nature = ANY, *, level: float = LEVEL) -> Means:
    """Return mean, deviation, extremes and interval along the first axis; NaN values are left out.

    Parameters
    ----------
    values
        One row per independent block.
    nature
        Range and kind of the metric. A mean above a minimum gets a log-t interval of its excess, a share a logit-t
        interval, a maximum or quantile a bootstrap of blocks, anything else a t interval.
    level
        Confidence level, in (0, 1).

    Raises
    ------
    ValueError
        If `level` is not inside (0, 1), or a value is outside the range of the metric.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level = {level}, but it must be inside (0, 1)")
    values = _within(np.asarray(values, float), nature)
    there = np.isfinite(values)
    n = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, values, 0.0).sum(axis=0) / n
        square = np.where(there, (values - mean) ** 2, 0.0).sum(axis=0)
        std = np.where(n > 1, np.sqrt(square / np.maximum(n - 1, 1)), np.nan)
    least = np.where(there, values, np.inf).min(axis=0, initial=np.inf)
    most = np.where(there, values, -np.inf).max(axis=0, initial=-np.inf)
    least, most = np.where(n > 0, least, np.nan), np.where(n > 0, most, np.nan)
    # Rounding must not put a mean of equal values outside them.
    mean = np.clip(mean, least, most)
    method = method_of(nature)
    if method == "bootstrap":
        low, high = mean_interval(values, level)
    else:
        from scipy.special import stdtrit

        low, high = spread_interval(mean, std, n, nature, stdtrit(np.maximum(n - 1, 1), 0.5 + level / 2.0))
    is_equal = (n > 1) & (most - least <= SAME * np.maximum(np.abs(least), np.abs(most)))
    low, high = np.where(is_equal, mean, low), np.where(is_equal, mean, high)
    return Means(n, mean, std, least, most, low, high, method, level)


def spread_interval(
    mean: np.ndarray, std: np.ndarray, n: np.ndarray, nature: Nature, quantile: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the t interval of a mean, on the scale of its excess over the minimum of the metric.

    With `e = mean - minimum` and `c = std / e`, the log-t interval is `minimum + e exp(-t c / sqrt(n))` to
    `minimum + e exp(t sqrt(c^2 / n + c^4 / (2 (n - 1))))`. The second term is that of Cox for log-normal values:
    without it the upper end covers too rarely. A share `m` gets `m / (m + (1 - m) exp(+-t std / (m (1 - m) sqrt(n))))`.

    Parameters
    ----------
    mean, std, n
        Mean, sample deviation and number of blocks, of the same shape.
    quantile
        Of Student's t distribution with `n - 1` degrees of freedom, upper.
    """
    mean, std, n = np.asarray(mean, float), np.asarray(std, float), np.asarray(n)
    method = method_of(Nature(nature.low, nature.high))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        error = std / np.sqrt(n)
        if method == "t":
            return mean - quantile * error, mean + quantile * error
        if method == "logit-t":
            width = nature.high - nature.low
            share = (mean - nature.low) / width
            step = np.exp(quantile * error / width / (share * (1.0 - share)))
            low = nature.low + width * share / (share + (1.0 - share) * step)
            high = nature.low + width * share * step / (share * step + (1.0 - share))
            return low, np.where(np.isinf(step), nature.high, high)
        excess = mean - nature.low
        cv = std / excess
        below = quantile * cv / np.sqrt(n)
        above = quantile * np.sqrt(cv**2 / n + cv**4 / (2.0 * np.maximum(n - 1, 1)))
        return nature.low + excess * np.exp(-below), nature.low + excess * np.exp(above)


def interval(values: np.ndarray, nature: Nature = ANY, *, level: float = LEVEL) -> Interval:
    """Return the mean of one value per block with its interval and the reasons to doubt it; NaN values are left out.

    Raises
    ------
    ValueError
        As `means`, and if `values` has more than one axis.
    """
    values = np.asarray(values, float)
    if values.ndim != 1:
        raise ValueError(f"values has {values.ndim} axes, but it must have one value per block")
    found = means(values, nature, level=level)
    return Interval(
        float(found.mean),
        float(found.low),
        float(found.high),
        int(found.blocks),
        found.method,
        level,
        tuple(doubts(int(found.blocks), float(found.mean), float(found.std), nature)),
    )


def doubts(blocks: int, mean: float, std: float, nature: Nature) -> list[str]:
    """Return why the interval of so many blocks may be too narrow; empty if nothing speaks against it."""
    found = [too_few_for_interval(blocks)]
    if nature.is_extreme and 1 < blocks < ENOUGH and std > 0.0:
        found.append(f"a {nature.kind} is bootstrapped from {blocks} blocks; take {ENOUGH} or more")
    excess = mean - nature.low
    if not nature.is_extreme and np.isfinite(nature.low) and excess > 0.0 and std > ERRATIC * excess:
        found.append(
            f"a few of the {blocks:,} blocks decide the mean (coefficient of variation {std / excess:.1f}): "
            "the interval may be too narrow"
        )
    return [sentence for sentence in found if sentence]


def _within(values: np.ndarray, nature: Nature) -> np.ndarray:
    """Return the values with excesses by rounding removed; raise for any other excess."""
    low, high = nature.low, nature.high
    if any(nature.beyond(values)):
        raise ValueError(f"a value is outside the range of the metric, {low:g} to {high:g}")
    return np.clip(values, low, high)
