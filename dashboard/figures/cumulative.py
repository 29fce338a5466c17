"""The share of the jobs, or of their weight, at or below each value: runs on one log axis, named at their lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.figures import distribution
from shadowtime.dashboard.figures.lines import Line, apart
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import theme, words
from shadowtime.engine.metrics.jobs import cumulative

POINTS = 300
LETTER = 6.6
"""Width of a letter of a name at its line [px]."""
LONG = 18
"""Letters of a name that stands on one line."""


def figure(lines: Sequence[Line], scale: Scale, width: int = 300) -> go.Figure:
    """Curves from 0 to 100 %; values below the floor of the scale are at its left end.

    Each curve has at most 300 points, at equal steps of the share; `width` is about how many pixels there are.
    """
    fig = theme.figure({"l": 6, "r": 44, "t": 8, "b": 22}, hovermode="closest")
    floor, text = scale.floor, scale.text
    curves = {line.name: curve(line.values, floor, line.weights) for line in lines if np.isfinite(line.values).any()}
    if not curves:
        return fig.update_xaxes(visible=False).update_yaxes(visible=False)
    low = float(np.log10(floor))
    high = max(max(float(x[-1]) for x, _ in curves.values()), low + 0.5) + 0.04
    for line in lines:
        if line.name in curves:
            x, y = curves[line.name]
            fig.add_scatter(
                x=x.round(4).tolist(), y=y.round(5).tolist(), mode="lines", name=line.name,
                line={**line.style.line, "shape": "hv"}, customdata=[text(float(10.0**value)) for value in x],
                hovertemplate=f"{line.name}<br>%{{y:.1%}} of {of(line)} at or below %{{customdata}}<extra></extra>",
            )  # fmt: skip
    for line in lines:
        if line.name in curves:
            x_at, y_at, is_left = apart(curves, high - low)[line.name]
            text_at_line = broken(line.name)
            need = LETTER * max(map(len, text_at_line.split("<br>"))) + 8
            before = (x_at - low) / (high - low) * width
            is_left = before > need and (is_left or width - before < need)
            side = "right" if is_left else "left"
            fig.add_annotation(
                x=x_at, y=y_at, text=f"<b>{text_at_line}</b>", align=side, xanchor=side, showarrow=False,
                xshift=-5 if is_left else 5, yshift=7 if is_left else -7, borderpad=1,
                font={"color": theme.var(line.style.colour)}, bgcolor=theme.var("bg"),
            )  # fmt: skip
    distribution.log_axis(fig, scale, low, high, width)
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    fig.update_yaxes(
        range=[-0.01, 1.02], side="right", tickvals=shares,
        ticktext=[f"{round(100 * share)}{words.GAP}%" for share in shares],
    )  # fmt: skip
    return fig


def broken(name: str) -> str:
    """A long name on two lines, parted after a comma or a colon near its middle."""
    places = [at + 1 for at, sign in enumerate(name) if sign in ",:"]
    if len(name) <= LONG or not places:
        return name
    at = min(places, key=lambda place: abs(place - len(name) / 2))
    return f"{name[:at]}<br>{name[at:].strip()}"


def of(line: Line) -> str:
    """What shares are shares of."""
    return "the jobs" if line.weights is None else "the weight"


def curve(values: np.ndarray, floor: float, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of rising values, and the share at or below each; what is below the floor stands on it."""
    if weights is None:
        value, share = cumulative(np.maximum(values, floor), points=POINTS)
        return np.log10(value), share
    value, share = by_weight(values, weights)
    kept = np.unique(np.searchsorted(share, np.linspace(share[0], 1.0, min(POINTS, len(share))) - 1e-12))
    return np.log10(np.maximum(value[kept], floor)), share[kept]


def by_weight(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Known values, rising, and the share of the weight of all of them at or below each."""
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    total = np.cumsum(weights[order])
    return values[order], total / total[-1] if len(total) and total[-1] else np.linspace(0.0, 1.0, len(order))


def quantile(line: Line, share: float) -> float:
    """The least value at or below which that share lies; NaN where there is none."""
    known = line.values[np.isfinite(line.values)]
    if not len(known):
        return np.nan
    if line.weights is None:
        return float(np.quantile(known, share, method="inverted_cdf"))
    value, below = by_weight(line.values, line.weights)
    return float(value[min(len(value) - 1, int(np.searchsorted(below, share - 1e-12)))])


def rows(lines: Sequence[Line], text: Callable[[float], str] = words.number) -> list[tuple[str, ...]]:
    """The same as a table: the value at or below which some shares lie, a column a run."""
    found = []
    for share in (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0):
        values = [quantile(line, share) for line in lines]
        found.append((f"{100 * share:g}{words.GAP}%", *("" if np.isnan(value) else text(value) for value in values)))
    return found
