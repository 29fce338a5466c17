"""The bi-criteria plane: how far a schedule's makespan and its weighted completion are from the optimum at the most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.figures.lines import Style
from shadowtime.dashboard.look import theme, words

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
TICKS = (1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000)
ROOM = 0.08
"""Beyond the outermost points, in powers of ten."""
HEIGHT = 0.075
"""Of a name and of a point, as a share of the axis; `LETTER` is the width of a letter, `MARK` half of a point's."""
LETTER, MARK = 0.028, 0.02
STEPS = (0.0, 0.7, -0.7, 1.4, -1.4, 2.1, -2.1, 2.8, -2.8)
"""How far names may be from their points, in heights, in the order in which it is tried."""


@dataclass(frozen=True)
class Point:
    """A run: two quotients of a value and its proven bound."""

    name: str
    style: Style
    makespan: float
    minsum: float


def figure(points: Sequence[Point]) -> go.Figure:
    """A point a run on two logarithmic axes that begin at 1, the lower bound; each named beside it."""
    fig = theme.figure({"l": 44, "r": 12, "t": 8, "b": 36}, hovermode="closest")
    x = np.log10([point.makespan for point in points])
    y = np.log10([point.minsum for point in points])
    spans = [max(0.3, float(values.max())) + ROOM for values in (x, y)]
    for at, point in enumerate(points):
        fig.add_scatter(
            x=[float(x[at])], y=[float(y[at])], mode="markers", name=point.name,
            marker={"symbol": SYMBOLS[at % len(SYMBOLS)], "size": 10, "color": theme.var(point.style.colour)},
            hovertemplate=f"{point.name}<br>makespan {words.ratio(point.makespan)}, weighted completion "
            f"{words.ratio(point.minsum)}<extra></extra>",
        )  # fmt: skip
    places = names_at(x / spans[0], y / spans[1], [len(point.name) for point in points])
    for at, (height, is_left) in enumerate(places):
        fig.add_annotation(
            x=float(x[at]), y=height * spans[1], text=f"<b>{points[at].name}</b>", showarrow=False,
            xanchor="right" if is_left else "left", xshift=-9 if is_left else 9,
            font={"color": theme.var(points[at].style.colour)},
        )  # fmt: skip
    for axis, span, title in ((fig.update_xaxes, spans[0], "makespan"), (fig.update_yaxes, spans[1], "")):
        ticks = kept(span)
        axis(range=[-0.02, span], tickvals=np.log10(ticks).tolist(), ticktext=[f"×{tick:,g}" for tick in ticks])
        axis(title={"text": title, "font": {"size": 11}, "standoff": 4}, showgrid=True, zeroline=False)
    return fig


def names_at(x: np.ndarray, y: np.ndarray, lengths: Sequence[int]) -> list[tuple[float, bool]]:
    """(height, whether left of its point) of each name: as near as leaves the points and the names before it free.

    x, y: of the points, and `lengths` of the names in letters; places and heights are shares of the axes.
    """
    boxes = [(a - MARK, b - HEIGHT / 2, a + MARK, b + HEIGHT / 2) for a, b in zip(x, y, strict=True)]
    placed = []
    for at, letters in enumerate(lengths):
        found = (float(y[at]), bool(x[at] > 0.6))
        for step in STEPS:
            height = float(y[at]) + step * HEIGHT
            right = (x[at] + MARK, x[at] + MARK + letters * LETTER, False)
            left = (x[at] - MARK - letters * LETTER, x[at] - MARK, True)
            free = [
                is_left
                for a, z, is_left in (right, left)
                if a >= 0 and z <= 1 and 0 <= height <= 1 and not _covers((a, height, z), boxes[:at] + boxes[at + 1 :])
            ]
            if free:
                found = height, free[0]
                break
        placed.append(found)
        a = x[at] - MARK - letters * LETTER if found[1] else x[at] + MARK
        boxes.append((a, found[0] - HEIGHT / 2, a + letters * LETTER, found[0] + HEIGHT / 2))
    return placed


def _covers(name: tuple[float, float, float], boxes: Sequence[tuple[float, float, float, float]]) -> bool:
    a, height, z = name
    half = 0.4 * HEIGHT
    return any(a < x1 and z > x0 and height - half < y1 and height + half > y0 for x0, y0, x1, y1 in boxes)


def ticks_between(low: float, high: float) -> list[float]:
    """Return round ratios from 10^low to 10^high, a seventh of the axis apart at least."""
    steps = [power * tenth / 10 for power in (1, 10, 100) for tenth in range(10, 100, 1 if power == 1 else 5)]
    found: list[float] = []
    for tick in steps:
        if low <= np.log10(tick) <= high and (not found or np.log10(tick / found[-1]) >= (high - low) / 7):
            found.append(tick)
    return found


def kept(span: float) -> list[float]:
    """Ticks on an axis of `span` powers of ten, a tenth of it apart at least."""
    found: list[float] = []
    for tick in TICKS:
        if np.log10(tick) <= span and (not found or np.log10(tick / found[-1]) >= span / 10):
            found.append(tick)
    return found
