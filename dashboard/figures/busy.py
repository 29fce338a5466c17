"""Maps of a busy machine: hours of the day, or groups of nodes, down; days across; outages as bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from shadowtime.dashboard.look import theme

MONTHS = 60
"""Days from which the axis names months."""
HOURS_HEIGHT, GROUPS_HEIGHT = 246, 246
SCALE = ((0.0, "surface"), (1.0, "fg"))
MARGIN: dict[str, float] = {"l": 54, "r": 54, "t": 16, "b": 36}


class Band(NamedTuple):
    """An outage: where it begins and ends, in days of the map, and what is said of it."""

    start: float
    end: float
    text: str


@dataclass(frozen=True)
class Map:
    """Shares of a machine, in percent of it; None where nothing is known."""

    cells: Sequence[Sequence[int | None]]
    first: int
    """Number of the first day: since 1970 where `is_dated`, else since the begin of the workload."""
    is_dated: bool
    bands: Sequence[Band] = ()


def hours(shown: Map) -> dict[str, Any]:
    """Return the map of the hours of the day, as JSON values."""
    ticks = [0, 6, 12, 18]
    axis = {"range": [23.5, -0.5], "tickvals": ticks, "ticktext": [f"{hour:02d}:00" for hour in ticks]}
    return _figure(shown, {"y0": 0, "dy": 1}, axis, "%{y:02d}:00")


def groups(shown: Map, lanes: int, lane: str) -> dict[str, Any]:
    """Return the map of groups of neighbouring lanes, called `lane` ("processor")."""
    step = -(-lanes // max(len(shown.cells), 1))
    axis = {"range": [lanes, 0], "tickvals": list(range(0, lanes, -(-lanes // 5))), "tickformat": ","}
    return _figure(shown, {"y0": step / 2, "dy": step}, axis, f"{lane} %{{y:,.0f}}")


def _figure(shown: Map, rows: dict[str, float], axis: dict[str, Any], row: str) -> dict[str, Any]:
    fig = theme.figure(MARGIN, hovermode="closest")
    days = len(shown.cells[0]) if shown.cells else 0
    across = {"x0": _at(shown, 0.5), "dx": 86_400_000 if shown.is_dated else 1}
    day = "%{x|%a %-d %b %Y}" if shown.is_dated else "day %{x:.0f}"
    fig.add_heatmap(
        **across, **rows, zmin=0, zmax=100, colorscale=[[at, theme.var(token)] for at, token in SCALE],
        hovertemplate=f"{day}, {row}: <b>%{{z}} %</b><extra></extra>", hoverongaps=False,
        colorbar={"thickness": 8, "len": 1, "x": 1.01, "xpad": 0, "ypad": 0, "outlinewidth": 0,
                  "tickvals": [0, 50, 100], "ticktext": ["0 %", "50 %", "100 %"], "tickfont": {"size": 11}},
    )  # fmt: skip
    if shown.bands:
        top = axis["range"][1]
        fig.add_scatter(
            x=[_at(shown, (band.start + band.end) / 2) for band in shown.bands], y=[top] * len(shown.bands),
            mode="markers", cliponaxis=False, text=[band.text for band in shown.bands],
            marker={"symbol": "triangle-down", "size": 7, "color": theme.var("under"), "line": {"width": 0}},
            hovertemplate="%{text}<extra></extra>", showlegend=False,
        )  # fmt: skip
    fig.update_xaxes(range=[_at(shown, 0), _at(shown, days)], nticks=6, showline=True, tickangle=0)
    if shown.is_dated:
        fig.update_xaxes(type="date", tickformat="%b\n%Y")
    if not shown.is_dated or days <= MONTHS:
        at = range(0, days, -(-days // 6) or 1)
        text = {} if shown.is_dated else {"ticktext": [f"day {shown.first + day}" for day in at]}
        fig.update_xaxes(tickformat="%-d %b", tickvals=[_at(shown, day + 0.5) for day in at], **text)
    fig.update_yaxes(**axis, showgrid=False)
    made = theme.plain(fig)
    # Put in as they are: the figure's own checks of cells and bands take longer than all else.
    made["data"][0]["z"] = [list(cells) for cells in shown.cells]
    made["layout"]["shapes"] = [
        {"type": "rect", "x0": _at(shown, band.start), "x1": _at(shown, band.end), "y0": 0, "y1": 1, "yref": "paper",
         "fillcolor": theme.var("under"), "opacity": 0.35, "line": {"width": 0}}
        for band in shown.bands
    ]  # fmt: skip
    return made


def _at(shown: Map, day: float) -> Any:
    """Return a place on the axis of days; a date as plotly reads it, which knows no time zones."""
    if not shown.is_dated:
        return shown.first + day - 0.5
    moment = datetime.fromtimestamp(0, UTC) + timedelta(days=shown.first + day)
    return moment.strftime("%Y-%m-%d %H:%M:%S")
