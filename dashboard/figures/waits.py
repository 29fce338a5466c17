"""Waits of groups of jobs: a row a group with a dot a schedule, or a line a schedule over hours, weekdays or sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from shadowtime.dashboard.figures.lines import Style
from shadowtime.dashboard.figures.usage import instants
from shadowtime.dashboard.look import theme, words

RECORDED = Style("bar", "solid", 1.25)
SYMBOLS = ("circle-open", "circle", "diamond", "square", "triangle-up", "triangle-down", "cross")
"""The first is that of what was recorded."""
DOT = 8
"""Diameter of a marker [px]."""
OUTLINE = 1.5
BESIDE = 10
"""Room between the axis and the names of groups [px]: more than half a marker, which is drawn whole at 0 s."""
ROW = 20
ORDERED_HEIGHT = 240
NAME = 18
"""Letters of a group's name that are drawn."""
MARGIN = {"t": 30, "b": 44, "r": 18}


@dataclass(frozen=True)
class Shown:
    """Values of one column, one a group; None where unknown."""

    name: str
    style: Style
    symbol: str
    values: Sequence[float | None]


def height(groups: int, is_named: bool) -> int:
    """Return the height of a figure [px]."""
    return int(MARGIN["t"] + MARGIN["b"] + ROW * max(groups, 3)) if is_named else ORDERED_HEIGHT


def figure(names: Sequence[str], columns: Sequence[Shown], is_named: bool, title: str) -> go.Figure:
    """Return waits [s] of groups under every column; `title` is that of the axis of waits."""
    fig = _empty(names, is_named)
    largest = max((value for one in columns for value in one.values if value is not None), default=0.0) or 60.0
    for one in columns:
        said = [words.duration(value) for value in one.values]
        places, values = list(range(len(names))), list(one.values)
        fig.add_scatter(
            x=values if is_named else places, y=places if is_named else values,
            mode="markers" if is_named else "lines+markers", name=one.name, line=one.style.line,
            marker={"symbol": one.symbol, "size": DOT, "color": theme.var(one.style.colour),
                    "line": {"width": OUTLINE, "color": theme.var(one.style.colour)}},
            cliponaxis=False, customdata=[[name, text] for name, text in zip(names, said, strict=True)],
            hovertemplate=f"%{{customdata[0]}}: <b>%{{customdata[1]}}</b>, {one.name}<extra></extra>",
        )  # fmt: skip
    if is_named and len(columns) > 1:
        _joined(fig, columns, len(names))
    ticks = [0.0, *(t for t in instants(0.0, largest * 1.02, 4) if t > 0)]
    axis = {
        "range": [0, largest * 1.04],
        "tickvals": ticks,
        "ticktext": words.ticks(ticks),
    }
    return _axes(fig, names, is_named, axis, title)


def bars(names: Sequence[str], hours: Sequence[float], is_named: bool, title: str) -> go.Figure:
    """Return the work of groups as bars [processor-hours]."""
    fig = _empty(names, is_named)
    places, said = list(range(len(names))), [words.number(value) for value in hours]
    fig.add_bar(
        x=list(hours) if is_named else places, y=places if is_named else list(hours),
        orientation="h" if is_named else "v", marker={"color": theme.var("fg")}, showlegend=False,
        customdata=[[name, text] for name, text in zip(names, said, strict=True)],
        hovertemplate="%{customdata[0]}: <b>%{customdata[1]}</b> processor-hours<extra></extra>",
    )  # fmt: skip
    return _axes(fig, names, is_named, {"rangemode": "tozero", "tickformat": ",", "nticks": 5}, title)


def _empty(names: Sequence[str], is_named: bool) -> go.Figure:
    room = 10 + BESIDE + 6.2 * max((len(_short(name)) for name in names), default=4) if is_named else 74
    fig = theme.figure({**MARGIN, "l": min(room, 126 + BESIDE)})
    return fig.update_layout(
        hovermode="closest",
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "font": {"size": 11}},
    )


def _joined(fig: go.Figure, columns: Sequence[Shown], rows: int) -> None:
    """Join the dots of each row by a thin line, so that they are seen as one."""
    x: list[float | None] = []
    y: list[float | None] = []
    for row in range(rows):
        known = [value for one in columns if (value := one.values[row]) is not None]
        if len(known) > 1:
            x += [min(known), max(known), None]
            y += [row, row, None]
    fig.add_scatter(
        x=x, y=y, mode="lines", line={"color": theme.var("line2"), "width": 1}, hoverinfo="skip", showlegend=False
    )
    fig.data = (fig.data[-1], *fig.data[:-1])


def _axes(fig: go.Figure, names: Sequence[str], is_named: bool, axis: dict, title: str) -> go.Figure:
    places, short = list(range(len(names))), [_short(name) for name in names]
    if is_named:
        fig.update_yaxes(
            range=[len(names) - 0.5, -0.5], tickvals=places, ticktext=short, showgrid=False, ticklabelstandoff=BESIDE
        )
        fig.update_xaxes(**axis, showgrid=True, tickangle=0)
    else:
        step = 3 if len(names) == 24 else 1
        fig.update_xaxes(range=[-0.6, len(names) - 0.4], tickvals=places[::step], ticktext=short[::step], tickangle=0)
        fig.update_yaxes(**axis)
    y, anchor, shift = (0, "top", -22) if is_named else (1, "bottom", 8)  # beside the axis that it names
    return fig.add_annotation(
        x=1, y=y, xref="paper", yref="paper", xanchor="right", yanchor=anchor, yshift=shift, text=title,
        showarrow=False, font={"color": theme.var("ink3")},
    )  # fmt: skip


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"
