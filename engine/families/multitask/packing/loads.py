"""Loads of jobs on machines, and the order of SynchPack-3 without a solver.

The order follows from a feasible dual solution of the parallel inequalities of the loads. Each job has, in addition to
the real machines, one of its own with load `P_j`. From the last place to the first: take the most loaded machine; the
job on it with the least remaining weight per load goes last, and the weight of all jobs on it is reduced in proportion
to their load. The dual values of these steps are feasible, so their sum bounds every schedule's weighted completion
from below, and any list schedule of the order is within 4 of it.

M. Mastrolilli, M. Queyranne, A. Schulz, O. Svensson, N. Uhan, Minimizing the sum of weighted completion times in a
concurrent open shop, Operations Research Letters 38(5), 2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.kernel.cache import allocating


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
    rows = np.flatnonzero(instance.present)
    load = instance.least_volume[rows] / instance.capacity.sum()
    return Loads(instance.weight, instance.longest, np.array([0, len(rows)]), rows, load)


def primal_dual(loads: Loads) -> tuple[np.ndarray, float]:
    """Return the jobs that have tasks (`P_j` > 0) in their order, and the dual value.

    Ties: the lower row goes last.
    """
    by_job = np.argsort(loads.job, kind="stable")
    first = np.searchsorted(loads.job[by_job], np.arange(len(loads.weight) + 1)).astype("i8")
    machine = np.repeat(np.arange(len(loads.begin) - 1), np.diff(loads.begin))
    total = np.bincount(machine, loads.load, len(loads.begin) - 1)
    own = np.argsort(-loads.longest, kind="stable")
    return _order(
        loads.weight.astype("f8"), loads.longest, own, loads.begin.astype("i8"), total, loads.job, loads.load,
        first, machine[by_job], loads.load[by_job],
    )  # fmt: skip


@allocating
def _order(weight, longest, own, begin, total, job, load, first, machine_of_job, load_of_job):
    """Return order and dual value. `own`: jobs by decreasing `longest`; the last three arrays: loads by job."""
    left, there, stop = weight.copy(), longest > 0.0, begin[1:].copy()
    inner_job, inner_load = job.copy(), load.copy()
    order = np.empty(there.sum(), np.int64)
    dual, top = 0.0, 0
    for place in range(len(order) - 1, -1, -1):
        while not there[own[top]]:
            top += 1
        most = -1
        for i in range(len(total)):
            if total[i] > longest[own[top]] and (most < 0 or total[i] > total[most]):
                most = i
        if most < 0:
            last = own[top]
            dual += left[last] * longest[last]
        else:
            last, theta, once, twice = -1, np.inf, 0.0, 0.0
            kept = begin[most]
            for y in range(begin[most], stop[most]):
                j, here = inner_job[y], inner_load[y]
                if not there[j]:
                    continue  # it has its place already: its entry is removed
                inner_job[kept], inner_load[kept] = j, here
                kept += 1
                once += here
                twice += here * here
                if left[j] < theta * here:
                    last, theta = j, left[j] / here
            stop[most] = kept
            if last < 0:  # its load is only a rounding error
                last, theta = own[top], 0.0
            dual += theta * (once * once + twice) / 2.0
            for y in range(begin[most], kept):
                j = inner_job[y]
                left[j] = max(0.0, left[j] - theta * inner_load[y])
        there[last] = False
        order[place] = last
        for y in range(first[last], first[last + 1]):
            total[machine_of_job[y]] -= load_of_job[y]
    return order, dual
