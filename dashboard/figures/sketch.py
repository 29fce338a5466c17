"""Small explanatory pictures as SVG: a schedule of a few jobs, or a graph of a few nodes, for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

WIDTH, LANE, LEFT, TOP, BOTTOM = 640.0, 30.0, 64.0, 12.0, 34.0
"""Of a schedule [px]."""
GAP, LINE = 30.0, 14.0
"""Between boxes, and of a line in them [px]."""
COLOURS = {
    "light": {"ink": "#17191C", "quiet": "#676C74", "line": "#D8D8D2", "surface": "#FFFFFF"},
    "dark": {"ink": "#ECEDEE", "quiet": "#8E959E", "line": "#3A3F45", "surface": "#191C1F"},
}
"""By theme."""
FILLS = {
    "light": ("#C9D8F5", "#F3DDB5", "#CBE6D6", "#F0CCC5", "#E3D0EA", "#C4E3E6", "#E4E4DF", "#D5DAE0"),
    "dark": ("#2C4270", "#6B4E1B", "#24553B", "#6E342A", "#573064", "#1B575C", "#3A3F45", "#454C54"),
}
"""By theme."""


@dataclass(frozen=True)
class Block:
    """A rectangle of a schedule: a job on one lane."""

    lane: int
    start: float
    end: float
    label: str
    colour: int = 0
    low: float = 0.0
    """Lower end of its share of the lane's height, in [0, 1]."""
    high: float = 1.0
    hatched: bool = False
    """Drawn with a dashed outline: the background tier, a reservation, or a part that was moved."""


@dataclass(frozen=True)
class ScheduleSketch:
    """A schedule of a few jobs."""

    lanes: Sequence[str]
    """Names of nodes or processors, from above."""
    blocks: Sequence[Block]
    marks: Sequence[tuple[float, str]] = ()
    """Instants with a word each, as vertical lines."""
    axis: str = "seconds"
    lane_height: float = LANE
    """Larger where lanes hold several jobs at once [px]."""

    def svg(self, theme: str) -> str:
        """Return the picture for a theme of COLOURS."""
        colours = COLOURS[theme]
        end = max([block.end for block in self.blocks] + [at for at, _ in self.marks])
        height = TOP + self.lane_height * len(self.lanes) + BOTTOM

        def x(instant: float) -> float:
            return LEFT + (WIDTH - LEFT - 12) * instant / end

        parts = []
        for at, name in enumerate(self.lanes):
            y = TOP + self.lane_height * at
            parts.append(f'<path d="M{LEFT} {y + self.lane_height:.1f}H{WIDTH - 12}" stroke="{colours["line"]}"/>')
            parts.append(_text(LEFT - 8, y + self.lane_height / 2 + 4, name, colours["quiet"], "end"))
        for block in self.blocks:
            room = self.lane_height - 3
            above = TOP + self.lane_height * block.lane + 1.5 + room * (1 - block.high)
            tall, wide = room * (block.high - block.low), x(block.end) - x(block.start)
            dash = ' stroke-dasharray="4 2"' if block.hatched else ""
            parts.append(
                f'<rect x="{x(block.start):.1f}" y="{above:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="2" '
                f'fill="{FILLS[theme][block.colour % 8]}" stroke="{colours["ink"]}" stroke-width=".75"{dash}/>'
            )
            if wide > 6.5 * len(block.label) + 2 and tall > 9:
                middle = x(block.start) + wide / 2
                parts.append(_text(middle, above + tall / 2 + 4, block.label, colours["ink"], "middle"))
        bottom = TOP + self.lane_height * len(self.lanes)
        for tick in _ticks(end):
            parts.append(_text(x(tick), bottom + 15, f"{tick:g}", colours["quiet"], "middle"))
        for instant, word in self.marks:
            parts.append(
                f'<path d="M{x(instant):.1f} {TOP - 4}V{bottom}" stroke="{colours["ink"]}" stroke-dasharray="2 3"/>'
            )
            parts.append(_text(x(instant) + 4, TOP + 2, word, colours["quiet"], "start"))
        parts.append(_text(WIDTH - 12, bottom + 29, self.axis, colours["quiet"], "end"))
        return _document(WIDTH, height, parts, colours["surface"])


@dataclass(frozen=True)
class GraphSketch:
    """A graph of a few nodes with places."""

    nodes: Sequence[tuple[float, float, str, int]]
    """Place in [0, 1] x [0, 1] from above left, label, and colour."""
    edges: Sequence[tuple[int, int, str]]
    """From and to by number, and a label."""
    height: float = 240.0
    directed: bool = True
    label_at: float = 0.5
    """Place of an edge's label, as a share of its length from its start: nearer to an end where edges cross."""

    def svg(self, theme: str) -> str:
        """Return the picture for a theme of COLOURS."""
        colours = COLOURS[theme]
        places = [(60 + (WIDTH - 120) * x, 30 + (self.height - 60) * y) for x, y, _, _ in self.nodes]
        parts = [_tip(colours["quiet"])]
        for start, end, label in self.edges:
            (ax, ay), (bx, by) = places[start], places[end]
            length = max(1e-9, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
            ux, uy = (bx - ax) / length, (by - ay) / length
            tip = ' marker-end="url(#tip)"' if self.directed else ""
            parts.append(
                f'<path d="M{ax + 19 * ux:.1f} {ay + 19 * uy:.1f}L{bx - 20 * ux:.1f} {by - 20 * uy:.1f}" '
                f'stroke="{colours["quiet"]}"{tip}/>'
            )
            if label:
                at_x, at_y = ax + self.label_at * (bx - ax), ay + self.label_at * (by - ay)
                parts.append(_text(at_x, at_y - 5, label, colours["quiet"], "middle"))
        for (x, y), (_, _, label, colour) in zip(places, self.nodes, strict=True):
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="18" fill="{FILLS[theme][colour % 8]}" '
                f'stroke="{colours["ink"]}" stroke-width=".75"/>'
            )
            parts.append(_text(x, y + 4, label, colours["ink"], "middle"))
        return _document(WIDTH, self.height, parts, colours["surface"])


@dataclass(frozen=True)
class StepSketch:
    """Quantities that change in steps over time, with the area between two of them in grey."""

    times: Sequence[float]
    """Instants of the steps, the last one being the end."""
    steps: Sequence[tuple[str, Sequence[float]]]
    """Name and value from each instant to the next one."""
    between: tuple[int, int]
    """Numbers of the two quantities that bound the area."""
    most: float
    """Value at the top."""
    axis: str = "seconds"
    height: float = 170.0

    def svg(self, theme: str) -> str:
        """Return the picture for a theme of COLOURS."""
        colours = COLOURS[theme]
        bottom, right = self.height - BOTTOM, WIDTH - 150.0

        def x(instant: float) -> float:
            return LEFT + (right - LEFT) * instant / self.times[-1]

        def y(value: float) -> float:
            return bottom - (bottom - TOP) * value / self.most

        parts = []
        low, high = (self.steps[at][1] for at in self.between)
        for at, (start, end) in enumerate(pairwise(self.times)):
            tall = y(low[at]) - y(high[at])
            if tall > 0.0:
                parts.append(
                    f'<rect x="{x(start):.1f}" y="{y(high[at]):.1f}" width="{x(end) - x(start):.1f}" '
                    f'height="{tall:.1f}" fill="{FILLS[theme][6]}"/>'
                )
        for at, (name, values) in enumerate(self.steps):
            path = "".join(
                f"{'M' if n == 0 else 'L'}{x(start):.1f} {y(value):.1f}H{x(end):.1f}"
                for n, ((start, end), value) in enumerate(zip(pairwise(self.times), values, strict=True))
            )
            dash = ("", "7 3", "2 3")[at % 3]
            parts.append(
                f'<path d="{path}" fill="none" stroke="{colours["ink"]}" stroke-width="1.5" stroke-dasharray="{dash}"/>'
            )
            place = TOP + 20.0 + 20.0 * at
            parts.append(
                f'<path d="M{right + 12:.1f} {place - 4:.1f}h26" stroke="{colours["ink"]}" stroke-width="1.5" '
                f'stroke-dasharray="{dash}"/>'
            )
            parts.append(_text(right + 44, place, name, colours["ink"], "start"))
        for value in range(int(self.most) + 1):
            parts.append(_text(LEFT - 8, y(value) + 4, f"{value}", colours["quiet"], "end"))
        for tick in _ticks(self.times[-1]):
            parts.append(_text(x(tick), bottom + 15, f"{tick:g}", colours["quiet"], "middle"))
        parts.append(_text(right, bottom + 29, self.axis, colours["quiet"], "end"))
        return _document(WIDTH, self.height, parts, colours["surface"])


@dataclass(frozen=True)
class Box:
    """A box with a title and a few lines."""

    column: float
    row: float
    """Place, counted from above left."""
    title: str
    lines: Sequence[str]
    colour: int = 0


@dataclass(frozen=True)
class BoxSketch:
    """Boxes in columns and rows, and arrows between them."""

    boxes: Sequence[Box]
    arrows: Sequence[tuple[int, int]]
    """From and to, by number."""

    def svg(self, theme: str) -> str:
        """Return the picture for a theme of COLOURS."""
        colours = COLOURS[theme]
        columns, rows = (int(max(values)) + 1 for values in zip(*((b.column, b.row) for b in self.boxes), strict=True))
        tall = 30 + LINE * max(len(box.lines) for box in self.boxes)
        wide = (WIDTH - 24 - GAP * (columns - 1)) / columns
        centres = [(12 + (wide + GAP) * b.column + wide / 2, 12 + (tall + GAP) * b.row + tall / 2) for b in self.boxes]
        parts = [_tip(colours["quiet"])]
        for start, end in self.arrows:
            ax, ay, bx, by = (
                *_edge(centres[start], centres[end], wide, tall),
                *_edge(centres[end], centres[start], wide, tall),
            )
            line = f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"
            parts.append(f'<path d="{line}" stroke="{colours["quiet"]}" marker-end="url(#tip)"/>')
        for box, (x, y) in zip(self.boxes, centres, strict=True):
            parts.append(
                f'<rect x="{x - wide / 2:.1f}" y="{y - tall / 2:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="3" '
                f'fill="{FILLS[theme][box.colour % 8]}" stroke="{colours["ink"]}" stroke-width=".75"/>'
            )
            top = y - tall / 2 + 18
            parts.append(_text(x, top, box.title, colours["ink"], "middle", ' font-weight="600"'))
            for at, words in enumerate(box.lines, 1):
                parts.append(_text(x, top + LINE * at, words, colours["ink"], "middle"))
        return _document(WIDTH, 24 + tall * rows + GAP * (rows - 1), parts, colours["surface"])


Sketch = ScheduleSketch | GraphSketch | BoxSketch | StepSketch


def _edge(centre: tuple[float, float], other: tuple[float, float], wide: float, tall: float) -> tuple[float, float]:
    """Return where the line from the centre of a box to another centre leaves the box."""
    dx, dy = other[0] - centre[0], other[1] - centre[1]
    share = min(wide / 2 / abs(dx) if dx else math.inf, tall / 2 / abs(dy) if dy else math.inf)
    return centre[0] + share * dx, centre[1] + share * dy


def _tip(colour: str) -> str:
    """Return the definition of the tip of an arrow."""
    return (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker></defs>'
    )


def _text(x: float, y: float, text: str, colour: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def _ticks(end: float) -> list[float]:
    """Return about six round instants from 0 to `end`."""
    size = 10.0 ** len(str(int(end / 6))) / 10 if end >= 6 else 0.1
    step = next(size * factor for factor in (1, 2, 5, 10, 20, 50) if end / (size * factor) <= 7)
    return [round(step * at, 6) for at in range(int(end / step) + 1)]


def _document(width: float, height: float, parts: Sequence[str], surface: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="Inter,system-ui,sans-serif" font-size="11">'
        f'<rect width="{width:g}" height="{height:g}" fill="{surface}"/>{"".join(parts)}</svg>\n'
    )
