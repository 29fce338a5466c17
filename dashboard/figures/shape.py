"""What a workload looks like at a glance: when its jobs arrive, how wide and how long they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from shadowtime.dashboard.look import theme, words
from shadowtime.engine.registry import look_up_family

GUTTER = 0.055
RUNTIME_TICKS = (1.0, 600.0, 86400.0)
ROUND = tuple(
    n * unit for unit, many in ((1.0, (1, 2, 5, 10, 20, 30)), (60.0, (1, 2, 5, 10, 20, 30)), (3600.0, (1, 2, 5, 10)),
                                (86400.0, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)))
    for n in many
)  # fmt: skip
"""Round runtimes [s]: the first and the last of them inside a narrow range are the ticks of its axis."""
NEAR = 0.22
"""Names of an axis keep this share of its length between them."""


@dataclass(frozen=True)
class Panel:
    """One of the three: bars of equal width, some of whose edges are named."""

    title: str
    counts: tuple[int, ...]
    ranges: tuple[str, ...]
    """What each bar counts, for the label under the pointer."""
    ticks: tuple[tuple[float, str], ...]
    """Place along the axis, 0 to 1, and name."""


def panels(preview: Mapping[str, Any]) -> list[Panel]:
    """What is drawn of `engine.workload.preview`: its `hours`, `processors` and `runtimes`."""
    return [hours(preview["hours"]), sizes(preview["processors"], preview["kind"]), runtimes(preview["runtimes"])]


def hours(histogram: Mapping[str, Any]) -> Panel:
    """Jobs by hour of the day."""
    ranges = tuple(f"{int(hour):02d}:00 to {(int(hour) + 1) % 24:02d}:00" for hour in histogram["labels"])
    ticks = ((0.0, "0"), (0.5, "12"), (1.0, "24\u202fh"))
    return Panel("jobs by hour of day", tuple(histogram["counts"]), ranges, ticks)


def sizes(histogram: Mapping[str, Any], kind: str = "rigid") -> Panel:
    """Jobs by what they request, in powers of two; a bar's upper end names it."""
    title, one, after = look_up_family(kind).size_histogram
    labels, n = histogram["labels"], len(histogram["counts"])
    if not one:
        outer = ((0.5 / n, labels[0]), (1 - 0.5 / n, labels[-1]))
        return Panel(title, tuple(histogram["counts"]), tuple(labels), outer)
    counted = (f"1 {one}" if label == "1" else f"{label.replace('-', ' to ')} {one}s" for label in labels)
    ranges = tuple(f"{text} {after}".strip() for text in counted)
    ends = [label.rpartition("-")[2] for label in labels]
    at = sorted({0, n // 2, n - 1})
    return Panel(title, tuple(histogram["counts"]), ranges, tuple(((i + 0.5) / n, ends[i]) for i in at))


def runtimes(histogram: Mapping[str, Any]) -> Panel:
    """Jobs by runtime, doubling; the empty bars before the shortest job are left out."""
    edges, counts = list(histogram["edges"]), list(histogram["counts"])
    first = next((i for i, count in enumerate(counts) if count), 0)
    edges, counts = edges[first:], counts[first:]
    ranges = tuple(f"{words.duration(low)} to {words.duration(high)}" for low, high in pairwise(edges))
    n = len(counts)

    def place(seconds: float) -> float:
        low = max(edges[0], 0.5)
        return math.log2(seconds / low) / n if n else 0.0

    inside = [[t for t in known if -0.001 <= place(t) <= 1.001] for known in (RUNTIME_TICKS, ROUND)]
    named = inside[0] if len(inside[0]) > 1 else inside[1][:1] + inside[1][1:][-1:]
    if not named and n:
        named = [edges[0], edges[-1]]
    return Panel("by runtime", tuple(counts), ranges, tuple((place(t), tick(t)) for t in named))


def tick(seconds: float) -> str:
    """Return the label of a runtime below the axis: whole days in days, others as `words.tick`."""
    return words.tick(seconds) if seconds % 86400 else words.days(seconds)


def figure(preview: Mapping[str, Any], colour: str = "bar") -> go.Figure:
    """The three histograms side by side; `colour` is a token."""
    fig = theme.figure({"l": 0, "r": 0, "t": 18, "b": 18}, hovermode="closest")
    shown = panels(preview)
    width = (1 - GUTTER * (len(shown) - 1)) / len(shown)
    for number, panel in enumerate(shown, start=1):
        left = (number - 1) * (width + GUTTER)
        suffix = "" if number == 1 else str(number)
        fig.add_bar(
            x=[at + 0.5 for at in range(len(panel.counts))], y=list(panel.counts), width=0.88,
            customdata=list(panel.ranges), hovertemplate="%{customdata}<br>%{y:,} jobs<extra></extra>",
            marker={"color": theme.var(colour)}, xaxis=f"x{suffix}", yaxis=f"y{suffix}",
        )  # fmt: skip
        fig.layout[f"xaxis{suffix}"] = {
            "domain": [left, left + width], "anchor": f"y{suffix}", "range": [0, max(1, len(panel.counts))],
            "ticks": "", "showticklabels": False,
        }  # fmt: skip
        fig.layout[f"yaxis{suffix}"] = {"anchor": f"x{suffix}", "visible": False, "rangemode": "tozero"}
        _name(fig, panel.title, left, 1, "left", "bottom")
        for at, name in spaced(panel.ticks):
            side = "left" if at < 0.08 else "right" if at > 0.92 else "center"
            _name(fig, name, left + width * at, 0, side, "top")
    return fig


def spaced(ticks: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Those names, first and last before the middle, that do not touch."""
    kept: list[tuple[float, str]] = []
    for at, name in (*ticks[:1], *ticks[:0:-1]):
        if all(abs(at - other) >= NEAR for other, _ in kept):
            kept.append((at, name))
    return sorted(kept)


def rows(preview: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The same as a table: what, range, count."""
    return [
        (panel.title, name, f"{count:,}")
        for panel in panels(preview)
        for name, count in zip(panel.ranges, panel.counts, strict=True)
        if count
    ]


def _name(fig: go.Figure, text: str, x: float, y: float, xanchor: str, yanchor: str) -> None:
    fig.add_annotation(
        text=text, x=x, y=y, xref="paper", yref="paper", xanchor=xanchor, yanchor=yanchor, showarrow=False,
        borderpad=0, xshift={"left": -1, "right": 1}.get(xanchor, 0), font={"color": theme.var("ink3")},
    )  # fmt: skip
