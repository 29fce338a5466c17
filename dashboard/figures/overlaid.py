"""Histograms of several runs over each other as outlines, on one logarithmic axis, with the same bins for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.figures import distribution
from shadowtime.dashboard.figures.lines import Line
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import theme, words

BINS = 24


def counts(lines: Sequence[Line], floor: float) -> tuple[np.ndarray, list[np.ndarray], list[int]]:
    """Edges of the bins from the floor up, counts of each run in them, and how many lie below."""
    known = [line.values[np.isfinite(line.values)] for line in lines]
    top = max((float(values.max()) for values in known if len(values)), default=floor)
    edges = np.geomspace(floor, max(top * (1 + 1e-9), floor * 4), BINS + 1)
    return edges, [np.histogram(values, edges)[0] for values in known], [int((v < floor).sum()) for v in known]


def figure(lines: Sequence[Line], scale: Scale, width: int = 300) -> go.Figure:
    """An outline a run, named at its highest bin; what lies below the floor is written in the names."""
    fig = theme.figure({"l": 6, "r": 44, "t": 16, "b": 22})
    floor, text = scale.floor, scale.text
    edges, found, below = counts(lines, floor)
    low, high = float(np.log10(edges[0])), float(np.log10(edges[-1]))
    tallest = max((int(count.max()) for count in found), default=0)
    if not tallest:
        return fig.update_xaxes(visible=False).update_yaxes(visible=False)
    x = np.repeat(np.log10(edges), 2)
    taken: list[tuple[float, float]] = []
    for line, count, under in zip(lines, found, below, strict=True):
        y = np.concatenate([[0], np.repeat(count, 2), [0]])
        fig.add_scatter(
            x=x.round(4).tolist(), y=y.tolist(), mode="lines", line=line.style.line, name=line.name,
            customdata=[text(float(10**value)) for value in x],
            hovertemplate=f"{line.name}<br>%{{y:,}} jobs about %{{customdata}}<extra></extra>",
        )  # fmt: skip
        peak = int(np.argmax(count))
        at, height = (np.log10(edges[peak]) + np.log10(edges[peak + 1])) / 2, float(count[peak])
        while any(abs(at - a) < 0.3 * (high - low) and abs(height - h) < 0.1 * tallest for a, h in taken):
            height += 0.1 * tallest
        taken.append((at, height))
        margin = 0.3 * (high - low)
        side = "left" if at < low + margin else "right" if at > high - margin else "center"
        fig.add_annotation(
            x=min(max(at, low), high), y=height, yanchor="bottom", showarrow=False, borderpad=0,
            xanchor=side,
            text=f"<b>{line.name}</b>  {under:,} below {text(floor)}", font={"color": theme.var(line.style.colour)},
        )  # fmt: skip
    distribution.log_axis(fig, scale, low, high, width)
    fig.update_yaxes(range=[0, max([tallest, *(h for _, h in taken)]) * 1.14], side="right", nticks=5, tickformat=",")
    return fig


def rows(lines: Sequence[Line], floor: float, text: Callable[[float], str] = words.number) -> list[tuple[str, ...]]:
    """The same as a table: range, and the count of each run."""
    edges, found, below = counts(lines, floor)
    first = (f"below {text(floor)}", *(f"{under:,}" for under in below))
    return [first] + [
        (f"{text(float(edges[i]))} to {text(float(edges[i + 1]))}", *(f"{int(count[i]):,}" for count in found))
        for i in range(len(edges) - 1)
    ]
