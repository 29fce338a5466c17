"""What one slice of a run shows: live tables are drawn from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shadowtime.engine.tables import Table


@dataclass(frozen=True, eq=False)
class Slice:
    """The result of one slice of a run."""

    time: float
    """Simulated time reached [s]."""
    jobs_done: int
    jobs: int
    segments: Table
    """Rectangles that closed in this slice."""
    events: Table
    """Events of this slice; `schedule` adds the submissions."""
    look: Callable[[], Table]
    """Returns `open`."""
    planned: float = 1.0
    """Finished share of the planning, 0 to 1, for algorithms that plan before the first instant."""

    @property
    def open(self) -> Table:
        """Rectangles of running jobs, up to `time`. Read it before the next slice: it is computed on access."""
        return self.look()
