"""Progress and cancellation of a long computation, and the intervals of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from shadowtime.engine.errors import SimulationError
from shadowtime.engine.tables import ARRIVALS, INTERVAL

Band = tuple[float, float, int, int, int]
"""One row of `engine.runner.plan.bands_of`: start [s], end [s], level, kind, number."""


class Stopped(SimulationError):
    """The computation was cancelled."""


@dataclass
class Watch:
    """State shared by a long computation and the thread that waits for it."""

    stop: bool = False
    share: float = 0.0
    """Finished share of the computation, 0 to 1."""
    span: tuple[float, float] = (0.0, 1.0)
    """The current part of the whole, as two shares: `report` counts within it."""
    bands: list[Band] = field(default_factory=list)
    """Intervals of the linear programs of a plan; and, where jobs arrive over time, the periods planned one by one."""

    def look(self) -> None:
        """Raise `Stopped` when the computation was cancelled."""
        if self.stop:
            raise Stopped("cancelled while the plan was made")

    def report(self, share: float) -> None:
        """Set the progress, 0 to 1 of the current part; raise `Stopped` when the computation was cancelled."""
        self.look()
        low, high = self.span
        self.share = low + (high - low) * share

    def part(self, low: float, high: float) -> None:
        """Begin the part from `low` to `high` of the whole."""
        self.span = low, high
        self.report(0.0)

    def add_intervals(self, ends: Sequence[float]) -> None:
        """Record the intervals of a linear program by their ends [s]; the first begins at 0."""
        self.bands += [(begin, end, 0, INTERVAL, i) for i, (begin, end) in enumerate(pairwise([0.0, *ends]))]

    def add_period(self, known: int, at: float, until: float) -> None:
        """Record a plan made at `at` and followed until `until` [s]; all bands but the first `known` are its own."""
        inner, number = self.bands[known:], sum(band[3] == ARRIVALS for band in self.bands)
        self.bands[known:] = [
            (at, until, 0, ARRIVALS, number),
            *((at + a, min(at + b, until), 1, kind, i) for a, b, _, kind, i in inner if at + a < until),
        ]
