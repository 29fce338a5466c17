"""The critical-difference diagram: algorithms on an axis of mean ranks, bars over those that do not differ.

Reference
---------
J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), figure 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from shadowtime.dashboard.look import theme

NAME = 18
"""Height of a name [px]."""
BAR = 9
"""Height of a bar [px]."""
AXIS = 62
"""Height of the axis with the critical difference above it [px]."""


def diagram_height(algorithms: int, groups: int) -> int:
    """Return the height of the diagram [px]."""
    return AXIS + BAR * groups + NAME * math.ceil(algorithms / 2) + 26


def critical_difference(
    names: Sequence[str], ranks: Sequence[float], groups: Sequence[Sequence[int]], difference: float
) -> go.Figure:
    """Return the diagram: the best algorithms are named on the left, the others on the right.

    names, ranks: algorithms and their mean ranks, the best first.
    groups: positions of the algorithms that the critical difference does not separate.
    difference: the critical difference, drawn above the axis.
    """
    last = len(names)
    fig = theme.figure({"l": 200, "r": 200, "t": 10, "b": 10}, hovermode="closest")
    ink = theme.var("ink")
    _line(fig, [1, last], [0, 0], 1.2)
    for tick in range(1, last + 1):
        _line(fig, [tick, tick], [0, 6], 1.2)
        fig.add_annotation(x=tick, y=8, text=str(tick), yanchor="bottom", font={"size": 11, "color": ink})
    end = min(1 + difference, last)
    _line(fig, [1, end], [34, 34], 2.0)
    for x in (1, end):
        _line(fig, [x, x], [30, 38], 2.0)
    beyond = " (beyond the axis)" if 1 + difference > last else ""
    fig.add_annotation(
        x=(1 + end) / 2, y=38, text=f"critical difference {difference:.2f}{beyond}", yanchor="bottom",
        font={"size": 11, "color": ink},
    )  # fmt: skip
    for row, group in enumerate(groups, 1):
        span = [ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03]
        _line(fig, span, [-BAR * row, -BAR * row], 4.0)
    half = math.ceil(last / 2)
    for place, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        is_left = place < half
        row = place if is_left else last - 1 - place
        y = -BAR * (len(groups) + 1) - NAME * row - 6
        edge = 1 if is_left else last
        _line(fig, [rank, rank, edge], [0, y, y], 1.0)
        fig.add_annotation(
            x=edge, y=y, text=f"{name} {rank:.2f}", xanchor="right" if is_left else "left", xshift=-4 if is_left else 4,
            font={"size": 11, "color": ink},
        )  # fmt: skip
    fig.add_scatter(
        x=list(ranks), y=[0] * last, mode="markers", marker={"size": 6, "color": ink},
        text=[f"{name}: mean rank {rank:.2f}" for name, rank in zip(names, ranks, strict=True)],
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    fig.update_xaxes(visible=False, range=[0.9, last + 0.1])
    return fig.update_yaxes(visible=False, range=[-BAR * (len(groups) + 1) - NAME * half - 8, AXIS])


def _line(fig: go.Figure, x: Sequence[float], y: Sequence[float], width: float) -> None:
    style = {"color": theme.var("ink"), "width": width}
    fig.add_scatter(x=list(x), y=list(y), mode="lines", line=style, hoverinfo="skip")
