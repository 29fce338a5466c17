"""Tetris without preemption: whenever a task ends or a job arrives, the pair of task and machine with the largest score
that fits is started, then the next.

Score of a waiting task: `w_j (a + E / V_j)` as in `tetris_p`, with its time on its fastest machine; on a machine where
it takes longer, times a penalty: the ratio of the times (1 / alpha), which the authors of SynchPack found better than
the fixed 0.9 of Grandl et al.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.policies.list_schedule import FITS
from shadowtime.engine.families.multitask.policies.tetris_p import _scale
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch


def plan(
    instance: Instance, release: np.ndarray, parameters: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Plan:
    """The plan of all tasks."""
    ratio = instance.fastest[instance.owner] / instance.time
    fixed = parameters["penalty"]
    penalty = np.where(ratio < 1.0 - 1e-12, fixed, 1.0) if fixed else ratio
    by_machine = np.argsort(instance.machine, kind="stable")
    begin = np.searchsorted(instance.machine[by_machine], np.arange(instance.machines + 1)).astype("i8")
    chosen, start = _run(
        by_machine, begin, instance.owner, instance.job, instance.size, instance.fastest, instance.time, penalty,
        instance.capacity, instance.weight, release[instance.job], parameters["f"],
    )  # fmt: skip
    return Plan.of_tasks(np.arange(instance.tasks), instance.machine[chosen], start, start + instance.time[chosen])


@allocating
def _run(listed, begin, owner, job, size, fastest, time, penalty, capacity, weight, release, f):
    """Option and start of each task."""
    n, machines, now = len(job), len(capacity), 0.0
    chosen, start = np.full(n, -1), np.zeros(n)
    room, many = capacity.copy(), begin[1:] - begin[:-1]
    volume, waiting_volume = np.zeros(len(weight)), np.zeros(len(weight))
    for k in range(n):
        waiting_volume[job[k]] += size[k] * fastest[k]
    running = np.empty(n, np.int64)
    end = np.full(n, np.inf)
    machine = np.empty(n, np.int64)
    count, waiting, scale, seen = 0, n, 0.0, 0
    fresh = np.ones(machines, np.bool_)  # machines with more room, or tasks that are new
    arrivals = np.sort(release)
    while waiting > 0:
        if seen < n and arrivals[seen] <= now:
            while seen < n and arrivals[seen] <= now:
                seen += 1
            fresh[:] = True
            scale = _scale(job, size, fastest, release, now, weight, f)
        volume[:] = waiting_volume
        for y in range(count):
            k = running[y]
            volume[job[k]] += size[k] * fastest[k] * max(0.0, end[k] - now) / time[chosen[k]]
        while True:
            best, most = -1, -np.inf
            where = -1
            for i in range(machines):
                if not fresh[i]:
                    continue
                kept = begin[i]
                for y in range(begin[i], begin[i] + many[i]):
                    o = listed[y]
                    k = owner[o]
                    if chosen[k] >= 0:
                        continue
                    listed[kept] = o
                    kept += 1
                    if release[k] <= now and size[k] <= room[i] + FITS * capacity[i]:
                        worth = penalty[o] * weight[job[k]] * (size[k] + scale / max(volume[job[k]], 1e-300))
                        if worth > most:
                            best, most, where = o, worth, i
                many[i] = kept - begin[i]
            if best < 0:
                break
            k = owner[best]
            chosen[k], start[k], end[k], machine[k] = best, now, now + time[best], where
            room[where] -= size[k]
            waiting_volume[job[k]] -= size[k] * fastest[k]
            running[count] = k
            count += 1
            waiting -= 1
        fresh[:] = False
        later = arrivals[seen] if seen < n else np.inf
        for y in range(count):
            later = min(later, end[running[y]])
        if waiting > 0 and later == np.inf:
            break
        now = later
        kept = 0
        for y in range(count):
            k = running[y]
            if end[k] <= now + FITS * max(1.0, now):
                room[machine[k]] += size[k]
                fresh[machine[k]] = True
            else:
                running[kept] = k
                kept += 1
        count = kept
    return chosen, start
