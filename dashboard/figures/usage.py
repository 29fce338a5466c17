"""How several runs used the machine over one axis of time: useful processors, and below them the demand of jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.figures.lines import Style
from shadowtime.dashboard.look import theme, words
from shadowtime.engine.output.steps import means
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Clock

MOST_TICKS = 5
"""Labels of the axis of time that fit side by side on a phone."""
YEAR = 365 * 86400
POINTS = 240
"""Means drawn of each step function; the page states it."""
GAP = 0.14


@dataclass(frozen=True)
class Used:
    """A run's step functions."""

    name: str
    style: Style
    series: Table
    """`time`, `useful` and `demand`."""


def figure(runs: Sequence[Used], capacity: float, clock: Clock | None, lane: str = "processor") -> go.Figure:
    """Two panels with a line a run; a legend above them names the lines and wraps where names are long.

    lane: what CPU is counted in.
    """
    fig = theme.figure({"l": 44, "r": 12, "t": 40, "b": 22}, hovermode="closest", showlegend=True)
    known = [run for run in runs if len(run.series["time"]) > 1]
    if not known:
        return fig.update_xaxes(visible=False).update_yaxes(visible=False)
    low = min(float(run.series["time"][0]) for run in known)
    high = max(float(run.series["time"][-1]) for run in known)
    has_years = high - low > YEAR
    fig.update_layout(margin_b=22 + 14 * has_years)
    edges = np.linspace(low, high, POINTS + 1)
    panels: Mapping[str, tuple[str, str]] = {"y": ("useful", "Useful CPU"), "y2": ("demand", "Demand")}
    for axis, (column, title) in panels.items():
        for run in known:
            value = means(run.series["time"], run.series[column], edges)
            until = np.searchsorted(edges, run.series["time"][-1], side="left") + 1
            said = [
                words.instant(float(t), clock, year=has_years, to=words.fineness(high - low)) for t in edges[:until]
            ]
            fig.add_scatter(
                x=edges[:until].tolist(), y=[*value[: until - 1].round(3).tolist(), 0.0], mode="lines",
                name=run.name, line={**run.style.line, "shape": "hv"}, xaxis="x", yaxis=axis, customdata=said,
                showlegend=axis == "y",
                hovertemplate=f"{run.name}<br>%{{y:,.1f}} at %{{customdata}}<extra></extra>",
            )  # fmt: skip
        fig.add_annotation(
            x=0, y=1 if axis == "y" else 0.5 - GAP / 2, xref="paper", yref="paper", yanchor="bottom", xanchor="left",
            text=f"<b>{title}</b> in {lane}s", showarrow=False, borderpad=0, yshift=2,
        )  # fmt: skip
    ticks = instants(low, high, MOST_TICKS)
    fig.update_layout(
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.09, "yanchor": "bottom", "itemclick": False,
                "itemdoubleclick": False, "font": {"size": 11}},
        xaxis={"domain": [0, 1], "anchor": "y2", "range": [low, high + (high - low) * 0.005], "tickvals": ticks,
               "tickangle": 0,
               "ticktext": [label(t, clock, high - low) for t in ticks]},
        yaxis={"domain": [0.5 + GAP / 2, 1], "range": [0, capacity * 1.04], "nticks": 4, "tickformat": ","},
        yaxis2={"domain": [0, 0.5 - GAP / 2], "anchor": "x", "rangemode": "tozero", "nticks": 4, "tickformat": ",",
                "showgrid": True, "gridcolor": theme.var("line"), "fixedrange": True, "showline": False, "ticks": ""},
    )  # fmt: skip
    return fig


def label(at: float, clock: Clock | None, span: float) -> str:
    """Return the label of an instant [s] on an axis of `span` seconds; a year is a line of its own, as labels on a
    phone are close to each other. Within an hour the time of day is enough."""
    text = words.instant(at, clock, year=span > YEAR, to="day" if span > 4 * 86400 else words.fineness(span))
    if clock is None:
        return text
    date, _, end = text.rpartition(" ")
    return f"{date}<br>{end}" if span > YEAR else end if words.fineness(span) == "second" else text


def instants(low: float, high: float, most: int) -> list[float]:
    """Round instants between two."""
    rough = (high - low) / most
    days = (1, 2, 4, 7, 14, 28, 91, 182, 364, 728)
    units = [*(a * b for b in (1, 60, 3600) for a in (1, 2, 5, 10, 15, 20, 30)), 3600 * 6, 3600 * 12]
    units += [86400 * n for n in days]
    step = next((unit for unit in sorted(units) if unit >= rough), units[-1])
    return [float(t) for t in np.arange(np.ceil(low / step) * step, high, step)]
