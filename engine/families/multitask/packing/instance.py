"""Tasks to be packed, as arrays: the input of linear programs and planners, for a workload or its remaining part."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from shadowtime.engine.families.multitask.workload import too_large

_KNOWN: WeakKeyDictionary[Any, tuple[np.ndarray, Instance, np.ndarray]] = WeakKeyDictionary()
"""The last instance of each workload that is still referenced."""


@dataclass(frozen=True, eq=False)
class Instance:
    """n jobs, K tasks in the order of their jobs, M machines. All may start at 0."""

    weight: np.ndarray
    """Of each job."""
    job: np.ndarray
    """Row of each task's job, ascending."""
    size: np.ndarray
    options: np.ndarray
    """K + 1: task k may run on `machine[options[k]:options[k + 1]]`, where its remaining work takes `time` [s]."""
    machine: np.ndarray
    time: np.ndarray
    capacity: np.ndarray
    solved: dict[Any, Any] = field(default_factory=dict)
    """Solutions by name and arguments of the program: a plan and its bounds need the same ones."""

    @property
    def jobs(self) -> int:
        return len(self.weight)

    @property
    def tasks(self) -> int:
        return len(self.size)

    @property
    def machines(self) -> int:
        return len(self.capacity)

    @cached_property
    def owner(self) -> np.ndarray:
        """Task of each option."""
        return np.repeat(np.arange(self.tasks), np.diff(self.options))

    @cached_property
    def fastest(self) -> np.ndarray:
        """Least time of each task [s]."""
        return np.minimum.reduceat(self.time, self.options[:-1]) if self.tasks else np.zeros(0)

    @cached_property
    def slowest(self) -> np.ndarray:
        """Largest time of each task [s]."""
        return np.maximum.reduceat(self.time, self.options[:-1]) if self.tasks else np.zeros(0)

    @cached_property
    def longest(self) -> np.ndarray:
        """`P_j`: the longest task of each job, each on its fastest machine [s]; 0 for a job without tasks."""
        return self.last(self.fastest)

    @cached_property
    def volume(self) -> np.ndarray:
        """Size times time of each option."""
        return self.size[self.owner] * self.time

    @cached_property
    def least_volume(self) -> np.ndarray:
        """Size times least time, summed over each job's tasks."""
        return np.bincount(self.job, self.size * self.fastest, self.jobs)

    @cached_property
    def present(self) -> np.ndarray:
        """Whether each job has a task."""
        return np.bincount(self.job, minlength=self.jobs) > 0

    def last(self, ends: np.ndarray) -> np.ndarray:
        """Return the largest value of each job's tasks; 0 for a job without tasks."""
        largest = np.zeros(self.jobs)
        np.maximum.at(largest, self.job, ends)
        return largest

    def time_on(self, task: np.ndarray, machine: np.ndarray) -> np.ndarray:
        """Return the time of each task on its machine [s]; NaN, which the kernel rejects, on a machine without it."""
        key = self.owner * (self.machines + 1) + self.machine
        sought = task * (self.machines + 1) + machine
        at = np.minimum(np.searchsorted(key, sought), len(key) - 1)
        return np.where(key[at] == sought, self.time[at], np.nan)

    def part(self, rows: np.ndarray, left: np.ndarray | None = None) -> Instance:
        """Return the part with the tasks in `rows` (ascending), `left` of each (a share of 1); jobs keep their rows."""
        kept = np.zeros(self.tasks, bool)
        kept[rows] = True
        where, lengths = np.flatnonzero(kept[self.owner]), np.diff(self.options)[rows]
        time = self.time[where] if left is None else self.time[where] * np.repeat(left, lengths)
        options = np.concatenate([[0], np.cumsum(lengths)]).astype("i8")
        machine = self.machine[where]
        return Instance(self.weight, self.job[rows], self.size[rows], options, machine, time, self.capacity)


def instance_of(workload: Any, jobs: np.ndarray | None = None) -> tuple[Instance, np.ndarray]:
    """Return the instance of a multitask workload, and the rows of its tasks among all tasks.

    jobs: a mask of the jobs that count; None: all that can run. Jobs keep their rows.
    """
    counts = ~too_large(workload) if jobs is None else jobs
    known = _KNOWN.get(workload)
    if known is not None and np.array_equal(known[0], counts):
        return known[1:]
    parts = workload.parts
    owner = np.repeat(np.arange(len(workload)), np.diff(parts["first"]))
    columns = (parts[name] for name in ("size", "options", "machine", "time", "capacity"))
    whole = Instance(workload.jobs["weight"], owner, *columns)
    rows = np.flatnonzero(counts[owner])
    instance = whole if len(rows) == len(owner) else whole.part(rows)
    _KNOWN[workload] = (counts.copy(), instance, rows)
    return instance, rows
