"""A plan: which unit runs on which lanes, from when to when.

A planner makes a plan and the kernel executes it. So a plan passes the same checks as any policy (no lane twice, no
start before the release, every job ends) and produces the same tables, slices and events.

One row of a plan is a *piece*: a unit on a set of lanes over a stretch of time.

- Moldable jobs: a unit is a job and has one piece. The planner chooses the lanes, and with their number the time
  (`Plan.of_jobs` finds concrete lanes for sizes and starts).
- Tasks of multitask jobs: a unit is a task, on one lane (a machine), with `share` = size / capacity. A preemptive
  planner gives a unit several pieces: between two of them it is paused, and where the lanes differ it migrates.

All pieces of a unit have equally many lanes, but for one that was killed (`lost`): it may begin again on others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shadowtime.engine.tables import BANDS, Table, empty, is_new

CLOSE, OF_SHORTEST = 1e-9, 0.01
"""Two times are one instant if they differ by less than CLOSE of their value and less than OF_SHORTEST of the shortest
time of a unit: sums of fractions are rounded."""


def bands_of(rows: Sequence[tuple[float, float, int, int, int]]) -> Table:
    """Return a table of BANDS from (start, end, level, kind, number) each."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(BANDS)
    return {name: np.array(values, BANDS[name]) for name, values in zip(BANDS, columns, strict=True)}


@dataclass(frozen=True, eq=False)
class Plan:
    """Pieces, in any order, r rows."""

    unit: np.ndarray
    """Unit of each piece, i8."""
    start: np.ndarray
    """[s]. A piece whose lanes are still held, because times were rounded, begins when they are free."""
    end: np.ndarray
    """[s], > start."""
    first: np.ndarray
    """r + 1 places: piece y holds `lanes[first[y] : first[y + 1]]`."""
    lanes: np.ndarray
    """Lane numbers, those of a piece ascending."""
    rate: np.ndarray | None = None
    """Seconds of work per second; None: 1."""
    share: np.ndarray | None = None
    """Of each lane; None: 1."""
    lost: np.ndarray | None = None
    """Seconds at the end of each piece whose work is lost, 0 or more: the unit is killed there. It begins its next
    piece with the work that is left, or is rejected without one. NaN: it is not killed; None: no unit is. It needs
    `work`, and rate 1."""
    work: np.ndarray | None = None
    """Work of each unit [s] where the planner decides it; the size of a unit is then that of its pieces. None: size and
    work are those of the workload, and the last piece of each unit must complete it."""
    columns: Table = field(default_factory=dict)
    """Columns of the jobs table that the plan sets or adds: `processors`, `batch` ..., one value a job."""
    bands: Table = field(default_factory=lambda: empty(BANDS))
    """Batches, shelves and intervals that the planner divided time into."""
    counters: Mapping[str, int] = field(default_factory=dict)
    """Counters of the planner, added to those of the run."""
    extra_lanes: int = 0
    """Lanes beyond the machine that the plan uses: a log may overcommit its machine."""
    notes: tuple[str, ...] = ()
    """What a reader of the results should know, one sentence each."""

    def __len__(self) -> int:
        return len(self.unit)

    @property
    def size(self) -> np.ndarray:
        """Lanes of each piece."""
        return np.diff(self.first)

    def sizes_of(self, units: int) -> np.ndarray:
        """Return the number of lanes of each of `units` units; 0 for one without a piece."""
        sizes = np.zeros(units, np.int64)
        sizes[self.unit] = self.size
        return sizes

    def resized(self, units: int) -> np.ndarray:
        """Return the numbers of lanes of the pieces of those units, among `units`, whose pieces differ in it."""
        differs = np.zeros(units, bool)
        differs[self.unit[self.sizes_of(units)[self.unit] != self.size]] = True
        return np.unique(self.size[differs[self.unit]])

    def completion(self, units: int) -> np.ndarray:
        """Return the last end of each of `units` units [s]; 0 for one without a piece."""
        ends = np.zeros(units)
        np.maximum.at(ends, self.unit, self.end)
        return ends

    def take(self, rows: np.ndarray) -> Plan:
        """Return the pieces in `rows`, of a plan with one lane a piece."""
        return Plan.of_tasks(self.unit[rows], self.lanes[rows], self.start[rows], self.end[rows])

    def moved(self, units: np.ndarray, by: float) -> Plan:
        """Return a plan with one lane a piece, shifted `by` seconds, unit u renamed to `units[u]`."""
        return Plan.of_tasks(units[self.unit], self.lanes, self.start + by, self.end + by)

    @classmethod
    def of_tasks(cls, unit: Any, lane: Any, start: Any, end: Any, **others: Any) -> Plan:
        """Return a plan of pieces on one lane each; `others` are further fields."""
        unit, lane = np.asarray(unit, "i8"), np.asarray(lane, "i8")
        first = np.arange(len(unit) + 1)
        return cls(unit, np.asarray(start, "f8"), np.asarray(end, "f8"), first, lane, **others)

    @classmethod
    def joined(cls, plans: Sequence[Plan]) -> Plan:
        """Return the pieces of several plans with one lane a piece, in order."""
        if not plans:
            return cls.of_tasks(*[np.zeros(0)] * 4)
        return cls.of_tasks(*(np.concatenate([getattr(p, name) for p in plans]) for name in _TASK_COLUMNS))

    @classmethod
    def of_jobs(cls, start: np.ndarray, time: np.ndarray, size: np.ndarray, lanes: int, **others: Any) -> Plan:
        """Return a plan of one piece a job, with concrete lanes.

        Jobs get lanes in order of start: the first sufficient run of neighbouring free lanes if there is one, else the
        lowest free lanes. A job that would begin before its lanes are free, because sums were rounded, begins when
        they are.

        Parameters
        ----------
        start, time, size
            One value a job.
        others
            Further fields of the plan.

        Raises
        ------
        PolicyError
            When more than `lanes` lanes are needed at one time.
        """
        from shadowtime.engine.runner.plan_seats import seat_all  # compiled: looking up a family loads no numba

        order = np.argsort(start, kind="stable")
        time = time.astype("f8")
        patience = OF_SHORTEST * time.min(initial=np.inf)
        starts, first, chosen = seat_all(order, start.astype("f8"), time, size.astype("i8"), lanes, patience)
        return cls(np.arange(len(start)), starts, starts + time, first, chosen, work=time, **others)


_TASK_COLUMNS = ("unit", "lanes", "start", "end")


def tidy(plan: Plan, releases: np.ndarray, shortest: float) -> Plan:
    """Return the plan, one lane a piece, with close times made equal, adjoining pieces joined and empty ones removed.

    Parameters
    ----------
    releases
        Instants that keep their exact value [s].
    shortest
        Shortest time of a unit [s]. Late in a long plan, CLOSE alone would take short units for rounding.

    Returns
    -------
    Plan
        Pieces by unit, then start.
    """
    instants = _snapped(np.concatenate([plan.start, plan.end]), releases, OF_SHORTEST * shortest)
    start, end = instants[: len(plan)], instants[len(plan) :]
    order = np.lexsort((start, plan.unit))
    order = order[end[order] > start[order]]
    unit, lane, start, end = plan.unit[order], plan.lanes[order], start[order], end[order]
    begins = np.flatnonzero(is_new(unit, lane) | (start != np.roll(end, 1)))
    last = np.append(begins[1:], len(order)) - 1
    return Plan.of_tasks(unit[begins], lane[begins], start[begins], end[last] if len(order) else end)


def _snapped(values: np.ndarray, anchors: np.ndarray, most: float) -> np.ndarray:
    """Return values, each replaced by the first of its group of close values, or by an anchor in that group.

    most: largest difference of close values [s].
    """
    both = np.concatenate([values, np.unique(anchors)])
    is_anchor = np.arange(len(both)) >= len(values)
    order = np.argsort(both, kind="stable")
    ordered = both[order]
    fresh = np.ones(len(both), bool)
    fresh[1:] = np.diff(ordered) > np.minimum(CLOSE * np.maximum(1.0, np.abs(ordered[1:])), most)
    group = np.cumsum(fresh) - 1
    first = ordered[fresh]
    anchored = is_anchor[order]
    first[group[anchored]] = ordered[anchored]
    snapped = np.empty(len(both))
    snapped[order] = first[group]
    return snapped[: len(values)]
