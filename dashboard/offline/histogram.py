"""How a value is spread over the jobs, as inline SVG: bars on a logarithmic axis that need no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup, escape

from shadowtime.dashboard.figures import distribution
from shadowtime.dashboard.look import words

WIDTH, HEIGHT = 212, 110
LEFT, RIGHT, TOP, BOTTOM = 2, 8, 22, 20
LETTER = 5.6
"""Width of a letter of 11 px, about."""
NEAR = 0.18
"""Share of the axis within which two labels would touch."""


@dataclass(frozen=True)
class Spread:
    """A value of every job, and how its histogram is written."""

    title: str
    floor: float
    floor_words: str
    ticks: tuple[tuple[float, str], ...]
    text: Callable[[float], str]


STRETCH = Spread(
    "Bounded slowdown", distribution.STRETCH_FLOOR, "below 1.5", distribution.STRETCH_TICKS, words.number
)  # fmt: skip
WAIT = Spread("Wait", distribution.WAIT_FLOOR, f"below 10{words.GAP}s", distribution.WAIT_TICKS, words.duration)


@dataclass(frozen=True)
class Histogram:
    """A histogram that is drawn."""

    spread: Spread
    below: str
    """How many jobs are below the floor, which have no bar."""
    svg: Markup
    rows: Sequence[tuple[str, str]]
    """The same as a table: range and count."""
    n: int


def histograms(spread: Spread, values: Sequence[np.ndarray]) -> list[Histogram]:
    """Draw the values (NaN: not there) of one run or of several, which share both axes."""
    known = [one[np.isfinite(one)] for one in values]
    most = max((float(one.max()) for one in known if len(one)), default=0.0)
    found = [distribution.distribution(one, spread.floor, most=most) for one in known]
    tallest = max((int(one.counts.max()) for one in found if len(one.counts)), default=0)
    return [
        Histogram(
            spread, f"{one.below:,}", Markup("") if one.is_flat else drawn(one, spread, tallest),
            distribution.rows(one, spread.text), one.n,
        )
        for one in found
    ]  # fmt: skip


def drawn(shown: distribution.Distribution, spread: Spread, tallest: int) -> Markup:
    """Return the bars, the mean as a dotted line, the count of the tallest bar and the axis."""
    logs = np.log10(shown.edges)
    low, high = float(logs[0]), float(logs[-1])
    inner, height = float(WIDTH - LEFT - RIGHT), float(HEIGHT - TOP - BOTTOM)

    def x(log: float) -> float:
        return LEFT + (log - low) / (high - low) * inner

    parts = []
    for at, count in enumerate(shown.counts.tolist()):
        if not count:
            continue
        left, right = x(logs[at]), x(logs[at + 1])
        gap = (right - left) * 0.07
        tall = max(0.75, count / tallest * height)
        said = f"{spread.text(shown.edges[at])} to {spread.text(shown.edges[at + 1])}: {words.count(count, 'job')}"
        wide = right - left - 2 * gap
        box = f'x="{left + gap:.2f}" y="{TOP + height - tall:.2f}" width="{wide:.2f}" height="{tall:.2f}"'
        parts.append(f'<rect class="st-h-bar" {box}><title>{escape(said)}</title></rect>')
    parts.append(f'<path class="st-h-axis" d="M{LEFT} {TOP + height + 0.5}H{WIDTH - RIGHT}"/>')
    for log, name in _ticks(spread, low, high, inner, shown):
        at_edge = {low: "start", high: "end"}.get(log, "middle")
        parts.append(f'<path class="st-h-axis" d="M{x(log):.2f} {TOP + height}v4"/>')
        parts.append(_word(x(log), HEIGHT - 4, name, at_edge))
    parts += _tallest(shown, logs, x, tallest, height)
    if shown.mean >= shown.floor:
        middle = x(float(np.log10(shown.mean)))
        parts.append(f'<path class="st-h-mean" d="M{middle:.2f} {TOP - 6}V{TOP + height}"/>')
        side = "end" if middle > LEFT + 0.55 * inner else "start"
        parts.append(_word(middle, TOP - 10, f"mean {spread.text(shown.mean)}", side, "st-h-strong"))
    label = escape(f"Histogram: {spread.title.lower()} of the jobs that have ended")
    view = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}"'
    return Markup(f'<svg class="st-histogram" {view}>{"".join(parts)}</svg>')


def _ticks(
    spread: Spread, low: float, high: float, inner: float, shown: distribution.Distribution
) -> list[tuple[float, str]]:
    """Round values that have room; where there are fewer than two, the ends."""
    inside = [(float(np.log10(value)), name) for value, name in spread.ticks if low < np.log10(value) < high]
    kept = [one for one in inside if (high - one[0]) / (high - low) * inner > len(one[1]) * LETTER / 2 - RIGHT]
    kept = distribution.spaced(kept, high - low, int(inner))
    if len(kept) >= 2:
        return kept
    return [(low, spread.text(float(shown.edges[0]))), (high, spread.text(float(shown.edges[-1])))]


def _tallest(
    shown: distribution.Distribution, logs: np.ndarray, x: Callable[[float], float], tallest: int, height: float
) -> list[str]:
    """The count over the tallest bar gives the scale of all; none where the mean's line would cross it."""
    at = int(np.argmax(shown.counts))
    centre, mean = (logs[at] + logs[at + 1]) / 2, np.log10(max(shown.mean, shown.floor))
    if abs(centre - mean) <= NEAR * (logs[-1] - logs[0]):
        return []
    side = "start" if at < 3 else "end" if at > len(shown.counts) - 4 else "middle"
    place = {"start": logs[at], "end": logs[at + 1]}.get(side, centre)
    top = TOP + height - shown.counts[at] / tallest * height
    return [_word(x(float(place)), top - 4, f"{int(shown.counts[at]):,}", side)]


def _word(x: float, y: float, text: str, anchor: str, name: str = "") -> str:
    classes = f' class="{name}"' if name else ""
    return f'<text{classes} x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{escape(text)}</text>'
