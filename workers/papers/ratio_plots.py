"""Ratios to a bound as SVG: the average of each algorithm at each size with the smallest and largest single one.

Figures with `low` and `high` whose titles end alike after ": " are panels of one picture, a family each.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape

from shadowtime.workers.papers.report import Figure, Report

WIDTH, HEIGHT = 330, 230
"""Of a panel's plot [px]."""
LEFT, TOP, ACROSS, DOWN = 44, 90, 44, 66
PANELS = 2
"""In a row."""
DASHES = ("", "6 4", "2 3", "9 3 2 3", "1 4", "12 3", "4 2", "8 2 2 2")
TICKS = (1, 1.2, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000)
APART = 16
"""Least distance of two ticks [px]."""
WORD, LETTER = 40, 6.6
"""Of the legend: a line with what is around it, and a letter [px]."""
STYLE = (
    "text{font:11px Inter,system-ui,sans-serif;fill:#474C53}.t{font-size:13px;font-weight:600;fill:#17191C}"
    ".p{font-weight:600}.g{stroke:#E4E4DF}.l{fill:none;stroke-width:1.75}.w{stroke-width:1;opacity:.7}.b{fill:#FFFFFF}"
    ".c0{stroke:#17191C}.c1{stroke:#676C74}.c2{stroke:#B4402F}.c3{stroke:#1C7348}.c4{stroke:#C67F18}"
    ".c5{stroke:#8A3FA0}.c6{stroke:#2456BF}.c7{stroke:#0E8A94}"
    "@media(prefers-color-scheme:dark){text{fill:#B7BCC3}.t{fill:#ECEDEE}.g{stroke:#2A2E32}.b{fill:#191C1F}"
    ".c0{stroke:#ECEDEE}.c1{stroke:#8E959E}.c2{stroke:#F08A78}.c3{stroke:#6CC794}.c4{stroke:#D9982F}"
    ".c5{stroke:#D79BE8}.c6{stroke:#86ABF9}.c7{stroke:#5CCAD3}}"
)


def ratio_plots(report: Report) -> dict[str, str]:
    """SVG texts by file name: `demt-makespan-over-the-dual-bound.svg`."""
    together: dict[str, list[tuple[str, Figure]]] = {}
    for figure in report.figures:
        if len(figure.low) and len(figure.high):
            family, _, what = figure.title.partition(": ")
            together.setdefault(what.removesuffix(", ratio of sums"), []).append((family, figure))
    return {f"{report.paper}-{_slug(what)}.svg": svg(what, panels) for what, panels in together.items()}


def svg(what: str, panels: Sequence[tuple[str, Figure]]) -> str:
    """One picture: a panel for each (family, figure), all on one logarithmic scale from 1."""
    columns = panels[0][1].columns
    top = max(value for _, figure in panels for row in figure.high for value in row if math.isfinite(value))
    title, drawn = f"{what[:1].upper()}{what[1:]}", "average (ratio of sums), smallest and largest run"
    rows = math.ceil(len(panels) / PANELS)
    width = LEFT + PANELS * WIDTH + (PANELS - 1) * ACROSS + 16
    height = TOP + rows * (HEIGHT + DOWN) - 16
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(f"{title}: {drawn}")}"><style>{STYLE}</style>',
        f'<rect class="b" width="{width}" height="{height}"/><text class="t" x="12" y="20">{escape(title)}</text>',
        f'<text x="12" y="37">{drawn}</text>',
        *_legend(columns),
    ]
    for at, (family, figure) in enumerate(panels):
        left, upper = LEFT + at % PANELS * (WIDTH + ACROSS), TOP + at // PANELS * (HEIGHT + DOWN)
        lines += _panel(left, upper, family, figure, math.log(1.05 * top))
    return "\n".join([*lines, "</svg>", ""])


def _legend(columns: Sequence[str]) -> list[str]:
    lines, x = [], 12.0
    for k, name in enumerate(columns):
        lines.append(f'<path class="l c{k % 8}" d="M{x:.0f} 54h22"{_dash(k)}/>')
        lines.append(f'<text x="{x + 27:.0f}" y="58">{escape(name)}</text>')
        x += WORD + LETTER * len(name)
    return lines


def _panel(left: float, upper: float, family: str, figure: Figure, span: float) -> list[str]:
    """Grid, sizes below, and of each algorithm a line with its whiskers, beside those of the others."""
    n, many = len(figure.rows), len(figure.columns)

    def x(i: int, k: int) -> float:
        return left + WIDTH * (i + 0.5 + 0.72 * ((k + 0.5) / many - 0.5)) / n

    def y(value: float) -> float:
        return upper + HEIGHT * (1 - math.log(max(1.0, value)) / span)

    lines = [f'<text class="p" x="{left}" y="{upper - 8}">{escape(family)}</text>']
    last = math.inf
    for tick in TICKS:
        if math.log(tick) <= span and last - y(tick) >= APART:
            last = y(tick)
            lines.append(f'<path class="g" d="M{left} {last:.1f}h{WIDTH}"/>')
            lines.append(f'<text x="{left - 6}" y="{last + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for i, (point, _) in enumerate(figure.rows):
        middle = left + WIDTH * (i + 0.5) / n
        lines.append(f'<text x="{middle:.1f}" y="{upper + HEIGHT + 16}" text-anchor="middle">{escape(point)}</text>')
    for k in range(many):
        known = [(i, row[k]) for i, (_, row) in enumerate(figure.rows) if math.isfinite(row[k])]
        for i, _ in known:
            lines.append(
                f'<path class="w c{k % 8}" d="M{x(i, k):.1f} {y(figure.low[i][k]):.1f}V{y(figure.high[i][k]):.1f}"/>'
            )
        path = "L".join(f"{x(i, k):.1f} {y(value):.1f}" for i, value in known)
        lines.append(f'<path class="l c{k % 8}" d="M{path}"{_dash(k)}/>')
        lines += [f'<circle class="b c{k % 8}" cx="{x(i, k):.1f}" cy="{y(value):.1f}" r="2"/>' for i, value in known]
    return lines


def _dash(k: int) -> str:
    return f' stroke-dasharray="{DASHES[k % 8]}"' if DASHES[k % 8] else ""


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
