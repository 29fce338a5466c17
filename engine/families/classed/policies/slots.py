"""The slots of a plan, and the queue of slots of each machine.

Every plan places all waiting jobs again, thousands on an overloaded site, and few of them start before the next plan:
so slots are stored in arrays, and a Slot object is made only on access.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.families.classed.policies.planning import Assignment
from shadowtime.engine.families.classed.site.site import Site


@dataclass(frozen=True)
class Slot:
    """Resource, expected start and end of a job [s], and the level at which it was planned."""

    resource: int
    start: float
    end: float
    level: int


class Slots:
    """Slots, added level by level; after `line_up`, the first slot of each queue may begin."""

    def __init__(self, site: Site):
        first, members = site.members
        count = len(site.machines)
        self._first = np.concatenate([np.arange(count), count + first])
        self._members = np.concatenate([np.arange(count), members])
        """Machines of each resource, one resource after the other."""
        self._machines = count
        self.clear()

    def clear(self) -> None:
        """Remove all slots before a new plan."""
        self._parts: list[tuple[np.ndarray, ...]] = []
        self._row: dict[int, int] = {}
        self._line: list[int] = []
        self._at = self._until = [0] * self._machines

    def add(self, jobs: Sequence[int], made: Assignment, level: int) -> None:
        """Add the plan of one level; jobs that no resource can run get no slot."""
        resource = np.where(made.machine >= 0, made.machine, self._machines + made.cluster)
        columns = np.array(jobs, "i8"), resource, made.start, made.end, np.full(len(jobs), level)
        planned = (made.machine >= 0) | (made.cluster >= 0)
        self._parts.append(tuple(column[planned] for column in columns))

    def earliest(self) -> np.ndarray:
        """Return when the first slot added so far begins on each machine [s]; infinite without one."""
        first = np.full(self._machines, np.inf)
        for _, resource, start, _, _ in self._parts:
            slot, machine = self._machines_of(resource)
            np.minimum.at(first, machine, start[slot])
        return first

    def line_up(self, place: Mapping[int, int]) -> None:
        """Sort the slots into the queue of each machine by start; ties by `place` of their jobs."""
        none = np.zeros(0, "i8")
        columns = [np.concatenate(column) for column in zip(*self._parts, strict=True)] or [none] * 5
        job, resource, start, end, level = columns
        order = np.lexsort((np.array([place[one] for one in job.tolist()]), start))
        slot, machine = self._machines_of(resource[order])
        by_machine = np.argsort(machine, kind="stable")
        self._line = job[order[slot[by_machine]]].tolist()
        ends = np.cumsum(np.bincount(machine, minlength=self._machines))
        self._until = ends.tolist()
        self._at = [0, *self._until[:-1]]
        self._columns = resource, start, end, level
        self._row = dict(zip(job.tolist(), range(len(job)), strict=True))

    def head(self, machine: int) -> int | None:
        """Return the first job in the queue of a machine, or None."""
        at = self._at[machine]
        return self._line[at] if at < self._until[machine] else None

    def of(self, job: int) -> Slot:
        """Return the slot of a queued job."""
        row = self._row[job]
        resource, start, end, level = (column[row] for column in self._columns)
        return Slot(int(resource), float(start), float(end), int(level))

    def begin(self, machines: Sequence[int]) -> None:
        """Remove the job that is first in the queues of all these machines."""
        for machine in machines:
            self._at[machine] += 1

    def _machines_of(self, resource: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return row and machine of every machine of these resources."""
        count = self._first[resource + 1] - self._first[resource]
        ends = np.cumsum(count)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - count, count)
        member = np.repeat(self._first[resource], count) + within
        return np.repeat(np.arange(len(resource)), count), self._members[member]
