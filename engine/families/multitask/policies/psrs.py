"""PSRS on each machine: tasks by weight over volume; a wide one that waits too long takes the machine for itself.

Task after task, largest weight over volume first, `now` never going back. One of at most half the machine starts as
soon as it fits. A wider one does so too when it then waits at most p / V longer than for half the machine to be free;
else, p / V after that instant, it preempts all that still run, runs alone, and they go on after it.

U. Schwiegelshohn, Preemptive weighted completion time scheduling of parallel jobs, SIAM Journal on Computing 33(6),
2004.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.policies.list_schedule import FITS, grown
from shadowtime.engine.families.multitask.policies.online import preemptive
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch


def plan(
    instance: Instance, release: np.ndarray, parameters: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Plan:
    """The plan of all tasks; on an arrival all is taken off and planned anew with what is left."""

    def planned(part: Instance, horizon: float) -> Plan:
        return psrs(part, parameters["V"], horizon)

    return preemptive(instance, release, parameters, watch, planned, at_arrivals=True)


def psrs(instance: Instance, waiting: float, horizon: float = np.inf) -> Plan:
    """The plan of an instance in which each task has one machine; `waiting` is V, planned as far as `horizon` [s]."""
    ratio = instance.weight[instance.job] / instance.volume
    order = np.lexsort((np.arange(instance.tasks), -ratio, instance.machine))
    begin = np.searchsorted(instance.machine[order], np.arange(instance.machines + 1)).astype("i8")
    task, start, end = _psrs(order, begin, instance.size, instance.time, instance.capacity, waiting, float(horizon))
    return Plan.of_tasks(task, instance.machine[task], start, end)


@allocating
def _free_from(ends, sizes, running, now, most, wanted):
    """First instant from `now` on with room `wanted`; rows of running tasks are sorted by end."""
    room = most
    for y in range(running):
        room -= sizes[y]
    at = now
    for y in range(running):
        if room >= wanted - FITS * most:
            break
        room += sizes[y]
        at = max(now, ends[y])
    return at


@allocating
def _psrs(order, begin, size, time, capacity, waiting, horizon):
    n, count = len(order), 0
    task, start, end = np.empty(2 * n + 64, np.int64), np.empty(2 * n + 64), np.empty(2 * n + 64)
    ends, sizes, starts = np.empty(n), np.empty(n), np.empty(n)
    who = np.empty(n, np.int64)
    for i in range(len(capacity)):
        now, running, most = 0.0, 0, capacity[i]
        for y in range(begin[i], begin[i + 1]):
            if now >= horizon:
                break
            k = order[y]
            fit = _free_from(ends, sizes, running, now, most, size[k])
            half = _free_from(ends, sizes, running, now, most, most / 2.0)
            alone = size[k] > most / 2.0 and fit - half > time[k] / waiting
            at = half + time[k] / waiting if alone else fit
            # what has ended by then is written down
            kept = 0
            for z in range(running):
                if ends[z] <= at:
                    if count + 1 >= len(task):
                        task, start, end = grown(task), grown(start), grown(end)
                    task[count], start[count], end[count] = who[z], starts[z], ends[z]
                    count += 1
                else:
                    ends[kept], sizes[kept], starts[kept], who[kept] = ends[z], sizes[z], starts[z], who[z]
                    kept += 1
            running = kept
            if alone:
                for z in range(running):
                    if starts[z] < at:
                        if count + 1 >= len(task):
                            task, start, end = grown(task), grown(start), grown(end)
                        task[count], start[count], end[count] = who[z], starts[z], at
                        count += 1
                    starts[z] = at + time[k]
                    ends[z] += time[k]
                if count + 1 >= len(task):
                    task, start, end = grown(task), grown(start), grown(end)
                task[count], start[count], end[count] = k, at, at + time[k]
                count += 1
                now = at + time[k]
            else:
                z = running
                while z > 0 and ends[z - 1] > at + time[k]:
                    ends[z], sizes[z], starts[z], who[z] = ends[z - 1], sizes[z - 1], starts[z - 1], who[z - 1]
                    z -= 1
                ends[z], sizes[z], starts[z], who[z] = at + time[k], size[k], at, k
                running += 1
                now = at
        for z in range(running):
            if count + 1 >= len(task):
                task, start, end = grown(task), grown(start), grown(end)
            task[count], start[count], end[count] = who[z], starts[z], ends[z]
            count += 1
    return task[:count], start[:count], end[:count]
