"""By how much jobs are done sooner or later in one run than in another: bars to both sides of "the same"."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.look import theme, words

EDGES = (60.0, 600.0, 3600.0, 21600.0, 86400.0, 604800.0)
SHORT = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""For workloads in which nothing changes by more than ten minutes."""


NARROWEST, DIGIT, SPARE = 220, 6.5, 10
"""Width of the bars of both sides on a phone, of a digit of a count, and around the count [px]."""


@dataclass(frozen=True)
class Differences:
    """How many jobs differ by how much; the first range of `sooner` and `later` is the smallest."""

    edges: tuple[float, ...]
    sooner: tuple[int, ...]
    same: int
    later: tuple[int, ...]


def differences(seconds: np.ndarray, same: float) -> Differences:
    """Count differences [s] (NaN: not there) by size, to both sides; up to `same` they are none."""
    known = seconds[np.isfinite(seconds)]
    size = np.abs(known)
    edges = SHORT if len(known) == 0 or size.max() <= 600 else EDGES
    bins = np.array([same, *edges, np.inf])
    sooner, later = (np.histogram(size[mask], bins)[0] for mask in (known < -same, known > same))
    return Differences(edges, tuple(sooner.tolist()), int((size <= same).sum()), tuple(later.tolist()))


def names(edges: tuple[float, ...]) -> list[str]:
    """What the ranges are called: round numbers of one unit."""
    units = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))
    said = []
    for edge in edges:
        size, unit = next((size, unit) for size, unit in units if edge >= size and edge % size == 0)
        said.append(f"{edge / size:g}{words.GAP}{unit}")
    first, last = f"under {said[0]}", f"over {said[-1]}"
    return [first, *(f"{low} to {high}" for low, high in pairwise(said)), last]


def figure(shown: Differences) -> go.Figure:
    """Bars to the left are jobs that are done sooner, to the right later; counts stand at their ends."""
    labels = names(shown.edges)
    fig = theme.figure({"l": 108, "r": 8, "t": 20, "b": 8}, barmode="relative", hovermode="closest", bargap=0.2)
    most = max([*shown.sooner, *shown.later, 1])
    for counts, sign, colour, word in ((shown.sooner, -1, "accent", "sooner"), (shown.later, 1, "bgt", "later")):
        fig.add_bar(
            y=labels, x=[sign * count for count in counts], orientation="h", marker={"color": theme.var(colour)},
            text=[f"{count:,}" if count else "" for count in counts], textposition="outside", cliponaxis=False,
            customdata=[f"{count:,}" for count in counts],
            hovertemplate=f"%{{customdata}} jobs %{{y}} {word}<extra></extra>",
        )  # fmt: skip
        total = sum(counts)
        fig.add_annotation(
            x=sign * most * 0.62, y=1, yref="paper", yanchor="bottom", text=f"<b>{total:,} {word}</b>", showarrow=False,
        )  # fmt: skip
    end = most / (1 - 2 * (DIGIT * len(f"{most:,}") + SPARE) / NARROWEST)
    fig.update_xaxes(range=[-end, end], visible=False)
    fig.update_yaxes(showgrid=False, ticks="")
    fig.add_shape(type="line", x0=0, x1=0, y0=0, y1=1, yref="paper", line={"color": theme.var("line2"), "width": 1})
    return fig


def rows(shown: Differences) -> list[tuple[str, str, str]]:
    """The same as a table: range, sooner, later."""
    lines = [
        (name, f"{sooner:,}", f"{later:,}")
        for name, sooner, later in zip(names(shown.edges), shown.sooner, shown.later, strict=True)
    ]
    return [("the same", f"{shown.same:,}", f"{shown.same:,}"), *lines]
