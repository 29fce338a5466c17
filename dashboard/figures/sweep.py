"""Figures of a sweep: lines with bands, boxes, distributions and a map of algorithms by load.

Every mark carries the number of its point in `customdata`, by which the page opens the runs behind it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.figures.small_multiples import COLOURS, DASHES, SYMBOLS
from shadowtime.dashboard.figures.sweep_axes import Text, across, ends, is_log, scaled, up
from shadowtime.dashboard.figures.sweep_panel import Panel
from shadowtime.dashboard.look import theme, words

HEIGHT = 260
ROW = 26
WIDE = 6.4
"""Width of a letter of 11 px, bold [px]."""
MOST_NAME = 26


def short(name: str) -> str:
    """A name that leaves room for the figure: names often differ at their ends only, so the middle goes."""
    half = MOST_NAME // 2
    return name if len(name) <= MOST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def lines(panel: Panel, text: Text, log: bool, span: tuple[float, float], apart: bool = False) -> go.Figure:
    """Means over the axis; the band is the confidence interval where there are two samples or more.

    apart: what is on the axis has no order, so that nothing is joined: dots beside each other, with whiskers.
    """
    room = 20 + WIDE * max(len(short(one.name)) for one in panel.series)
    fig = theme.figure({"l": 62, "r": min(room, 190), "t": 10, "b": 32})
    x = list(range(len(panel.ticks)))
    low, high = ends(span, log)
    named = []
    for one in panel.series:
        colour = theme.var(COLOURS[one.style % len(COLOURS)])
        known = np.isfinite(one.low) & np.isfinite(one.high) & np.isfinite(one.mean)
        beside = 0.5 * ((one.style + 0.5) / len(panel.series) - 0.5) if apart else 0.0
        if known.any() and apart:
            _whiskers(
                fig, colour, np.flatnonzero(known) + beside, scaled(one.low[known], log), scaled(one.high[known], log)
            )
        elif known.any():
            there = np.flatnonzero(known).tolist()
            rim = [*scaled(one.high[known], log), *scaled(one.low[known], log)[::-1]]
            fig.add_scatter(
                x=[*there, *there[::-1]], y=rim, mode="lines", fill="toself", line={"width": 0, "color": colour},
                fillcolor=colour, opacity=0.16, hoverinfo="skip", showlegend=False,
            )  # fmt: skip
        y = scaled(one.mean, log)
        fig.add_scatter(
            x=[place + beside for place in x], y=y, mode="markers" if apart else "lines+markers", name=one.name,
            connectgaps=False,
            line={"color": colour, "dash": DASHES[one.style % len(DASHES)], "width": 1.9},
            marker={"symbol": SYMBOLS[one.style % len(SYMBOLS)], "size": 7, "color": colour},
            customdata=[
                [point, text(mean), _interval(a, b, text), f"{n:.0f}"]
                for point, mean, a, b, n in zip(one.points, one.mean, one.low, one.high, one.n, strict=True)
            ],
            hovertemplate=f"{one.name} <b>%{{customdata[1]}}</b>%{{customdata[2]}}, blocks: %{{customdata[3]}}"
            "<extra></extra>",
        )  # fmt: skip
        last = next((value for value in reversed(y) if value is not None), None)
        if last is not None:
            named.append((short(one.name), colour, last))
    for name, colour, y_at in _apart(named, low, high):
        fig.add_annotation(
            x=x[-1], y=y_at, text=f"<b>{name}</b>", xanchor="left", xshift=10, font={"color": colour, "size": 11}
        )
    edge = 0.4 if apart or len(x) == 1 else 0.06 * (len(x) - 1)
    fig.update_xaxes(range=[-edge, len(x) - 1 + edge], tickvals=x, ticktext=[short(tick) for tick in panel.ticks])
    return up(fig, low, high, log, text)


def boxes(names: Sequence[str], columns: Sequence[np.ndarray], text: Text, points: Sequence[int]) -> go.Figure:
    """A row a variant: quartiles and median as a box, whiskers to the extremes, every instance a dot."""
    every = np.concatenate([*columns, np.empty(0)])
    log = is_log(every)
    room = 16 + WIDE * max((len(short(name)) for name in names), default=4)
    fig = theme.figure({"l": min(room, 200), "r": 20, "t": 8, "b": 32})
    for row, (values, point) in enumerate(zip(columns, points, strict=True)):
        known = np.sort(values[np.isfinite(values)])
        if not len(known):
            continue
        colour = theme.var(COLOURS[row % len(COLOURS)])
        x = scaled(known, log)
        first, middle, third = scaled(np.quantile(known, [0.25, 0.5, 0.75]), log)
        said = f"{names[row]}<br>median {text(float(np.median(known)))}, half of {len(known)} within "
        said += f"{text(float(np.quantile(known, 0.25)))} to {text(float(np.quantile(known, 0.75)))}"
        fig.add_scatter(
            x=[x[0], first, None, third, x[-1]], y=[row] * 5, mode="lines", line={"color": colour, "width": 1},
            hoverinfo="skip",
        )  # fmt: skip
        fig.add_shape(
            type="rect", x0=first, x1=third, y0=row - 0.26, y1=row + 0.26, line={"color": colour, "width": 1.5},
            fillcolor=theme.var("surface"), layer="below",
        )  # fmt: skip
        jitter = row + 0.18 * np.sin(np.arange(len(known)) * 2.4)
        fig.add_scatter(
            x=x, y=jitter.tolist(), mode="markers", marker={"size": 4, "color": colour, "opacity": 0.55},
            customdata=[[point, text(float(value))] for value in known],
            hovertemplate=f"{names[row]} %{{customdata[1]}}<extra></extra>",
        )  # fmt: skip
        fig.add_scatter(
            x=[middle, middle], y=[row - 0.26, row + 0.26], mode="lines", line={"color": colour, "width": 3},
            text=[said, said], hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    _down(fig, names)
    fig.update_layout(hovermode="closest")
    return across(fig, every, log, text)


def distributions(names: Sequence[str], columns: Sequence[np.ndarray], text: Text, points: Sequence[int]) -> go.Figure:
    """The share of instances at or below each value, a line a variant."""
    every = np.concatenate([*columns, np.empty(0)])
    log = is_log(every)
    room = 20 + WIDE * max((len(short(name)) for name in names), default=4)
    fig = theme.figure({"l": 48, "r": min(room, 190), "t": 10, "b": 32})
    named = []
    for row, (values, point) in enumerate(zip(columns, points, strict=True)):
        known = np.sort(values[np.isfinite(values)])
        if not len(known):
            continue
        colour = theme.var(COLOURS[row % len(COLOURS)])
        share = np.arange(1, len(known) + 1) / len(known)
        fig.add_scatter(
            x=[scaled(known[:1], log)[0], *scaled(known, log)], y=[0, *share.tolist()], mode="lines",
            line={"color": colour, "dash": DASHES[row % len(DASHES)], "width": 1.9, "shape": "hv"}, name=names[row],
            customdata=[[point, text(float(v))] for v in (known[0], *known)],
            hovertemplate=f"{names[row]}: %{{y:.0%}} at or below %{{customdata[1]}}<extra></extra>",
        )  # fmt: skip
        middle = scaled(np.array([np.median(known)]), log)[0]
        named.append((short(names[row]), colour, middle, 0.12 + 0.76 * ((row + 0.5) / len(names))))
    for name, colour, _, y in named:
        fig.add_annotation(
            x=1, xref="paper", y=y, text=f"<b>{name}</b>", xanchor="left", xshift=8, font={"color": colour, "size": 11}
        )
    fig.update_yaxes(range=[0, 1.02], tickvals=[0, 0.5, 1], ticktext=["0", "half", "all"])
    fig.update_layout(hovermode="closest")
    return across(fig, every, log, text)


def heat(
    rows: Sequence[str], columns: Sequence[str], values: np.ndarray, points: np.ndarray, text: Text, higher: bool
) -> go.Figure:
    """A cell a variant and place: the value in words, darker the farther from the best of its column."""
    log = is_log(values)
    numbers = np.array([[math.nan if v is None else v for v in scaled(row, log)] for row in values], float)
    with np.errstate(all="ignore"):
        best = np.nanmax(numbers, axis=0) if higher else np.nanmin(numbers, axis=0)
    far = np.abs(numbers - best)
    top = float(np.nanmax(far)) if np.isfinite(far).any() else 0.0
    share = far / top if top else np.zeros_like(far)
    room = 16 + WIDE * max((len(short(name)) for name in rows), default=4)
    fig = theme.figure({"l": min(room, 200), "r": 10, "t": 26, "b": 8})
    for at in np.ndindex(numbers.shape):
        if not math.isfinite(numbers[at]):
            continue
        row, column = at
        is_best = bool(numbers[at] == best[column])
        fig.add_shape(
            type="rect", x0=column - 0.49, x1=column + 0.49, y0=row - 0.46, y1=row + 0.46, line={"width": 0},
            fillcolor=theme.var("accent"), opacity=0.06 + 0.5 * float(share[at]), layer="below",
        )  # fmt: skip
        written = text(float(values[at]))
        fig.add_annotation(
            x=column,
            y=row,
            text=f"<b>{written} ●</b>" if is_best else written,
            font={"color": theme.var("ink"), "size": 12},
        )
    known = [(at[1], at[0]) for at in np.ndindex(numbers.shape) if math.isfinite(numbers[at])]
    fig.add_scatter(
        x=[x for x, _ in known], y=[y for _, y in known], mode="markers", opacity=0,
        marker={"size": 26, "symbol": "square", "color": theme.var("accent")},
        customdata=[[int(points[y, x])] for x, y in known],
        text=[f"{rows[y]}, {columns[x]}: {text(float(values[y, x]))}" for x, y in known],
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    fig.update_layout(hovermode="closest")
    fig.update_xaxes(
        range=[-0.5, len(columns) - 0.5], side="top", tickvals=list(range(len(columns))),
        ticktext=[short(name) for name in columns], showline=False, ticks="",
    )  # fmt: skip
    return _down(fig, rows)


def forest(rows: Sequence[tuple[str, float, float, float, int]], better: str) -> go.Figure:
    """Ratios a : b with their intervals, a row a place: left of 1 where `a` has less."""
    known = [value for _, *values, _ in rows for value in values if math.isfinite(value) and value > 0]
    low, high = min([*known, 0.9]), max([*known, 1.1])
    room = 16 + WIDE * max((len(short(name)) for name, *_ in rows), default=4)
    fig = theme.figure({"l": min(room, 220), "r": 20, "t": 8, "b": 32})
    for row, (name, ratio, first, last, n) in enumerate(rows):
        if not math.isfinite(ratio):
            continue
        apart = math.isfinite(first) and (last < 1 or first > 1)
        good = (ratio < 1) == (better != "higher")
        colour = theme.var(("good" if good else "under") if apart else "ink3")
        if math.isfinite(first):
            fig.add_scatter(
                x=[math.log10(first), math.log10(last)], y=[row, row], mode="lines", hoverinfo="skip",
                line={"color": colour, "width": 2},
            )  # fmt: skip
        said = f"{name}: ×{words.number(ratio)}" + (
            f" ({words.number(first)} to {words.number(last)})" if math.isfinite(first) else ""
        )
        fig.add_scatter(
            x=[math.log10(ratio)], y=[row], mode="markers", text=[f"{said}, blocks: {n}"],
            marker={"size": 9, "color": colour, "symbol": "square" if apart else "square-open"},
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    fig.add_vline(x=0, line={"color": theme.var("ink"), "width": 1})
    fig.update_layout(hovermode="closest")
    _down(fig, [name for name, *_ in rows])
    span = max(math.log10(high), -math.log10(low)) * 1.06
    ticks = [t for t in (1e-3, 0.01, 0.1, 0.2, 0.5, 0.9, 1, 1.1, 2, 5, 10, 100, 1e3) if abs(math.log10(t)) <= span]
    if span > 0.35:
        ticks = [t for t in ticks if t not in (0.9, 1.1)]
    if span > 1.2:
        ticks = [t for t in ticks if t not in (0.2, 0.5, 2, 5)]
    return fig.update_xaxes(
        range=[-span, span],
        tickvals=[math.log10(t) for t in ticks],
        ticktext=[f"×{t:g}" for t in ticks],
        showgrid=True,
        tickangle=0,
    )


def _whiskers(
    fig: go.Figure, colour: str, places: np.ndarray, low: Sequence[float | None], high: Sequence[float | None]
) -> None:
    """Upright lines from `low` to `high` at each place."""
    x = [value for place in places for value in (place, place, None)]
    y = [value for pair in zip(low, high, strict=True) for value in (*pair, None)]
    fig.add_scatter(x=x, y=y, mode="lines", line={"color": colour, "width": 1.2}, opacity=0.7, hoverinfo="skip")


def _interval(low: float, high: float, text: Text) -> str:
    return f" ({text(float(low))} to {text(float(high))})" if math.isfinite(low) and math.isfinite(high) else ""


def _down(fig: go.Figure, names: Sequence[str]) -> go.Figure:
    """A row for each name, the first at the top."""
    return fig.update_yaxes(
        range=[len(names) - 0.5, -0.5], tickvals=list(range(len(names))), ticktext=[short(name) for name in names],
        showgrid=False,
    )  # fmt: skip


def _apart(named: Sequence[tuple[str, str, float]], low: float, high: float) -> list[tuple[str, str, float]]:
    """Names beside the ends of their lines, none upon another."""
    least = 14 * (high - low) / (HEIGHT - 42)
    placed: list[tuple[str, str, float]] = []
    for name, colour, y in sorted(named, key=lambda one: one[2]):
        placed.append((name, colour, max(y, placed[-1][2] + least) if placed else y))
    over = placed[-1][2] - high if placed else 0.0
    return [(name, colour, y - over) for name, colour, y in placed] if over > 0 else placed
