"""A figure of a paper's page as data: small panels on one scale, ours as lines, the paper's beside them."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Values = Sequence[float | None]
Table = Mapping[str, Any]
"""A figure of a report: {"title", "unit", "columns", "rows": [(point, values)], "low", "high"}."""

LINES, DOTS, AGAINST, PLANE, HEAT = "lines", "dots", "against", "plane", "heat"
"""Kinds: lines over points; rows of dots, ours and theirs; ours against theirs, a dot each; named points on two
criteria, `paper` across and the lines up, both at least 1; a map of ratios, points down and lines across."""
FORMATS = {"svg": "image/svg+xml", "pdf": "application/pdf"}
"""Media types of figures for print, by file ending."""


@dataclass(frozen=True)
class Line:
    """One algorithm, or another thing that has a name."""

    name: str
    values: Values
    low: Values = ()
    high: Values = ()
    style: int = 0


@dataclass(frozen=True)
class Panel:
    """One plot of a drawing."""

    title: str
    points: Sequence[str]
    """What the values are at: along the axis, or down the rows."""
    lines: Sequence[Line]
    paper: Values = ()
    """The paper's values: one for all points, or one for each."""
    grey: str = "paper"
    """What `paper` is called, where it is something else."""
    scale: str = ""
    """Panels of one name have one scale; where a drawing is not alike, those without a name have their own."""


@dataclass(frozen=True)
class Drawing:
    """Panels that belong together."""

    title: str
    panels: Sequence[Panel]
    note: str = ""
    """Beside the title: unit, and what the values are means of."""
    said: str = ""
    """Below: what the paper's line is, and what to look at."""
    axis: str = ""
    """What the points are, with their unit."""
    kind: str = LINES
    is_log: bool = False
    is_signed: bool = False
    is_alike: bool = True
    """All panels have one scale."""
    command: str = ""
    """The command that computes one of its points."""
    sweep: str = ""
    """The file of the sweep behind it, where that is a grid."""
    sweep_note: str = ""
    """Where the sweep is not quite what the figure shows."""
    slug: str = field(default="")

    def with_scale_of(self, panel: Panel) -> list[Panel]:
        """The panels that are drawn on one scale with `panel`."""
        if self.is_alike:
            return list(self.panels)
        return [one for one in self.panels if one is panel or (panel.scale and one.scale == panel.scale)]

    @property
    def key(self) -> str:
        """A name for its files."""
        return self.slug or re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


def column(table: Table, name: str, **more: Any) -> Line:
    """A column of a table as a line."""
    at = list(table["columns"]).index(name)
    low, high = ([row[at] for row in table.get(which, ())] for which in ("low", "high"))
    return Line(name, [values[at] for _, values in table["rows"]], low, high, **more)


def columns(table: Table, names: Sequence[str] = (), called: Sequence[str] = ()) -> list[Line]:
    """Columns of a table as lines, each with a style of its own; all where none are named.

    called: what the lines are called, where that is not what the columns are.
    """
    named = list(names or table["columns"])
    found = [column(table, name, style=at) for at, name in enumerate(named)]
    return [replace(line, name=name) for line, name in zip(found, called or named, strict=True)]


def points(table: Table) -> list[str]:
    """The rows of a table by the number or word that differs: `load 0.5` is 0.5, `n = 25` is 25."""
    return [re.sub(r"^(?:load|n =|rate)\s+|\s+(?:jobs|s)$", "", point) for point, _ in table["rows"]]


def titled(tables: Sequence[Table], text: str) -> Table:
    """The one table whose title has `text` in it."""
    (found,) = [table for table in tables if text in table["title"]]
    return found


def known(values: Values) -> list[float]:
    """Those that are numbers."""
    return [float(value) for value in values if value is not None and math.isfinite(value)]


def span(panels: Sequence[Panel]) -> tuple[float, float]:
    """Smallest and largest value that is drawn in some panels."""
    values = [v for p in panels for line in p.lines for v in known([*line.values, *line.low, *line.high])]
    values += [v for p in panels for v in known(p.paper)]
    return (min(values), max(values)) if values else (0.0, 1.0)


def front(panel: Panel) -> list[tuple[float, float]]:
    """Return the points of a plane that no other beats in both criteria, from left to right."""
    points = [
        (float(across), float(up))
        for line in panel.lines
        for across, up in zip(panel.paper, line.values, strict=True)
        if across is not None and up is not None
    ]
    found: list[tuple[float, float]] = []
    for across, up in sorted(points):
        if not found or up < found[-1][1]:
            found.append((across, up))
    return found


def as_csv(drawing: Drawing) -> str:
    """Return all values of a drawing as CSV: panel, line, point, value, and its interval or extremes if known."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["panel", "line", "point", "value", "low", "high"])
    for panel in drawing.panels:
        for line in panel.lines:
            for at, point in enumerate(panel.points):
                extremes = [part[at] if at < len(part) else None for part in (line.low, line.high)]
                writer.writerow([panel.title, line.name, point, *map(_cell, (line.values[at], *extremes))])
        for at, value in enumerate(panel.paper):
            point = panel.points[at] if len(panel.paper) > 1 else "all"
            writer.writerow([panel.title, panel.grey, point, _cell(value), "", ""])
    return out.getvalue()


def _cell(value: float | None) -> str:
    return "" if value is None else repr(value)
