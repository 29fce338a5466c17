"""The result of a run: its tables and a few counts; and what one slice of it brings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    """Counts that do not depend on the computer: decisions, acts, preemptions, migrations, kills, swaps, ..."""
    timing: Mapping[str, float] = field(default_factory=dict)
    """Wall-clock seconds: compile_s (importing, then compiling or loading compiled code), setup_s (allocating units and
    lanes), simulate_s (the run itself; plan_s is the part spent on planning), tables_s (sorting and merging the
    tables)."""

    rates: Table = field(default_factory=lambda: empty(RATES))
    """Changes of rates of progress; empty unless the family's rates do not follow from the rectangles."""

    bands: Table = field(default_factory=lambda: empty(BANDS))
    """Batches, shelves and intervals of the plan, for the chart; empty if the run was not planned."""

    notes: tuple[str, ...] = ()
    """What a reader of the results should know, one sentence each."""

    dropped: str = ""
    """Why no rectangles were kept, as a sentence; `segments` has no rows then, and all else is as ever."""

    def jobs_in_state(self, state: int) -> int:
        """Return the number of jobs whose `state` is FINISHED, UNFINISHED or REJECTED."""
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
