"""A drawing of a paper's page as a figure for print: SVG or PDF at column width, fonts embedded, readable in grey.

Matplotlib draws it (object interface; its settings are global, hence LOCK): plotly needs a browser to write PDF.
"""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from shadowtime.dashboard.figures import heat
from shadowtime.dashboard.figures import plane as planes
from shadowtime.dashboard.figures.drawing import AGAINST, DOTS, HEAT, PLANE, Drawing, Line, Panel, front

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

COLUMN, PAGE = 3.35, 7.0
"""Width of one column and of both [inch], as in two-column journals."""
HEIGHT, ROW = 2.1, 0.15
"""Of a panel of lines, and of a row of dots [inch]."""
LEGEND = 0.19
"""Height of a row of the legend [inch]."""
MOST_ACROSS = 3
COLOURS = ("#000000", "#2456BF", "#C67F18", "#8C8C8C", "#1C7348", "#B4402F", "#0E8A94", "#8A3FA0")
"""Of lines in their order; neighbours differ in lightness as well, and dashes and marks repeat the distinction."""
DASHES = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (3, 3)), (0, (1, 3)))
MARKS = "os^Dv<>P"
HEATS = LinearSegmentedColormap.from_list("heats", ("#8AA9E6", "#FFFFFF", "#E0A097"))
"""Of a map of ratios: below 1, at 1 and above."""
PAPER = "#BDBDBD"
"""Of the values that the paper states."""
STYLE: dict[RcKeyType, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.labelsize": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "lines.linewidth": 1.1,
    "lines.markersize": 3,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "shadowtime",
}
LOCK = threading.Lock()
"""Held while a figure is drawn: two threads would restore each other's settings."""


def publish(drawing: Drawing, form: str) -> bytes:
    """Return a drawing as a file of one of FORMATS; the same bytes for the same drawing."""
    with LOCK, mpl.rc_context(STYLE):
        figure = _figure(drawing)
        out = io.BytesIO()
        if form == "pdf":
            FigureCanvasPdf(figure).print_pdf(out, metadata={"Title": drawing.title, "CreationDate": None})
        else:
            FigureCanvasSVG(figure).print_svg(out, metadata={"Title": drawing.title, "Date": None})
    return out.getvalue()


def _figure(drawing: Drawing) -> Figure:
    """Panels in rows under a common legend, one column wide for a single panel, else both."""
    many = len(drawing.panels)
    across = min(many, 2 if many in (2, 4) else MOST_ACROSS)
    down = math.ceil(many / across)
    height = ROW * (3 + max(len(panel.points) for panel in drawing.panels)) if drawing.kind in (DOTS, HEAT) else HEIGHT
    width = COLUMN if across == 1 else PAGE
    names = [] if drawing.kind in (AGAINST, PLANE, HEAT) else _names(drawing)
    columns = max(1, min(len(names), int(width / 1.1)))
    legend = LEGEND * math.ceil(len(names) / columns)
    figure = Figure((width, down * height + legend), layout="constrained")
    grid = figure.subplots(
        down, across, squeeze=False, sharey=drawing.is_alike and drawing.kind not in (DOTS, PLANE, HEAT)
    )
    handles: dict[str, Artist] = {}
    for at, axes in enumerate(grid.flat):
        if at >= many:
            axes.remove()
            continue
        _draw(axes, drawing, drawing.panels[at], handles)
        axes.set_title(drawing.panels[at].title, loc="left")
    for axes in grid[:, 0] if drawing.kind not in (DOTS, HEAT) else ():
        axes.set_ylabel(_sentence(drawing.note), wrap=True)
    if handles:
        figure.legend(
            list(handles.values()), list(handles), loc="outside upper left", ncols=columns, handlelength=2.6,
            columnspacing=1.2, borderaxespad=0.2,
        )  # fmt: skip
    return figure


def _draw(axes: Axes, drawing: Drawing, panel: Panel, handles: dict[str, Artist]) -> None:
    draw = {DOTS: _dots, AGAINST: _against, PLANE: _plane, HEAT: _heat}.get(drawing.kind, _lines)
    draw(axes, drawing, panel, handles)
    axes.tick_params(length=2, width=0.6, pad=1.5)


def _lines(axes: Axes, drawing: Drawing, panel: Panel, handles: dict[str, Artist]) -> None:
    """Lines over evenly spaced points with their intervals; the paper's values broad and grey behind them."""
    if drawing.is_log:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(_level))
        axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: ""))
    places = range(len(panel.points))
    if panel.paper:
        level = list(panel.paper) * (len(panel.points) if len(panel.paper) == 1 else 1)
        handles[panel.grey] = axes.plot(places, _floats(level), color=PAPER, linewidth=3.5)[0]
    for at, line in enumerate(panel.lines):
        handles[line.name] = _line(axes, line, 0.4 * ((at + 0.5) / len(panel.lines) - 0.5))
    step = max(1, math.ceil(sum(len(point) + 2 for point in panel.points) / 34))
    shown = [point if at % step == 0 else "" for at, point in enumerate(panel.points)]
    axes.set_xticks(list(places), shown)
    axes.set_xlabel(drawing.axis)
    axes.grid(axis="y", color="#E4E4E4", linewidth=0.5)
    axes.set_axisbelow(True)
    if not drawing.is_log and not drawing.is_signed:
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))


def _line(axes: Axes, line: Line, shift: float) -> Artist:
    style = line.style % len(COLOURS)
    low, high = _floats(line.low), _floats(line.high)
    values = _floats(line.values)
    places = [at + (shift if low else 0.0) for at in range(len(values))]
    if low:
        axes.vlines(places, low, high, color=COLOURS[style], linewidth=0.6)
    return axes.plot(
        places, values, color=COLOURS[style], linestyle=DASHES[style], marker=MARKS[style],
        markerfacecolor=COLOURS[style] if style % 2 == 0 else "white",
    )[0]  # fmt: skip


def _dots(axes: Axes, drawing: Drawing, panel: Panel, handles: dict[str, Artist]) -> None:
    """A row for each point: the paper's value as a grey bar, ours as a dot."""
    (line,) = panel.lines
    rows = range(len(panel.points))
    if drawing.is_log:
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(_level))
    if panel.paper:
        marks: dict[str, Any] = {"marker": "|", "markersize": 8, "markeredgewidth": 3, "color": PAPER, "linestyle": ""}
        theirs = _floats(panel.paper) * (len(rows) if len(panel.paper) == 1 else 1)
        handles[panel.grey] = axes.plot(theirs, rows, **marks)[0]
    if line.low:
        axes.hlines(rows, _floats(line.low), _floats(line.high), color="black", linewidth=0.6)
    handles["ours"] = axes.plot(_floats(line.values), rows, marker="o", color="black", linestyle="")[0]
    axes.set_yticks(list(rows), list(panel.points))
    axes.invert_yaxis()
    axes.set_xlabel(_sentence(drawing.note))


def _against(axes: Axes, drawing: Drawing, panel: Panel, _: dict[str, Artist]) -> None:
    """Ours against theirs on logarithmic axes; on the grey line both are the same."""
    (line,) = panel.lines
    both = [(a, b) for a, b in zip(_floats(panel.paper), _floats(line.values), strict=True) if a > 0 and b > 0]
    ends = [min(map(min, both)), max(map(max, both))] if both else [1.0, 10.0]
    axes.set(xscale="log", yscale="log", xlabel=drawing.axis or "theirs", ylabel="ours")
    axes.plot(ends, ends, color=PAPER, linewidth=3)
    axes.plot(*zip(*both, strict=True) if both else ((), ()), marker="o", color="black", linestyle="", markersize=2)


def _plane(axes: Axes, drawing: Drawing, panel: Panel, _: dict[str, Artist]) -> None:
    """Named points on two logarithmic axes; a grey line joins those that no other beats in both criteria."""
    steps = front(panel)
    axes.step([a for a, _ in steps], [b for _, b in steps], where="post", color=PAPER, linewidth=3)
    drawn = []
    for line in panel.lines:
        style = line.style % len(COLOURS)
        for at, name in enumerate(panel.points):
            across, up = panel.paper[at], line.values[at]
            if across is None or up is None:
                continue
            if line.low:
                axes.vlines([across], _floats(line.low[at : at + 1]), _floats(line.high[at : at + 1]),
                            color=COLOURS[style], linewidth=0.6)  # fmt: skip
            axes.plot([across], [up], marker=MARKS[style], color=COLOURS[style], linestyle="",
                      markerfacecolor=COLOURS[style] if style % 2 == 0 else "white")  # fmt: skip
            drawn.append((name, across, up))
    sides = [[x for _, x, _ in drawn], [y for _, _, y in drawn]]
    lows, highs = [max(1.0, 0.93 * min(side)) for side in sides], [1.04 * max(side) for side in sides]
    axes.set(xscale="log", yscale="log", xlim=(lows[0], highs[0]), ylim=(lows[1], highs[1]), xlabel=drawing.axis)
    for at, axis in enumerate((axes.xaxis, axes.yaxis)):
        axis.set_major_locator(FixedLocator(planes.ticks_between(math.log10(lows[at]), math.log10(highs[at]))))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_locator(NullLocator())
    shares = [np.log(np.array(sides[at]) / lows[at]) / math.log(highs[at] / lows[at]) for at in range(2)]
    for (name, across, _up), (height, is_left) in zip(
        drawn, planes.names_at(shares[0], shares[1], [len(point[0]) for point in drawn]), strict=True
    ):
        place = (across, lows[1] * (highs[1] / lows[1]) ** height)
        axes.annotate(name, place, (-4 if is_left else 4, 0), textcoords="offset points",
                      ha="right" if is_left else "left", va="center", fontsize=6)  # fmt: skip


def _heat(axes: Axes, _drawing: Drawing, panel: Panel, _: dict[str, Artist]) -> None:
    """A map of ratios with the value in each cell."""
    values = np.array(heat.shades(panel), float)
    axes.pcolormesh(values, cmap=HEATS, vmin=-1.0, vmax=1.0, edgecolors="white", linewidth=0.6)
    for across, down, text in heat.cells(panel):
        axes.text(across + 0.5, down + 0.5, text, ha="center", va="center", fontsize=6)
    names = [line.name for line in panel.lines]
    axes.set_xticks(np.arange(len(names)) + 0.5, names, rotation=heat.SLOPE, ha="left", rotation_mode="anchor")
    axes.set_yticks(np.arange(len(panel.points)) + 0.5, list(panel.points))
    axes.xaxis.tick_top()
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)


def _names(drawing: Drawing) -> list[str]:
    """Return the entries of the legend."""
    found = dict.fromkeys(line.name for panel in drawing.panels for line in panel.lines)
    if any(panel.paper for panel in drawing.panels):
        found |= dict.fromkeys(panel.grey for panel in drawing.panels if panel.paper)
    return list(found)


def _sentence(note: str) -> str:
    """Return the unit and meaning of the values as the label of an axis."""
    return note.partition(";")[0].partition(", on a ")[0]


def _floats(values: Sequence[float | None]) -> list[float]:
    return [math.nan if value is None else float(value) for value in values]


def _level(value: float, _: int) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"
