"""Preemptive list scheduling, machine by machine.

At every completion all tasks stop, the list is scanned again from its start, and each task that fits runs.

In any order, the first j jobs of the list are done by twice the largest of their loads and their longest tasks: the
factor 4 of SynchPack-3 follows from this.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.runner.plan import Plan

FITS = 1e-12
"""A task fits if it exceeds the room by no more than this share of the capacity: sums of sizes are rounded."""


def list_schedule(instance: Instance, rank: np.ndarray, horizon: float = np.inf) -> Plan:
    """Return the schedule of an instance in which each task has one machine, up to `horizon` [s].

    rank: place of each task in the list; ties by row.
    """
    order = np.lexsort((np.arange(instance.tasks), rank, instance.machine))
    begin = np.searchsorted(instance.machine[order], np.arange(instance.machines + 1))
    task, start, end = _schedule(
        order, begin.astype("i8"), instance.size, instance.time, instance.capacity, float(horizon)
    )
    return Plan.of_tasks(task, instance.machine[task], start, end)


def job_ranks(instance: Instance, order: np.ndarray) -> np.ndarray:
    """Return the rank of each task for jobs in `order`; tasks of one job have equal ranks."""
    place = np.full(instance.jobs, len(order))
    place[order] = np.arange(len(order))
    return place[instance.job]


@allocating
def grown(values):
    """Return an array of twice the length that begins with `values`."""
    more = np.empty(2 * len(values), values.dtype)
    more[: len(values)] = values
    return more


@allocating
def _schedule(order, begin, size, time, capacity, horizon):
    """Return columns of pieces: task, start, end."""
    n, count = len(order), 0
    task, start, end = np.empty(n + 64, np.int64), np.empty(n + 64), np.empty(n + 64)
    left = time.copy()
    since = np.full(n, np.nan)  # when a running task's open piece began, by row of the task
    for i in range(len(capacity)):
        active = order[begin[i] : begin[i + 1]].copy()
        many, now = len(active), 0.0
        while many > 0 and now < horizon:
            room, soonest = capacity[i], np.inf
            for y in range(many):
                k = active[y]
                if size[k] <= room + FITS * capacity[i]:
                    room -= size[k]
                    soonest = min(soonest, left[k])
                    if np.isnan(since[k]):
                        since[k] = now
                elif not np.isnan(since[k]):
                    if count == len(task):
                        task, start, end = grown(task), grown(start), grown(end)
                    task[count], start[count], end[count] = k, since[k], now
                    since[k] = np.nan
                    count += 1
            if soonest == np.inf:
                break
            later = min(now + soonest, horizon)
            done = FITS * max(1.0, later)
            kept = 0
            for y in range(many):
                k = active[y]
                if not np.isnan(since[k]):
                    left[k] -= later - now
                    if left[k] <= done:
                        if count == len(task):
                            task, start, end = grown(task), grown(start), grown(end)
                        task[count], start[count], end[count] = k, since[k], later
                        since[k] = np.nan
                        count += 1
                        continue
                active[kept] = k
                kept += 1
            many, now = kept, later
        for y in range(many):
            k = active[y]
            if not np.isnan(since[k]):
                if count == len(task):
                    task, start, end = grown(task), grown(start), grown(end)
                task[count], start[count], end[count] = k, since[k], now
                count += 1
    return task[:count], start[:count], end[:count]
