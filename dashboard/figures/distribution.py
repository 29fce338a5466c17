"""How a value is spread over the jobs: bars on a logarithmic axis, the mean as a dotted line.

What lies below the floor is written beside the picture ("344 below 1.5"), since one bar of it would flatten the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import theme, words

BINS = 20
STRETCH_FLOOR, WAIT_FLOOR = 1.5, 10.0
STRETCH_TICKS = tuple((float(value), f"{value:,}") for value in (3, 10, 100, 1_000, 10_000, 100_000, 1_000_000))
WAIT_TICKS = ((60.0, "1 min"), (3600.0, "1 h"), (86400.0, "1 d"), (864000.0, "10 d"), (8640000.0, "100 d"))
FINER_STRETCHES = tuple((float(value), str(value)) for value in (1, 2, 5, 10, 20, 50))
FINER_WAITS = tuple(
    (seconds, words.duration(seconds))
    for seconds in (10.0, 30.0, 60.0, 300.0, 1800.0, 3600.0, 10800.0, 43200.0, 86400.0, 172800.0)
)
"""Ticks of axes of less than two decades."""
NARROW = 22
"""Pixels that two labels of an axis need between their centres."""


@dataclass(frozen=True)
class Distribution:
    """What is drawn: `counts[i]` values lie in `[edges[i], edges[i + 1])`, and `below` under the floor."""

    edges: np.ndarray
    counts: np.ndarray
    below: int
    floor: float
    mean: float
    n: int

    @property
    def is_flat(self) -> bool:
        """Nothing lies above the floor: there is nothing to draw."""
        return not len(self.counts)


def distribution(values: np.ndarray, floor: float, bins: int = BINS, *, most: float = 0.0) -> Distribution:
    """Count `values` (NaN: not there) in `bins` steps of equal ratio, from `floor` to the largest, or to `most` if
    that is larger."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    above = known[known >= floor]
    mean = float(known.mean()) if len(known) else float("nan")
    if not len(above):
        return Distribution(np.array([floor]), np.zeros(0, int), len(known), floor, mean, len(known))
    top = max(max(float(above.max()), most) * (1 + 1e-9), floor * 4)
    edges = np.geomspace(floor, top, bins + 1)
    counts, _ = np.histogram(above, bins=edges)
    return Distribution(edges, counts, int(len(known) - len(above)), floor, mean, len(known))


def figure(shown: Distribution, scale: Scale, width: int = 212) -> dict[str, Any]:
    """The bars as JSON values; `width` is about how many pixels there are.

    Two of them are on the page of every run, and are made again as it goes on: with plotly's objects, which check each
    value, one takes 10 ms instead of 0.4.
    """
    ticks, text = scale.ticks, scale.text
    layout: dict[str, Any] = {
        "template": theme.template(),
        "margin": {"l": 2, "r": 8, "t": 20, "b": 20},
        "yaxis": {"visible": False, "rangemode": "tozero"},
    }
    if shown.is_flat:
        return {"data": [], "layout": {**layout, "xaxis": {"visible": False}}}
    logs = np.log10(shown.edges)
    low, high = float(logs[0]), float(logs[-1])
    bars = {
        "type": "bar",
        "x": ((logs[:-1] + logs[1:]) / 2).tolist(),
        "y": shown.counts.tolist(),
        "width": (np.diff(logs) * 0.86).tolist(),
        "customdata": [f"{text(a)} to {text(b)}" for a, b in pairwise(shown.edges)],
        "hovertemplate": "%{customdata}<br>%{y:,} jobs<extra></extra>",
    }
    kept = spaced([(np.log10(value), name) for value, name in ticks if low < np.log10(value) < high], high - low, width)
    notes = tallest(shown, logs)
    if len(kept) < 2:  # too narrow for round numbers
        kept = []
        notes += ends(text(float(shown.edges[0])), text(float(shown.edges[-1])))
    if shown.mean >= shown.floor:
        line, label = mean_line(shown, text, (low, high))
        layout["shapes"] = [line]
        notes.append(label)
    axis = {"range": [low, high], "tickvals": [float(at) for at, _ in kept], "ticktext": [name for _, name in kept]}
    return {"data": [bars], "layout": {**layout, "xaxis": axis, "annotations": notes}}


def log_axis(fig: go.Figure, scale: Scale, low: float, high: float, width: int) -> None:
    """The x axis from 10^low to 10^high, with those of the ticks that have room on `width` pixels; the finer ones where
    that are less than three."""
    for ticks in (scale.ticks, scale.finer or scale.ticks):
        inside = [(float(np.log10(value)), name) for value, name in ticks if low <= np.log10(value) <= high]
        kept = spaced(inside, high - low, width)
        if len(kept) > 2:
            break
    fig.update_xaxes(range=[low, high], tickvals=[at for at, _ in kept], ticktext=[name for _, name in kept])


def spaced(ticks: Sequence[tuple[float, str]], span: float, width: int) -> list[tuple[float, str]]:
    """Those ticks, from the left, whose labels do not touch."""
    kept: list[tuple[float, str]] = []
    for at, name in ticks:
        if not kept or (at - kept[-1][0]) / span * width >= NARROW + 4 * len(name):
            kept.append((at, name))
    return kept


def ends(first: str, last: str) -> list[dict[str, Any]]:
    """The ends of the axis, written inside its width, where Plotly would leave labels of ticks out."""
    return [
        {
            "x": at, "xref": "paper", "xanchor": side, "y": 0, "yref": "paper", "yanchor": "top", "yshift": -2,
            "borderpad": 0, "showarrow": False, "text": text, "font": {"color": theme.var("ink3")},
        }
        for at, side, text in ((0, "left", first), (1, "right", last))
    ]  # fmt: skip


def tallest(shown: Distribution, logs: np.ndarray) -> list[dict[str, Any]]:
    """The count of the tallest bar over it: one number gives the scale of all. None beside the label of the mean."""
    at = int(np.argmax(shown.counts))
    centre, mean = (logs[at] + logs[at + 1]) / 2, np.log10(max(shown.mean, shown.floor))
    if abs(centre - mean) <= 0.18 * (logs[-1] - logs[0]):
        return []
    side = "left" if at < 3 else "right" if at > len(shown.counts) - 4 else "center"
    x = float({"left": logs[at], "right": logs[at + 1]}.get(side, centre))
    count = int(shown.counts[at])
    return [
        {
            "x": x, "y": count, "xanchor": side, "yanchor": "bottom", "yshift": -1, "borderpad": 0, "showarrow": False,
            "text": f"{count:,}", "font": {"color": theme.var("ink3")},
        }
    ]  # fmt: skip


def mean_line(
    shown: Distribution, text: Callable[[float], str], window: tuple[float, float]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The dotted line of the mean and its label, which turns to the side that has room."""
    low, high = window
    at = float(np.log10(shown.mean))
    is_left = at > low + 0.55 * (high - low)
    line = {
        "type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper",
        "line": {"color": theme.var("ink"), "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    label = {
        "x": at, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 2 if is_left else 0, "showarrow": False,
        "xanchor": "right" if is_left else "left", "xshift": -4 if is_left else 4, "text": f"mean {text(shown.mean)}",
    }  # fmt: skip
    return line, label


def rows(shown: Distribution, text: Callable[[float], str] = words.number) -> list[tuple[str, str]]:
    """The same as a table: range and count."""
    lines = [(f"below {text(shown.floor)}", f"{shown.below:,}")]
    for first, last, count in zip(shown.edges[:-1], shown.edges[1:], shown.counts, strict=False):
        lines.append((f"{text(first)} to {text(last)}", f"{int(count):,}"))
    return lines
