"""What one slice of a run shows: live tables are drawn from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shadowtime.engine.tables import Table


@dataclass(frozen=True, eq=False)
class Slice:
    """What one slice of a run brought."""

    time: float
    """Simulated time reached [s]."""
    jobs_done: int
    jobs: int
    segments: Table
    """Rectangles that closed in this slice."""
    events: Table
    """Happenings of this slice; submissions are merged in by `schedule`."""
    look: Callable[[], Table]
    """Gives `open`."""
    planned: float = 1.0
    """How much of the plan is made, for algorithms that plan before the first instant."""

    @property
    def open(self) -> Table:
        """Rectangles still growing, cut at `time`: looked up when asked for, which must be before the next slice."""
        return self.look()
