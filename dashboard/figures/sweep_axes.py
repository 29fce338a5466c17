"""Axes of a sweep's figures: linear from 0 or logarithmic, with ticks that people call round."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

Text = Callable[[float], str]
LOG_FROM = 30.0
"""Above this ratio of the largest to the smallest value an axis is logarithmic."""


def is_log(values: np.ndarray) -> bool:
    """Values spread so far that a linear axis would hide the smaller ones."""
    known = values[np.isfinite(values)]
    return bool(len(known)) and known.min() > 0 and known.max() / known.min() > LOG_FROM


def scaled(values: np.ndarray, log: bool) -> list[float | None]:
    """As they are drawn; on a logarithmic axis what is not positive has no place."""
    found: list[float | None] = []
    for value in np.asarray(values, float).tolist():
        if not math.isfinite(value) or (log and value <= 0):
            found.append(None)
        else:
            found.append(math.log10(value) if log else value)
    return found


def ends(span: tuple[float, float], log: bool) -> tuple[float, float]:
    """Ends of an axis of values: from 0 where it is linear."""
    low, high = span
    if log:
        low, high = math.log10(low), math.log10(high)
        return low - 0.06 * (high - low) - 0.02, high + 0.06 * (high - low) + 0.02
    low = min(0.0, low)
    return low, high + 0.06 * (high - low or 1.0)


ROUND_TIMES = tuple(
    unit * factor
    for unit, factors in ((1, (1, 2, 5, 10, 20, 30)), (60, (1, 2, 5, 10, 20, 30)), (3600, (1, 2, 4, 8, 12)),
                          (86400, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)))
    for factor in factors
)  # fmt: skip
"""Lengths of time that people call round [s]."""


def _ticks(low: float, high: float, log: bool, text: Text) -> list[float]:
    """Round values within two ends, in the units of the axis."""
    if getattr(text, "unit", "") == "s" and high > (math.log10(60) if log else 60):
        return _times(low, high, log)
    if log:
        factors = (1, 2, 5) if high - low < 1.6 else (1,)
        powers = range(math.floor(low), math.ceil(high) + 1)
        every = [power + math.log10(factor) for power in powers for factor in factors]
        return [tick for tick in every if low <= tick <= high]
    rough = max(high - low, 1e-12) / 4
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    return [step * n for n in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def _times(low: float, high: float, log: bool) -> list[float]:
    if log:
        every = [math.log10(time) for time in ROUND_TIMES if low <= math.log10(time) <= high]
        apart = (high - low) / 6
        found: list[float] = []
        for tick in every:
            if not found or tick - found[-1] >= apart:
                found.append(tick)
        return found
    step = next((time for time in ROUND_TIMES if time >= (high - low) / 5), ROUND_TIMES[-1])
    return [step * n for n in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def _word(tick: float, log: bool, text: Text) -> str:
    """A tick in words: `4 h`, where a value would be `4 h 00 min`."""
    return re.sub(r" 00\u202f\w+$", "", text(10**tick if log else tick))


def up(fig: go.Figure, low: float, high: float, log: bool, text: Text) -> go.Figure:
    ticks = _ticks(low, high, log, text)
    named = [_word(tick, log, text) for tick in ticks]
    return fig.update_yaxes(range=[low, high], tickvals=ticks, ticktext=named)


def across(fig: go.Figure, values: np.ndarray, log: bool, text: Text) -> go.Figure:
    known = values[np.isfinite(values)]
    if not len(known):
        return fig.update_xaxes(visible=False)
    low, high = ends((float(known.min()), float(known.max())), log)
    ticks = _ticks(low, high, log, text)
    edge = 0.02 * (high - low)
    return fig.update_xaxes(
        range=[low - edge, high + edge], tickvals=ticks, ticktext=[_word(tick, log, text) for tick in ticks],
        showgrid=True,
    )  # fmt: skip
