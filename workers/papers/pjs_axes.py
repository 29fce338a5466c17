"""The factor on the times of the stand-in site, from the axis ticks that survive in the text of the paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.workers.papers.pjs_answers import ALL_MIXES, HIGH, LOW, OTHER_SCALES, RATES, Answers, total
from shadowtime.workers.papers.pjs_cells import TIME_SCALE


@dataclass(frozen=True)
class Axis:
    """The vertical axis of a figure, which ends at the first tick above all values; or a value that the text states."""

    figure: str
    top: float
    """Last tick that survives [s]."""
    step: float
    """Distance of ticks [s]."""
    shows: str


AXES = (
    Axis("5(b)", 10_000.0, 2_000.0, "total job time of SJS, 50 jobs"),
    Axis("7", 120_000.0, 20_000.0, "largest mean of totals over 5 to 500 jobs"),
    Axis("8(a)", 700.0, 100.0, "largest mean job time of a level, 10/10/80"),
    Axis("8(b)", 1_200.0, 200.0, "largest mean job time of a level, 25/25/50"),
    Axis("8(c)", 1_400.0, 200.0, "largest mean job time of a level, 50/25/25"),
    Axis("9(a)", 800.0, 100.0, "largest mean job time of all jobs"),
    Axis("8(a), text", 110.0, 10.0, "“slightly over 100 seconds”: high jobs, 10/10/80, rates 1 to 4"),
)


@dataclass(frozen=True)
class Fit:
    """Where our largest value lies on an axis."""

    axis: Axis
    ours: float
    """At TIME_SCALE [s]."""
    low: float
    """Smallest factor on times with which our values end in the last step of the axis."""
    high: float
    """Largest such factor."""

    @property
    def fits(self) -> bool:
        """Return whether TIME_SCALE puts our largest value into the last step of the axis."""
        return self.low <= TIME_SCALE <= self.high


def fits(answers: Answers) -> list[Fit]:
    """Return where our values lie on each axis, on the stand-in site."""
    return [_fit(axis, dict(largest(answers, axis.figure))) for axis in AXES]


def largest(answers: Answers, figure: str) -> list[tuple[float, float]]:
    """Return (factor, our largest value in a figure of the paper [s]) for each factor, in their order."""
    site, scales = "standin", sorted((*OTHER_SCALES, TIME_SCALE))
    if figure == "5(b)":
        ours = float(answers.static(total, site, "sjs", 50).mean())
        return [(scale, ours * scale / TIME_SCALE) for scale in scales]  # without arrivals, times only multiply
    if figure == "7":
        ours = max(float(answers.bar(site, rule, mix).mean()) for rule in ("sjs", "pjs") for mix in ALL_MIXES)
        return [(scale, ours * scale / TIME_SCALE) for scale in scales]
    if figure == "8(a), text":
        times = [[answers.flow(site, "10/10/80", r, HIGH, scale).mean() for r in RATES if r <= 4.0] for scale in scales]
        return [(scale, float(np.mean(found))) for scale, found in zip(scales, times, strict=True)]
    pairs: list[tuple[str, int | None]] = [(mix, None) for mix in ALL_MIXES]
    if figure != "9(a)":
        pairs = [(ALL_MIXES["abc".index(figure[2]) + 1], level) for level in range(LOW + 1)]
    found = []
    for scale in scales:
        means = [answers.flow(site, mix, rate, level, scale).mean() for mix, level in pairs for rate in RATES]
        found.append((scale, float(max(means))))
    return found


def middle(found: list[Fit]) -> float:
    """Return the median, over the axes, of the middle of the factors with which our values fit."""
    return float(np.median([(fit.low + fit.high) / 2 for fit in found]))


def _fit(axis: Axis, ours: dict[float, float]) -> Fit:
    """Interpolate the factors; outside the computed ones, values are taken as proportional to the factor."""
    scales, values = np.array(sorted(ours)), np.array([ours[scale] for scale in sorted(ours)])

    def factor(limit: float) -> float:
        if values[0] < limit < values[-1]:
            return float(np.interp(limit, values, scales))
        end = 0 if limit <= values[0] else -1
        return float(scales[end] * limit / values[end])

    return Fit(axis, ours[TIME_SCALE], factor(axis.top - axis.step), factor(axis.top))
