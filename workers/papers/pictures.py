"""The figures of a study as SVG: lines over its points, named at their ends, in the colours of the reader's theme.

Figures that differ in one word after "at" (a mix, a load) are panels of one picture with a common scale. Columns from
the first that ends in "%" on have a picture of their own. Of a study of averages with their extremes, those are drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape

from shadowtime.workers.papers.ratio_plots import ratio_plots
from shadowtime.workers.papers.report import Figure, Report

WIDTH, HEIGHT = 300, 190
"""Of a panel's plot [px]."""
LEFT, TOP, BETWEEN, NAMES, BOTTOM = 56, 46, 28, 84, 44
DASHES = ("", "6 4", "2 3", "9 3 2 3", "1 4", "12 3", "4 2", "8 2 2 2")
TICKS = 5
LETTER = 8
"""Of the title, at most [px]."""
STYLE = (
    "text{font:11px Inter,system-ui,sans-serif;fill:#474C53}.t{font-size:13px;font-weight:600;fill:#17191C}"
    ".g{stroke:#E4E4DF}.l{fill:none;stroke-width:1.75}.c0{stroke:#17191C}.c1{stroke:#2456BF}.c2{stroke:#C67F18}"
    ".c3{stroke:#B4402F}.c4{stroke:#1C7348}.c5{stroke:#676C74}.c6{stroke:#8A3FA0}.c7{stroke:#0E8A94}"
    ".b{fill:#FFFFFF}"
    "@media(prefers-color-scheme:dark){text{fill:#B7BCC3}.t{fill:#ECEDEE}.g{stroke:#2A2E32}.b{fill:#191C1F}"
    ".c0{stroke:#ECEDEE}.c1{stroke:#86ABF9}.c2{stroke:#D9982F}.c3{stroke:#F08A78}.c4{stroke:#6CC794}.c5{stroke:#8E959E}"
    ".c6{stroke:#D79BE8}.c7{stroke:#5CCAD3}}"
)


def pictures(report: Report) -> dict[str, str]:
    """SVG texts by file name: `pjs-total-job-time-figure-5-stand-in-site.svg`."""
    if any(len(figure.low) for figure in report.figures):
        return ratio_plots(report)
    together: dict[str, list[tuple[str, Figure]]] = {}
    for figure in report.figures:
        found = re.search(r" at (\S+)(?= \(|,|$)", figure.title)
        whole = figure.title.replace(found[0], "", 1) if found else figure.title
        together.setdefault(whole, []).append((found[1] if found else "", figure))
    made = {}
    for title, panels in together.items():
        columns = panels[0][1].columns
        for part in _parts(columns):
            percent = columns[part[0]].endswith("%") and part[0] > 0
            more = f"{title}: {columns[part[0]].removesuffix(' %')}" if percent else title
            unit = "percent" if percent else panels[0][1].unit or _unit(columns[part[0]])
            made[f"{report.paper}-{_slug(more)}.svg"] = svg(title, unit, panels, part)
    return made


def svg(title: str, unit: str, panels: Sequence[tuple[str, Figure]], part: Sequence[int]) -> str:
    """One picture: a panel for each (name, figure), with the columns `part` as lines."""
    values = [row[k] for _, figure in panels for _, row in figure.rows for k in part if math.isfinite(row[k])]
    low, high = min([0.0, *values]), max([0.0, *values])
    ticks = _ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    title += f", {unit}" if unit else ""
    width = max(LEFT + len(panels) * (WIDTH + NAMES) + (len(panels) - 1) * BETWEEN + 12, 24 + LETTER * len(title))
    height = TOP + HEIGHT + BOTTOM + 8
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title)}"><style>{STYLE}</style>',
        f'<rect class="b" width="{width}" height="{height}"/><text class="t" x="12" y="20">{escape(title)}</text>',
    ]
    for p, (name, figure) in enumerate(panels):
        left = LEFT + p * (WIDTH + NAMES + BETWEEN)
        lines += _panel(left, name, figure, part, (low, high), ticks, with_numbers=p == 0)
    return "\n".join([*lines, "</svg>", ""])


def _panel(
    left: float, name: str, figure: Figure, part: Sequence[int], span: tuple[float, float],
    ticks: Sequence[float], *, with_numbers: bool,
) -> list[str]:  # fmt: skip
    """Grid, points below, lines and their names."""
    low, high = span
    n = len(figure.rows)

    def x(i: float) -> float:
        return left + WIDTH * (i + 0.5) / n

    def y(value: float) -> float:
        return TOP + HEIGHT * (1 - (value - low) / (high - low))

    lines = [f'<text x="{left}" y="{TOP - 8}">{escape(name)}</text>'] if name else []
    for tick in ticks:
        lines.append(f'<path class="g" d="M{left} {y(tick):.1f}h{WIDTH}"/>')
        if with_numbers:
            lines.append(f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:,g}</text>')
    words, groups, axis = _points([point for point, _ in figure.rows])
    grouped = groups[-1] > 0
    for i, word in enumerate(words):
        below = TOP + HEIGHT + (16 + 12 * (i % 2) if grouped else 16)
        lines.append(f'<text x="{x(i):.1f}" y="{below}" text-anchor="middle">{escape(word)}</text>')
    anchor, below = ("middle", TOP + HEIGHT + 44) if grouped else ("end", TOP + HEIGHT + 34)
    lines += [f'<text x="{x(at):.1f}" y="{below}" text-anchor="{anchor}">{escape(name)}</text>' for at, name in axis]
    ends = []
    for place, k in enumerate(part):
        known = [(x(i), y(row[k])) for i, (_, row) in enumerate(figure.rows) if math.isfinite(row[k])]
        if not known:
            continue
        parted = [i for i, (_, row) in enumerate(figure.rows) if math.isfinite(row[k])]
        path = "".join(
            f"{'M' if n == 0 or groups[parted[n]] != groups[parted[n - 1]] else 'L'}{a:.1f} {b:.1f}"
            for n, (a, b) in enumerate(known)
        )
        dash = f' stroke-dasharray="{DASHES[place % 8]}"' if DASHES[place % 8] else ""
        lines.append(f'<path class="l c{place % 8}" d="{path}"{dash}/>')
        lines += [f'<circle class="b c{place % 8}" cx="{a:.1f}" cy="{b:.1f}" r="2.5"/>' for a, b in known]
        ends.append((known[-1][1], re.sub(r"(?<=[a-z])( parallel)?( s| %)$", "", figure.columns[k]), known[-1][0]))
    return [*lines, *_names(ends, left + WIDTH + 4)]


def _points(points: Sequence[str]) -> tuple[list[str], list[int], list[tuple[float, str]]]:
    """A word for each point, the group that it is in, and what stands below: (place among the points, text).

    Points are numbers on one axis; where they are not ("30 machines, equal"), what they begin with makes groups, and
    lines do not go from one to the next.
    """
    numbers = [re.sub(r"[^\d.]", "", point) or point for point in points]
    if len(set(numbers)) == len(numbers):
        return numbers, [0] * len(points), [(len(points) - 0.5, re.sub(r"[\d.,]+", "", points[0]).strip())]
    heads = [point.partition(", ")[0] for point in points]
    groups = [list(dict.fromkeys(heads)).index(head) for head in heads]
    below = [
        (sum(at) / len(at), head)
        for head in dict.fromkeys(heads)
        if (at := [i for i, h in enumerate(heads) if h == head])
    ]
    return [point.partition(", ")[2] or point for point in points], groups, below


def _names(ends: list[tuple[float, str, float]], at: float) -> list[str]:
    """Names beside the last points, moved apart where they would touch."""
    lines, free = [], -math.inf
    for height, name, _ in sorted(ends):
        free = max(height + 4, free + 13)
        lines.append(f'<text x="{at:.0f}" y="{free:.1f}">{escape(name)}</text>')
    return lines


def _parts(columns: Sequence[str]) -> list[list[int]]:
    """The columns of each picture."""
    first = next((k for k, name in enumerate(columns) if name.endswith("%")), 0)
    return [list(range(first)), list(range(first, len(columns)))] if first else [list(range(len(columns)))]


def _unit(column: str) -> str:
    return "seconds" if column.endswith(" s") else ""


def _ticks(low: float, high: float) -> list[float]:
    """Round values from at or below `low` to at or above `high`."""
    high = high if high > low else low + 1.0
    rough = (high - low) / TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * 0.999)
    return [round(step * i, 10) for i in range(math.floor(low / step), math.ceil(high / step) + 1)]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
