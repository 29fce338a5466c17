"""Progress and cancellation of a long computation, and the stretches of time that a plan was made in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from shadowtime.engine.errors import SimulationError
from shadowtime.engine.tables import ARRIVALS, INTERVAL

Band = tuple[float, float, int, int, int]
"""As `engine.runner.plan.bands_of` takes them."""


class Stopped(SimulationError):
    """The computation was cancelled."""


@dataclass
class Watch:
    """Shared by a long computation and the thread that waits for it."""

    stop: bool = False
    share: float = 0.0
    """How much of the computation is done, 0 to 1."""
    span: tuple[float, float] = (0.0, 1.0)
    """The part of the whole that `report` counts in."""
    bands: list[Band] = field(default_factory=list)
    """Intervals of the programs that a plan rests on, and where jobs arrive over time the stretches planned."""

    def look(self) -> None:
        """Raise `Stopped` when the computation was cancelled."""
        if self.stop:
            raise Stopped("stopped while the plan was made")

    def report(self, share: float) -> None:
        """Set the progress, 0 to 1 of the current part; raise `Stopped` when the computation was cancelled."""
        self.look()
        low, high = self.span
        self.share = low + (high - low) * share

    def part(self, low: float, high: float) -> None:
        """Begin the part from `low` to `high` of the whole."""
        self.span = low, high
        self.report(0.0)

    def think_in(self, ends: Sequence[float]) -> None:
        """Note that the plan rests on a program with intervals up to these ends [s], the first from 0 on."""
        self.bands += [(begin, end, 0, INTERVAL, i) for i, (begin, end) in enumerate(pairwise([0.0, *ends]))]

    def frame(self, known: int, at: float, until: float) -> None:
        """Note that all bands but the first `known` belong to a plan made at `at` and followed until `until` [s]."""
        inner, number = self.bands[known:], sum(band[3] == ARRIVALS for band in self.bands)
        self.bands[known:] = [
            (at, until, 0, ARRIVALS, number),
            *((at + a, min(at + b, until), 1, kind, i) for a, b, _, kind, i in inner if at + a < until),
        ]
