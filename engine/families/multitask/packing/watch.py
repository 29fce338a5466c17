"""How far a plan or a linear program is, whether it is still wanted, and in what stretches of time it thinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from shadowtime.engine.errors import SimulationError
from shadowtime.engine.tables import ARRIVALS, INTERVAL

Band = tuple[float, float, int, int, int]
"""As `engine.runner.plan.bands_of` takes them."""


class Stopped(SimulationError):
    """Nobody wants the answer any more."""


@dataclass
class Watch:
    """Shared by a long computation and whoever waits for it."""

    stop: bool = False
    share: float = 0.0
    """How far it is, 0 to 1."""
    bands: list[Band] = field(default_factory=list)
    """What the plan was made in: intervals of its program, and where jobs arrive over time the stretches planned."""

    def look(self) -> None:
        """Raise `Stopped` when the answer is not wanted any more."""
        if self.stop:
            raise Stopped("stopped while the plan was made")

    def think_in(self, ends: Sequence[float]) -> None:
        """The plan rests on a program with intervals up to these ends [s], the first from 0 on."""
        self.bands += [(begin, end, 0, INTERVAL, i) for i, (begin, end) in enumerate(pairwise([0.0, *ends]))]

    def frame(self, known: int, at: float, until: float) -> None:
        """All bands but the first `known` are of a plan made at `at` and followed until `until` [s]."""
        inner, number = self.bands[known:], sum(band[3] == ARRIVALS for band in self.bands)
        self.bands[known:] = [
            (at, until, 0, ARRIVALS, number),
            *((at + a, min(at + b, until), 1, kind, i) for a, b, _, kind, i in inner if at + a < until),
        ]
