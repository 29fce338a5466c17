"""Loads of jobs on machines: the input of the programs of SynchPack-3, where each task has one machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance


@dataclass(frozen=True, eq=False)
class Loads:
    """Loads [s]: `load[begin[i]:begin[i + 1]]` on machine i, of the jobs in the same rows of `job`.

    A load is the volume of the job's tasks there over the capacity: the least time that the machine needs for them.
    """

    weight: np.ndarray
    longest: np.ndarray
    """`P_j` of each job [s]; 0 for a job without tasks."""
    begin: np.ndarray
    job: np.ndarray
    load: np.ndarray

    @property
    def machines(self) -> int:
        return len(self.begin) - 1

    @property
    def machine(self) -> np.ndarray:
        """Machine of each entry."""
        return np.repeat(np.arange(self.machines), np.diff(self.begin))


def loads_of(instance: Instance) -> Loads:
    """Return the loads of an instance in which each task has one machine; entries by machine, then job."""
    key = instance.machine * max(1, instance.jobs) + instance.job
    seen, entry = np.unique(key, return_inverse=True)
    machine, job = np.divmod(seen, max(1, instance.jobs))
    load = np.bincount(entry, instance.volume, len(seen)) / instance.capacity[machine]
    begin = np.searchsorted(machine, np.arange(instance.machines + 1))
    return Loads(instance.weight, instance.longest, begin, job, load)


def squashed_loads(instance: Instance) -> Loads:
    """Return the loads on one machine as large as all together: a relaxation of placement and migration.

    Each task has its least volume there, so every schedule of the instance is also one of this machine.
    """
    rows = np.flatnonzero(np.bincount(instance.job, minlength=instance.jobs))
    load = instance.least_volume[rows] / instance.capacity.sum()
    return Loads(instance.weight, instance.longest, np.array([0, len(rows)]), rows, load)
