"""What happened: four tables and a few counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shadowtime.engine.tables import BANDS, FINISHED, RATES, REJECTED, UNFINISHED, Table, empty


@dataclass(frozen=True, eq=False)
class Schedule:
    """A finished run; tables as in `engine.tables`, `segments` by start then first lane, `events` by time."""

    kind: str
    """The workload's kind."""
    lanes: int
    jobs: Table
    segments: Table
    events: Table
    series: Table
    counters: Mapping[str, int] = field(default_factory=dict)
    """Counts by the machine-free clock: decisions, acts, preemptions, migrations, kills, swaps, ..."""
    timing: Mapping[str, float] = field(default_factory=dict)
    """Wall seconds: compile_s (importing and compiling, or loading what was compiled), setup_s (laying out units
    and lanes), simulate_s (the run itself, with plan_s where it was planned beforehand), tables_s (sorting and
    merging what it wrote)."""

    rates: Table = field(default_factory=lambda: empty(RATES))
    """Changes of rates of progress; rows only for families whose rates cannot be read off the rectangles."""

    bands: Table = field(default_factory=lambda: empty(BANDS))
    """Batches and shelves that a planner thought in, for pictures; rows only where there was a plan."""

    dropped: str = ""
    """Why no rectangles were kept, as a sentence; `segments` has no rows then, and all else is as ever."""

    def jobs_in_state(self, state: int) -> int:
        """Number of jobs whose `state` is FINISHED, UNFINISHED or REJECTED."""
        return int((self.jobs["state"] == state).sum())

    @property
    def finished(self) -> int:
        return self.jobs_in_state(FINISHED)

    @property
    def unfinished(self) -> int:
        return self.jobs_in_state(UNFINISHED)

    @property
    def rejected(self) -> int:
        return self.jobs_in_state(REJECTED)
