"""The share of a machine that each of several groups of jobs uses over time: a small figure a group, on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from shadowtime.dashboard.figures.usage import YEAR, instants, label
from shadowtime.dashboard.look import theme, words
from shadowtime.engine.workload.job import Clock

HEIGHT = 104
NARROWEST, LABEL = 185, 74
"""Width of the narrowest figure without its margins, and of a label with the space beside it [px]."""
POINTS = 120
"""Equal spans whose means are drawn; the page states it."""
STEPS = (1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100)
"""Upper ends of the common scale [%]."""


def top(shares: Sequence[Sequence[float]]) -> float:
    """Return the end of the scale that holds all of them [%]."""
    largest = max((max(values, default=0.0) for values in shares), default=0.0)
    return next((float(step) for step in STEPS if step >= largest), largest)


def figure(name: str, edges: Sequence[float], values: Sequence[float], end: float, clock: Clock | None) -> go.Figure:
    """Return the figure of a group: percent of the machine, from 0 to `end`."""
    low, high = float(edges[0]), float(edges[-1])
    fig = theme.figure({"l": 40, "r": 8, "t": 6, "b": 34 if clock and high - low > YEAR else 20})
    said = [words.instant(float(at), clock, to=words.fineness(high - low)) for at in edges]
    fig.add_scatter(
        x=list(edges), y=[*values, values[-1] if len(values) else 0.0], mode="lines", fill="tozeroy",
        line={"color": theme.var("fg"), "width": 1, "shape": "hv"}, customdata=said,
        hovertemplate=f"{name}: %{{y:.1f}}{words.GAP}% from %{{customdata}}<extra></extra>",
    )  # fmt: skip
    ticks = _thinned(instants(low, high, 4), high - low)
    fig.update_xaxes(
        range=[low, high], tickvals=ticks, tickangle=0,
        ticktext=[label(at, clock, high - low) for at in ticks],
    )  # fmt: skip
    fig.update_yaxes(
        range=[0, 1.02 * end], tickvals=[0, end / 2, end], ticktext=[_percent(at) for at in (0, end / 2, end)]
    )
    return fig


def _thinned(ticks: list[float], span: float) -> list[float]:
    """Return every tick, every second one and so on, so that their labels do not touch on the narrowest figure."""
    if len(ticks) < 2:
        return ticks
    apart = (ticks[1] - ticks[0]) / span * NARROWEST
    return ticks[:: math.ceil(LABEL / apart)]


def _percent(value: float) -> str:
    return f"{value:g}{words.GAP}%"
