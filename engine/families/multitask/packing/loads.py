"""Loads of jobs on machines: what the programs of SynchPack-3 see of an instance in which each task has one machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance


@dataclass(frozen=True, eq=False)
class Loads:
    """`load[begin[i]:begin[i + 1]]` are the loads [s] on machine i of the jobs in the same places of `job`.

    A load is the volume of the job's tasks there over the capacity: the time that the machine needs at the least.
    """

    weight: np.ndarray
    longest: np.ndarray
    """`P_j` of each job [s]; 0 for a job that is not there."""
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
    """The loads of an instance in which each task has one machine; entries by machine, then job."""
    key = instance.machine * max(1, instance.jobs) + instance.job
    seen, entry = np.unique(key, return_inverse=True)
    machine, job = np.divmod(seen, max(1, instance.jobs))
    load = np.bincount(entry, instance.volume, len(seen)) / instance.capacity[machine]
    begin = np.searchsorted(machine, np.arange(instance.machines + 1))
    return Loads(instance.weight, instance.longest, begin, job, load)


def squashed_loads(instance: Instance) -> Loads:
    """One machine as large as all together: what remains of any instance when placement and migration are forgotten.

    Each task takes its least volume, wherever it runs, so every schedule of the instance is one of this machine.
    """
    rows = np.flatnonzero(np.bincount(instance.job, minlength=instance.jobs))
    load = instance.least_volume[rows] / instance.capacity.sum()
    return Loads(instance.weight, instance.longest, np.array([0, len(rows)]), rows, load)
