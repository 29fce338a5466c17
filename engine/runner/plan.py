"""A plan: who runs where, from when and for how long, decided before the run begins.

Off-line algorithms plan; the kernel executes. So a plan passes the same checks as any policy (no lane twice, nobody
before its release, every job ends) and gives the same tables, slices and events. See `engine.registry.plan` for the
policy that executes it, and `Algorithm.planner` for how an algorithm says that it plans.

One row of a plan is a *piece*: a unit on a set of lanes over a stretch of time.

- Moldable jobs: a unit is a job and has one piece. The planner chooses the lanes, and with their number the time
  (`Plan.of_jobs` finds concrete lanes for sizes and starts).
- Tasks of multitask jobs: a unit is a task, on one lane (a machine), with `share` = size / capacity. A preemptive
  planner gives a unit several pieces: between two of them it is paused, and where the lanes differ it migrates.
- Jobs on machines or clusters (classed): a unit holds the lanes of its resource, and `time` is what it takes there.

All pieces of a unit have equally many lanes. What a unit has to do is the sum of `rate x time` over its pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shadowtime.engine.tables import BANDS, Table, empty


def bands_of(rows: Sequence[tuple[float, float, int, int, int]]) -> Table:
    """A table of BANDS from (start, end, level, kind, number) each."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(BANDS)
    return {name: np.array(values, BANDS[name]) for name, values in zip(BANDS, columns, strict=True)}


@dataclass(frozen=True, eq=False)
class Plan:
    """Pieces, in any order, r rows."""

    unit: np.ndarray
    """Which unit, i8."""
    start: np.ndarray
    """From when [s]. A piece whose lanes are still held by rounding begins when they are free."""
    time: np.ndarray
    """For how long [s], > 0."""
    first: np.ndarray
    """r + 1 places: piece y holds `lanes[first[y] : first[y + 1]]`."""
    lanes: np.ndarray
    """Lane numbers, those of a piece ascending."""
    rate: np.ndarray | None = None
    """Seconds of work per second; None: 1."""
    share: np.ndarray | None = None
    """Of each lane; None: 1."""
    columns: Table = field(default_factory=dict)
    """Columns of the jobs table that the plan decides or adds: `processors`, `batch` ..., one value a job."""
    bands: Table = field(default_factory=lambda: empty(BANDS))
    """Batches and shelves that the planner thought in."""
    counters: Mapping[str, int] = field(default_factory=dict)
    """What the planner counted, added to those of the run."""

    @property
    def size(self) -> np.ndarray:
        """Lanes of each piece."""
        return np.diff(self.first)

    def work_of(self, units: int) -> np.ndarray:
        """Seconds of work that each of `units` units has to do; 0 for one without a piece."""
        work = self.time if self.rate is None else self.rate * self.time
        return np.bincount(self.unit, weights=work, minlength=units)

    def sizes_of(self, units: int) -> np.ndarray:
        """Lanes of each of `units` units; 0 for one without a piece."""
        sizes = np.zeros(units, np.int64)
        sizes[self.unit] = self.size
        return sizes

    @classmethod
    def of_jobs(cls, start: np.ndarray, time: np.ndarray, size: np.ndarray, lanes: int, **others: Any) -> Plan:
        """A plan of one piece a job, with concrete lanes: given in order of start, a gap that holds all if there is
        one, else the lowest free lanes.

        A job that would begin before its lanes are free, by rounding of sums, begins when they are.

        Parameters
        ----------
        start, time, size
            One value a job.
        others
            Further fields of the plan.

        Raises
        ------
        PolicyError
            When more than `lanes` lanes are asked for at one time.
        """
        from shadowtime.engine.runner.plan_seats import seat_all

        order = np.argsort(start, kind="stable")
        starts, first, chosen = seat_all(order, start.astype("f8"), time.astype("f8"), size.astype("i8"), lanes)
        return cls(np.arange(len(start)), starts, time.astype("f8"), first, chosen, **others)
