"""Sequential design: add blocks until the interval of a comparison is narrow enough, within a budget.

Reference
---------
Y. Chow and H. Robbins, On the asymptotic theory of fixed-width sequential confidence intervals for the mean,
Ann. Math. Statist. 36 (1965).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from shadowtime.engine.statistics.blocks import FEW, LEVEL, count_words

State = Literal["reached", "continue", "budget"]


class Decision(NamedTuple):
    """Whether more blocks are needed."""

    state: State
    """"reached": narrow enough; "continue": add blocks; "budget": too wide, and nothing is left."""
    reason: str
    """A sentence with the width, the number of blocks, and the forecast."""
    blocks: int
    width: float
    """Width of the widest interval of a ratio, as a share of the second algorithm's value; NaN below two blocks."""
    target: float
    budget: int
    forecast: int | None
    """Number of blocks that the present spread would need; None if it is unknown or beyond a million."""
    next_blocks: int
    """Number of blocks in all after the next step; `blocks` if it stops."""

    @property
    def goes_on(self) -> bool:
        return self.state == "continue"


FURTHEST = 1_000_000
"""Number of blocks beyond which a forecast is not stated."""


def decide(
    log_ratios: Sequence[np.ndarray], *, width: float, budget: int, least: int = FEW, level: float = LEVEL
) -> Decision:
    """Decide whether to add blocks, by the widest interval of several ratios.

    A step adds as many blocks as the forecast says, at most doubling them: few looks at the data keep the coverage of
    the final interval near its level (90 % or more for nominal 95 %, by simulation).

    Parameters
    ----------
    log_ratios
        For each comparison the mean log(value / other) of each block; NaN values are left out.
    width
        Largest width of the interval of a ratio, as a share of the second algorithm's value: 0.05 is 5 %.
    budget
        Largest number of blocks.
    least
        Smallest number of blocks at which to stop as narrow enough.
    level
        Confidence level, in (0, 1).

    Raises
    ------
    ValueError
        If `width` or `budget` is not positive, or there is no comparison.
    """
    if not width > 0.0 or budget < 1 or not log_ratios:
        raise ValueError(f"width = {width}, budget = {budget}, but both must be positive, and two algorithms compared")
    columns = [column[np.isfinite(column)] for column in (np.asarray(one, float) for one in log_ratios)]
    blocks = min(len(column) for column in columns)
    if blocks < 2:
        found, forecast = float("nan"), None
    else:
        statistics = [(float(column.mean()), float(column.std(ddof=1)), len(column)) for column in columns]
        found = max(ratio_width(*one, level) for one in statistics)
        forecast = _largest([needed(mean, deviation, width, level) for mean, deviation, _ in statistics])
        forecast = None if forecast is None else max(forecast, least, blocks if found <= width else blocks + 1)
    state: State = "reached" if blocks >= least and found <= width else "continue" if blocks < budget else "budget"
    following = blocks
    if state == "continue":
        step = least if blocks < least else 2 * blocks if forecast is None else forecast
        following = min(budget, max(blocks + 1, min(step, max(2 * blocks, least))))
    return Decision(
        state, _reason(state, found, width, blocks, budget, forecast), blocks, found, width, budget, forecast, following
    )


def ratio_width(mean: float, deviation: float, blocks: int, level: float = LEVEL) -> float:
    """Return the width of the interval of a geometric mean ratio, from mean and deviation of its logarithm."""
    from scipy.special import stdtrit

    half = float(stdtrit(blocks - 1, 0.5 + level / 2.0)) * deviation / blocks**0.5
    return 2.0 * math.exp(mean) * math.sinh(half) if half < 300.0 else math.inf


def needed(mean: float, deviation: float, width: float, level: float = LEVEL) -> int | None:
    """Return the smallest number of blocks whose interval is expected within `width`; None beyond a million."""
    if ratio_width(mean, deviation, FURTHEST, level) > width:
        return None
    low, high = 1, FURTHEST  # low is too few or 1, high is enough: the width falls with the number of blocks
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if ratio_width(mean, deviation, middle, level) <= width else (middle, high)
    return high


def _largest(counts: Sequence[int | None]) -> int | None:
    return None if None in counts else max(count for count in counts if count is not None)


def _reason(state: State, found: float, width: float, blocks: int, budget: int, forecast: int | None) -> str:
    if math.isnan(found):
        return f"{count_words(blocks)}: an interval needs 2 or more"
    wide = f"the interval of the ratio is {found:.2%} wide after {count_words(blocks)}"
    if state == "reached":
        return f"{wide}, within {width:.2%}"
    if found <= width:
        return f"{wide}, within {width:.2%}, but so few blocks say little"
    about = "more than a million blocks" if forecast is None else f"about {count_words(forecast)}"
    if state == "budget":
        return f"{wide}, not {width:.2%}, and the budget is spent; it would take {about}"
    return f"{wide}, not {width:.2%}; it would take {about}"
