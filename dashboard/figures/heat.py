"""A map of ratios: policies down, workloads across, one colour below 1 and another above, with the value in each
cell."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from shadowtime.dashboard.figures.drawing import Panel
from shadowtime.dashboard.look import theme, words

MOST = 4.0
"""Ratio from which the colour stays the same, and below its inverse."""
SCALE = ((0.0, "accent"), (0.5, "surface"), (1.0, "under"))
OPACITY = 0.55
"""Of the cells, so that the values in them can be read."""
ROW = 19
"""Height of a row [px]."""
MARGIN = {"t": 52, "b": 8, "r": 30}
SLOPE = 30
"""Of the names of columns [degrees]: long ones stand close beside each other."""


def height(panel: Panel) -> int:
    """Return the height of a map [px]."""
    return MARGIN["t"] + MARGIN["b"] + ROW * len(panel.points)


def shades(panel: Panel) -> list[list[float | None]]:
    """Return the logarithms of the ratios within MOST, a row a point; a value that is not above 0 has none."""
    return [[shade(line.values[at]) for line in panel.lines] for at in range(len(panel.points))]


def shade(ratio: float | None) -> float | None:
    """Return the logarithm of a ratio to the base of MOST, in [-1, 1]."""
    if ratio is None or ratio <= 0:
        return None
    return max(-1.0, min(1.0, math.log(ratio) / math.log(MOST)))


def cells(panel: Panel) -> list[tuple[int, int, str]]:
    """Return column, row and text of each cell."""
    return [
        (across, down, words.number(line.values[down]))
        for across, line in enumerate(panel.lines)
        for down in range(len(panel.points))
    ]


def figure(panel: Panel) -> go.Figure:
    """Return a panel as a map."""
    room = 10 + 6.0 * max(len(point) for point in panel.points)
    fig = theme.figure({**MARGIN, "l": min(room, 216)}, hovermode="closest")
    names = [line.name for line in panel.lines]
    fig.add_heatmap(
        z=shades(panel), zmin=-1.0, zmax=1.0, colorscale=[[at, theme.var(token)] for at, token in SCALE],
        showscale=False, opacity=OPACITY, xgap=1, ygap=1, hoverinfo="skip",
    )  # fmt: skip
    found = cells(panel)
    fig.add_scatter(
        x=[across for across, _, _ in found], y=[down for _, down, _ in found], text=[text for *_, text in found],
        mode="text", textfont={"color": theme.var("ink"), "size": 11},
        customdata=[f"{panel.points[down]}, {names[across]}" for across, down, _ in found],
        hovertemplate="%{customdata}<br>%{text}<extra></extra>",
    )  # fmt: skip
    fig.update_xaxes(
        range=[-0.5, len(names) - 0.5], tickvals=list(range(len(names))), ticktext=names, side="top", showgrid=False,
        showline=False, ticks="", zeroline=False, tickangle=-SLOPE,
    )  # fmt: skip
    rows = len(panel.points)
    fig.update_yaxes(
        range=[rows - 0.5, -0.5], tickvals=list(range(rows)), ticktext=[*panel.points], showgrid=False, zeroline=False
    )
    return fig
