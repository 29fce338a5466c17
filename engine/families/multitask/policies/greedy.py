"""The greedy schedule of SynchPack-1: fractions of tasks by interval, chosen again at each completion.

At 0 and whenever a fraction ends, all fractions stop and the list is scanned from its start; a fraction runs if no
other fraction of its task runs and its machine has room. All fractions of intervals up to l are done by 3 d_l, by 2 d_l
where each task has one machine: a fraction waits only for a fraction of its own task, or for fractions of intervals up
to its own.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import Fractions
from shadowtime.engine.families.multitask.policies.list_schedule import FITS, grown
from shadowtime.engine.kernel.cache import allocating


def greedy(instance: Instance, fractions: Fractions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pieces of the schedule: fraction (row of `fractions`), start and end [s]; by start, then fraction."""
    task = instance.owner[fractions.option]
    order = np.lexsort((fractions.option, task, fractions.interval))
    fraction, start, end = _greedy(
        order, task, instance.machine[fractions.option], instance.size[task],
        fractions.value * instance.time[fractions.option], instance.capacity, instance.tasks,
    )  # fmt: skip
    by_start = np.lexsort((fraction, start))
    return fraction[by_start], start[by_start], end[by_start]


@allocating
def _greedy(order, task, machine, size, long, capacity, tasks):
    n, count, now = len(order), 0, 0.0
    which, start, end = np.empty(n + 64, np.int64), np.empty(n + 64), np.empty(n + 64)
    left, active = long.copy(), order.copy()
    since = np.full(n, np.nan)
    runs = np.empty(tasks, np.bool_)
    room = np.empty(len(capacity))
    many = n
    while many > 0:
        runs[:] = False
        room[:] = capacity
        soonest = np.inf
        for y in range(many):
            f = active[y]
            i = machine[f]
            if not runs[task[f]] and size[f] <= room[i] + FITS * capacity[i]:
                runs[task[f]] = True
                room[i] -= size[f]
                soonest = min(soonest, left[f])
                if np.isnan(since[f]):
                    since[f] = now
            elif not np.isnan(since[f]):
                if count == len(which):
                    which, start, end = grown(which), grown(start), grown(end)
                which[count], start[count], end[count] = f, since[f], now
                since[f] = np.nan
                count += 1
        if soonest == np.inf:
            break
        later = now + soonest
        done = FITS * max(1.0, later)
        kept = 0
        for y in range(many):
            f = active[y]
            if not np.isnan(since[f]):
                left[f] -= soonest
                if left[f] <= done:
                    if count == len(which):
                        which, start, end = grown(which), grown(start), grown(end)
                    which[count], start[count], end[count] = f, since[f], later
                    since[f] = np.nan
                    count += 1
                    continue
            active[kept] = f
            kept += 1
        many, now = kept, later
    return which[:count], start[:count], end[:count]
