"""Tetris with preemption: at each completion and arrival all tasks are taken off and start again by their score.

Score of a task: `w_j (a + E / V_j)`, V_j the volume that is left of its job; each machine starts, by falling score,
what fits. `E = f` x mean size of tasks x mean volume of jobs, over what has arrived, brings both to one order; the
printed definition is lost, and results depend strongly on f.

R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, extended by weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.policies.list_schedule import FITS, grown
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch


def plan(
    instance: Instance, release: np.ndarray, parameters: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Plan:
    """The plan of all tasks of an instance in which each has one machine."""
    by_machine = np.argsort(instance.machine, kind="stable")
    begin = np.searchsorted(instance.machine[by_machine], np.arange(instance.machines + 1)).astype("i8")
    columns = _run(
        by_machine, begin, instance.job, instance.size, instance.time, instance.capacity, instance.weight,
        release[instance.job], parameters["f"],
    )  # fmt: skip
    return Plan.of_tasks(columns[0], instance.machine[columns[0]], *columns[1:])


@allocating
def _run(listed, begin, job, size, time, capacity, weight, release, f):
    n, count, now = len(listed), 0, 0.0
    which, start, end = np.empty(2 * n + 64, np.int64), np.empty(2 * n + 64), np.empty(2 * n + 64)
    left, since, score = time.copy(), np.full(n, np.nan), np.zeros(n)
    volume = np.zeros(len(weight))
    many = begin[1:] - begin[:-1]
    unfinished, scale = n, -1.0
    arrivals = np.sort(release)
    seen = 0
    while unfinished > 0:
        if seen < n and arrivals[seen] <= now:
            while seen < n and arrivals[seen] <= now:
                seen += 1
            scale = _scale(job, size, time, release, now, weight, f)
        volume[:] = 0.0
        for i in range(len(capacity)):
            for y in range(begin[i], begin[i] + many[i]):
                volume[job[listed[y]]] += size[listed[y]] * left[listed[y]]
        soonest = arrivals[seen] - now if seen < n else np.inf
        for i in range(len(capacity)):
            first, stop = begin[i], begin[i] + many[i]
            for y in range(first, stop):
                k = listed[y]
                score[k] = weight[job[k]] * (size[k] + scale / max(volume[job[k]], 1e-300))
            for y in range(first + 1, stop):  # nearly sorted since the last time
                k, z = listed[y], y
                while z > first and (
                    score[listed[z - 1]] < score[k] or (score[listed[z - 1]] == score[k] and listed[z - 1] > k)
                ):
                    listed[z] = listed[z - 1]
                    z -= 1
                listed[z] = k
            room = capacity[i]
            for y in range(first, stop):
                k = listed[y]
                if release[k] <= now and size[k] <= room + FITS * capacity[i]:
                    room -= size[k]
                    soonest = min(soonest, left[k])
                    if np.isnan(since[k]):
                        since[k] = now
                elif not np.isnan(since[k]):
                    if count == len(which):
                        which, start, end = grown(which), grown(start), grown(end)
                    which[count], start[count], end[count] = k, since[k], now
                    since[k] = np.nan
                    count += 1
        if soonest == np.inf:
            break
        arriving = seen < n and soonest == arrivals[seen] - now
        later = arrivals[seen] if arriving else now + soonest
        done = FITS * max(1.0, later)
        for i in range(len(capacity)):
            kept = begin[i]
            for y in range(begin[i], begin[i] + many[i]):
                k = listed[y]
                if not np.isnan(since[k]):
                    left[k] -= later - now
                    if left[k] <= done:
                        if count == len(which):
                            which, start, end = grown(which), grown(start), grown(end)
                        which[count], start[count], end[count] = k, since[k], later
                        since[k] = np.nan
                        count += 1
                        unfinished -= 1
                        continue
                listed[kept] = k
                kept += 1
            many[i] = kept - begin[i]
        now = later
    return which[:count], start[:count], end[:count]


@allocating
def _scale(job, size, time, release, now, weight, f):
    """E: f x mean size of tasks x mean volume of jobs, over what has arrived by now."""
    sizes, tasks, volumes, jobs = 0.0, 0, 0.0, 0
    counted = np.zeros(len(weight), np.bool_)
    for k in range(len(job)):
        if release[k] <= now:
            sizes += size[k]
            tasks += 1
            volumes += size[k] * time[k]
            if not counted[job[k]]:
                counted[job[k]] = True
                jobs += 1
    return f * (sizes / tasks) * (volumes / jobs) if tasks else 0.0
