"""Panels of a drawing as plotly figures: lines named at their ends, rows of dots, or ours against theirs.

The paper's values are a broad grey line or grey marks, ours lie over them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from shadowtime.dashboard.figures import heat
from shadowtime.dashboard.figures import plane as planes
from shadowtime.dashboard.figures.drawing import (
    AGAINST,
    DOTS,
    HEAT,
    LINES,
    PLANE,
    Drawing,
    Line,
    Panel,
    front,
    known,
    span,
)
from shadowtime.dashboard.look import theme, words

COLOURS = ("ink", "accent", "under", "ink3", "good", "bgt", "fg", "stretch-4")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px 2px 2px 2px", "2px 4px")
SYMBOLS = (
    "circle", "circle-open", "square-open", "diamond-open", "triangle-up-open", "square", "diamond", "x-open",
)  # fmt: skip
SMALL, CAPITAL = 6.3, 8.0
"""Width of a letter of a bold name of 11 px [px]."""
HEIGHT, ROW = 242, 17
"""Of a panel of lines, and of a row of dots [px]."""
PAGE = 1000
"""Room for all panels beside each other [px]."""
APART = 13
"""Least distance of two names at the ends of lines [px]."""
MARGIN = {"l": 46, "t": 8, "b": 40}
LOG_TICKS = (1, 2, 5)


def height(drawing: Drawing) -> int:
    """Of a panel of the drawing [px]."""
    if drawing.kind == DOTS:
        return MARGIN["t"] + MARGIN["b"] + ROW * max(2, *(len(panel.points) for panel in drawing.panels))
    if drawing.kind == HEAT:
        return max(map(heat.height, drawing.panels))
    return 340 if drawing.kind in (AGAINST, PLANE) else HEIGHT


def across(drawing: Drawing) -> int:
    """How many panels stand beside each other where there is room: fewer where many lines have names."""
    many = len(drawing.panels)
    if drawing.kind != LINES:
        return min(many, 2 if many == 4 else 3)
    if max(len(panel.lines) for panel in drawing.panels) > 4:
        return min(many, 2)
    return 3 if many % 3 == 0 else min(many, 4)


def figures(drawing: Drawing) -> list[go.Figure]:
    """A figure for each panel, on one scale where the drawing is set so."""
    draw = {DOTS: dots, AGAINST: against, PLANE: plane, HEAT: heat_map}.get(drawing.kind, lines)
    return [draw(drawing, panel) for panel in drawing.panels]


def lines(drawing: Drawing, panel: Panel) -> go.Figure:
    """Lines over evenly spaced points, whiskers from the smallest to the largest single value."""
    room = 16 + max(_width(name) for name in [*(line.name for line in panel.lines), panel.grey])
    ticks = _ticks(drawing, panel)
    levels = [_word(drawing, tick) for tick in ticks]
    margin = {**MARGIN, "l": max(30.0, 10 + SMALL * max(map(len, levels))), "r": room}
    fig = theme.figure(margin)
    low, high = ticks[0], ticks[-1]
    if panel.paper:
        level = [*panel.paper] * (len(panel.points) if len(panel.paper) == 1 else 1)
        grey = {"color": theme.var("line2"), "width": 5}
        fig.add_scatter(x=_places(panel), y=_scaled(drawing, level), mode="lines", line=grey, hoverinfo="skip")
    many = len(panel.lines)
    for at, line in enumerate(panel.lines):
        shift = 0.5 * ((at + 0.5) / many - 0.5) if line.low else 0.0
        _add_line(fig, drawing, panel, line, shift)
    last = [(line.name, COLOURS[line.style % 8], _last(drawing, line)) for line in panel.lines]
    if panel.paper:
        last.append((panel.grey, "ink3", _scaled(drawing, panel.paper)[-1]))
    ends = [(name, colour, y) for name, colour, y in last if y is not None]
    edge = 0.35 if any(line.low for line in panel.lines) else 0.08
    inner = HEIGHT - MARGIN["t"] - MARGIN["b"]
    for name, colour, y in _spread(ends, low, high, inner):
        fig.add_annotation(
            x=len(panel.points) - 1 + edge, y=y, text=f"<b>{name}</b>" if colour != "ink3" else name, xanchor="left",
            xshift=6, showarrow=False, font={"color": theme.var(colour), "size": 11},
        )  # fmt: skip
    labels = [*panel.points]
    wide = PAGE / across(drawing) - room - margin["l"]
    step = max(1, math.ceil(sum(_width(label) + 8 for label in labels) / wide))
    shown = [label if at % step == 0 else "" for at, label in enumerate(labels)]
    fig.update_xaxes(
        range=[-edge, len(labels) - 1 + edge], tickvals=_places(panel), ticktext=shown, showline=False,
        ticklen=7, tickangle=0, tickcolor="rgba(0,0,0,0)", title={"text": drawing.axis, "standoff": 6},
    )  # fmt: skip
    room = 0.02 * (high - low)  # the outermost lines of the grid, and marks on them
    fig.update_yaxes(range=[low - room, high + room], tickvals=ticks, ticktext=levels)
    if drawing.is_signed and low < 0 < high:
        fig.update_yaxes(zeroline=True, zerolinecolor=theme.var("line2"))
    return fig


def dots(drawing: Drawing, panel: Panel) -> go.Figure:
    """A row for each point: the paper's as a grey bar across, ours as a dot."""
    room = 10 + 6.0 * max(len(point) for point in panel.points)
    fig = theme.figure({**MARGIN, "l": min(room, 216), "r": 14})
    rows = list(range(len(panel.points)))
    (line,) = panel.lines
    theirs, ours = _scaled(drawing, panel.paper), _scaled(drawing, line.values)
    if len(theirs) == 1:
        theirs *= len(rows)
    if line.low:
        whiskers = _joined(_scaled(drawing, line.low), _scaled(drawing, line.high))
        style = {"color": theme.var("ink"), "width": 1}
        fig.add_scatter(x=whiskers, y=_joined(rows, rows), mode="lines", line=style, hoverinfo="skip")
    for values, name, marker in (
        (theirs, panel.grey, {"symbol": "line-ns", "size": 11, "line": {"width": 5, "color": theme.var("line2")}}),
        (ours, "ours", {"symbol": "circle", "size": 7, "color": theme.var("ink")}),
    ):
        raw = (
            (panel.paper if len(panel.paper) != 1 else [*panel.paper] * len(rows))
            if name == panel.grey
            else line.values
        )
        fig.add_scatter(
            x=values, y=rows, mode="markers", marker=marker, customdata=[words.number(v) for v in raw],
            text=panel.points, hovertemplate=f"%{{text}}<br>{name} %{{customdata}}<extra></extra>",
        )  # fmt: skip
    ticks = _ticks(drawing, panel)
    fig.update_layout(hovermode="closest")
    fig.update_yaxes(range=[len(rows) - 0.5, -0.5], tickvals=rows, ticktext=[*panel.points])
    fig.update_xaxes(
        range=[ticks[0] - 0.02 * (ticks[-1] - ticks[0]), ticks[-1]], tickvals=ticks, showgrid=True,
        ticktext=_thinned([_word(drawing, tick) for tick in ticks], 6), showline=False, ticks="",
    )  # fmt: skip
    return fig


def against(drawing: Drawing, panel: Panel) -> go.Figure:
    """Ours up, theirs across, on logarithmic axes of one scale; on the grey line both are the same."""
    fig = theme.figure({**MARGIN, "r": 14})
    (line,) = panel.lines
    both = [
        (a, b, name) for a, b, name in zip(panel.paper, line.values, panel.points, strict=True)
        if a is not None and b is not None and a > 0 and b > 0
    ]  # fmt: skip
    ticks = _log_ticks(*span([panel]))
    ends = [ticks[0], ticks[-1]]
    fig.add_scatter(x=ends, y=ends, mode="lines", hoverinfo="skip", line={"color": theme.var("line2"), "width": 5})
    fig.add_scatter(
        x=[math.log10(a) for a, _, _ in both], y=[math.log10(b) for _, b, _ in both], mode="markers",
        marker={"size": 6, "color": theme.var("accent"), "opacity": 0.75},
        text=[f"{name}<br>ours {words.number(b)}, theirs {words.number(a)}" for a, b, name in both],
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    fig.update_layout(hovermode="closest")
    text = _thinned([_word(drawing, tick) for tick in ticks], 7)
    fig.update_xaxes(range=ends, tickvals=ticks, ticktext=text, title={"text": drawing.axis, "standoff": 6})
    fig.update_yaxes(range=ends, tickvals=ticks, ticktext=text)
    return fig


def plane(drawing: Drawing, panel: Panel) -> go.Figure:
    """Named points on two logarithmic axes; a grey line joins those that no other beats in both criteria."""
    fig = theme.figure({**MARGIN, "r": 14})
    sides = [known(panel.paper), [v for line in panel.lines for v in known([*line.values, *line.low, *line.high])]]
    lows = [math.log10(max(1.0, 0.93 * min(side))) for side in sides]
    highs = [math.log10(1.04 * max(side)) for side in sides]
    steps = front(panel)
    fig.add_scatter(
        x=[math.log10(a) for a, _ in steps], y=[math.log10(b) for _, b in steps], mode="lines", hoverinfo="skip",
        line={"color": theme.var("line2"), "width": 5, "shape": "hv"},
    )  # fmt: skip
    drawn = []
    for line in panel.lines:
        colour = theme.var(COLOURS[line.style % 8])
        for at, name in enumerate(panel.points):
            across, up = panel.paper[at], line.values[at]
            if across is None or up is None:
                continue
            x, y = math.log10(across), math.log10(up)
            whisker = [math.log10(end) for end in (*line.low[at : at + 1], *line.high[at : at + 1]) if end is not None]
            if len(whisker) == 2:
                fig.add_scatter(x=[x, x], y=whisker, mode="lines", line={"color": colour, "width": 1}, hoverinfo="skip")
            fig.add_scatter(
                x=[x], y=[y], mode="markers", hovertemplate=f"{name}<br>{panel.grey} {words.number(across)}, "
                f"{drawing.note.partition(';')[0]} {words.number(up)}<extra></extra>",
                marker={"symbol": SYMBOLS[line.style % 8], "size": 8, "color": colour},
            )  # fmt: skip
            drawn.append((name, colour, x, y))
    shares = [(np.array([point[2 + at] for point in drawn]) - lows[at]) / (highs[at] - lows[at]) for at in range(2)]
    for (name, colour, x, _), (height, is_left) in zip(
        drawn, planes.names_at(shares[0], shares[1], [len(point[0]) for point in drawn]), strict=True
    ):
        fig.add_annotation(
            x=x, y=lows[1] + height * (highs[1] - lows[1]), text=name, showarrow=False,
            xanchor="right" if is_left else "left", xshift=-8 if is_left else 8, font={"color": colour, "size": 11},
        )  # fmt: skip
    fig.update_layout(hovermode="closest")
    for at, (axis, title) in enumerate(((fig.update_xaxes, drawing.axis), (fig.update_yaxes, ""))):
        ticks = planes.ticks_between(lows[at], highs[at])
        text = [f"{tick:g}" for tick in ticks]
        axis(range=[lows[at], highs[at]], tickvals=[math.log10(tick) for tick in ticks], ticktext=text)
        axis(title={"text": title, "standoff": 6}, showgrid=True, zeroline=False)
    return fig


def heat_map(_: Drawing, panel: Panel) -> go.Figure:
    """A map of ratios."""
    return heat.figure(panel)


def _width(name: str) -> float:
    """Of a bold name [px]."""
    return sum(CAPITAL if letter.isupper() else SMALL for letter in name)


def _add_line(fig: go.Figure, drawing: Drawing, panel: Panel, line: Line, shift: float) -> None:
    style = line.style % 8
    colour = theme.var(COLOURS[style])
    x = [place + shift for place in _places(panel)]
    if line.low:
        whiskers = _joined(_scaled(drawing, line.low), _scaled(drawing, line.high))
        fig.add_scatter(
            x=_joined(x, x), y=whiskers, mode="lines", line={"color": colour, "width": 1}, opacity=0.6,
            hoverinfo="skip",
        )  # fmt: skip
    fig.add_scatter(
        x=x, y=_scaled(drawing, line.values), mode="lines+markers", name=line.name, connectgaps=False, cliponaxis=False,
        line={"color": colour, "width": 2 if style == 0 else 1.75, "dash": DASHES[style]},
        marker={"symbol": SYMBOLS[style], "size": 6, "color": colour},
        customdata=[[point, words.number(v)] for point, v in zip(panel.points, line.values, strict=True)],
        hovertemplate=f"{line.name} %{{customdata[1]}}<extra></extra>",
    )  # fmt: skip


def _joined(first: Sequence[float | None], last: Sequence[float | None]) -> list[float | None]:
    """Return one coordinate of segments as that of a single line with a gap after each: a trace a segment is slow."""
    return [value for ends in zip(first, last, strict=True) for value in (*ends, None)]


def _places(panel: Panel) -> list[int]:
    return list(range(len(panel.points)))


def _scaled(drawing: Drawing, values: Sequence[float | None]) -> list[float | None]:
    """As they are drawn; on a logarithmic scale 0 has no place."""
    if not drawing.is_log:
        return list(values)
    return [math.log10(v) if v is not None and v > 0 else None for v in values]


def _last(drawing: Drawing, line: Line) -> float | None:
    found = [value for value in _scaled(drawing, line.values) if value is not None]
    return found[-1] if found else None


def _ticks(drawing: Drawing, panel: Panel) -> list[float]:
    """From at or below the smallest value to at or above the largest; in powers of ten on a logarithmic scale."""
    together = drawing.with_scale_of(panel)
    low, high = span(together)
    if drawing.is_log:
        positive = [v for p in together for v in known(_positive(p))]
        return _log_ticks(min(positive, default=1.0), high)
    low, high = min(0.0, low), max(0.0, high)
    rough = max(high - low, 1e-9) / 4
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    return [round(step * i, 10) for i in range(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) + 1)]


def _positive(panel: Panel) -> list[float | None]:
    values = [*panel.paper, *(v for line in panel.lines for v in (*line.values, *line.low))]
    return [v for v in values if v is not None and v > 0]


def _log_ticks(low: float, high: float) -> list[float]:
    """Logarithms of 1, 2 and 5 times powers of ten around two values; powers alone where they are many."""
    first, last = math.floor(math.log10(max(low, 1e-9))), math.ceil(math.log10(max(high, 1e-9)) + 1e-9)
    factors = LOG_TICKS if last - first <= 2 else (1,)
    every = [10.0**power * factor for power in range(first, last + 1) for factor in factors]
    start = max([v for v in every if v <= low * 1.0001], default=every[0])
    end = min([v for v in every if v >= high * 0.9999], default=every[-1])
    return [math.log10(v) for v in every if start <= v <= end]


def _word(drawing: Drawing, tick: float) -> str:
    if drawing.is_log:
        value = float(f"{10**tick:.6g}")
        return f"{value:,.0f}" if value >= 10 else f"{value:g}"
    text = f"{tick:,.10g}" if abs(tick) < 1e15 else f"{tick:g}"
    return words.signed(f"+{text}" if drawing.is_signed and tick > 0 else text)


def _thinned(labels: list[str], most: int) -> list[str]:
    step = max(1, math.ceil(len(labels) / most))
    return [label if at % step == 0 else "" for at, label in enumerate(labels)]


def _spread(ends: list[tuple[str, str, float]], low: float, high: float, inner: float) -> list[tuple[str, str, float]]:
    """Names at the heights of their lines, moved apart where they would touch, all within the panel."""
    unit = (high - low) / inner
    ordered = sorted(ends, key=lambda end: end[2])
    places: list[float] = []
    for _, _, y in ordered:
        places.append(max(y, places[-1] + APART * unit) if places else max(y, low))
    top = high
    for at in range(len(places) - 1, -1, -1):
        places[at] = min(places[at], top)
        top = places[at] - APART * unit
    return [(name, colour, y) for (name, colour, _), y in zip(ordered, places, strict=True)]
