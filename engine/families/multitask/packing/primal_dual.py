"""The combinatorial order of SynchPack-3: a feasible dual solution of the parallel inequalities.

Each job has, in addition to the real machines, one of its own with load `P_j`. From the last place to the first: take
the most loaded machine; the job on it with the least remaining weight per load goes last, and the weight of all jobs on
it is reduced in proportion to their load. The dual values of these steps are a feasible dual solution, so their sum
bounds every schedule's weighted completion from below, and any list schedule of the order is within 4 of it.

M. Mastrolilli, M. Queyranne, A. Schulz, O. Svensson, N. Uhan, Minimizing the sum of weighted completion times in a
concurrent open shop, Operations Research Letters 38(5), 2010.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.loads import Loads
from shadowtime.engine.kernel.cache import allocating


def primal_dual(loads: Loads) -> tuple[np.ndarray, float]:
    """Return the jobs that have tasks (`P_j` > 0) in their order, and the dual value.

    Ties: the lower row goes last.
    """
    by_job = np.argsort(loads.job, kind="stable")
    first = np.searchsorted(loads.job[by_job], np.arange(len(loads.weight) + 1))
    own = np.argsort(-loads.longest, kind="stable")
    return _order(
        loads.weight.astype("f8"), loads.longest, own, loads.begin.astype("i8"), loads.job, loads.load,
        first.astype("i8"), loads.machine[by_job], loads.load[by_job],
    )  # fmt: skip


@allocating
def _order(weight, longest, own, begin, job, load, first, machine_of_job, load_of_job):
    """Return order and dual value. `own`: jobs by decreasing `longest`; the last three arrays: loads by job."""
    n, machines = len(weight), len(begin) - 1
    left = weight.copy()
    there = longest > 0.0
    count = 0
    for j in range(n):
        count += there[j]
    stop = begin[1:].copy()
    inner_job, inner_load = job.copy(), load.copy()
    total = np.zeros(machines)
    for i in range(machines):
        for y in range(begin[i], stop[i]):
            total[i] += load[y]
    order = np.empty(count, np.int64)
    dual, top = 0.0, 0
    for place in range(count - 1, -1, -1):
        while not there[own[top]]:
            top += 1
        most = -1
        for i in range(machines):
            if total[i] > longest[own[top]] and (most < 0 or total[i] > total[most]):
                most = i
        if most < 0:
            last = own[top]
            dual += left[last] * longest[last]
        else:
            # Remove entries of jobs that have their place already.
            kept = begin[most]
            for y in range(begin[most], stop[most]):
                if there[inner_job[y]]:
                    inner_job[kept], inner_load[kept] = inner_job[y], inner_load[y]
                    kept += 1
            stop[most] = kept
            last, theta, once, twice = -1, np.inf, 0.0, 0.0
            for y in range(begin[most], kept):
                j = inner_job[y]
                once += inner_load[y]
                twice += inner_load[y] * inner_load[y]
                if left[j] < theta * inner_load[y]:
                    last, theta = j, left[j] / inner_load[y]
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
