"""Placing tasks that are never taken off again: lists, barriers between intervals, and shifting to the left.

All on one machine after another; what runs there already (`busy`) holds its size until it ends.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.policies.busy import Busy
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.kernel.profile import Profile, earliest, insert

FITS = 1e-12
"""A task fits when it is larger than the room by no more than this share of the machine: sums of sizes round."""


def list_once(machine, size, time, level, rank, capacity, busy: Busy) -> np.ndarray:
    """Start of each task [s] by list scheduling without preemption; the next level starts when all before it ended.

    Parameters
    ----------
    machine, size, time, level, rank
        One value a task; tasks of a machine go by level, then rank, then row.
    """
    order = np.lexsort((np.arange(len(size)), rank, level, machine))
    begin = np.searchsorted(machine[order], np.arange(len(capacity) + 1))
    return _lists(
        order, begin.astype("i8"), size, time, level.astype("i8"), capacity, *_by_machine(busy, len(capacity))
    )


def shift_left(machine, size, time, start, first, group, capacity, busy: Busy) -> np.ndarray:
    """Earlier starts [s]: tasks, or pieces of them, by `start`, each as early as there is room for its whole time.

    Nothing comes later: from its old start on, what was placed before it leaves as much room as it did. Pieces of one
    `group` follow each other; `first` is the earliest start of each row.
    """
    order = np.lexsort((np.arange(len(size)), start))
    return _shifted(
        order, machine, size, time, start, first, group.astype("i8"), capacity,
        busy.machine, busy.size, busy.until,
    )  # fmt: skip


def _by_machine(busy: Busy, machines: int):
    order = np.argsort(busy.machine, kind="stable")
    first = np.searchsorted(busy.machine[order], np.arange(machines + 1)).astype("i8")
    return first, busy.size[order], busy.until[order]


@allocating
def _lists(order, begin, size, time, level, capacity, first, busy_size, busy_until):
    n = len(order)
    start = np.zeros(n)
    ends, sizes = np.empty(n + len(busy_size)), np.empty(n + len(busy_size))
    for i in range(len(capacity)):
        waiting = order[begin[i] : begin[i + 1]].copy()
        many, now, room, running = len(waiting), 0.0, capacity[i], 0
        for y in range(first[i], first[i + 1]):
            if busy_until[y] > 0.0:
                ends[running], sizes[running] = busy_until[y], busy_size[y]
                room -= busy_size[y]
                running += 1
        planned_until = 0.0  # last end of the levels before
        at = level[waiting[0]] if many else 0
        while many > 0:
            if level[waiting[0]] != at:
                at, now = level[waiting[0]], max(now, planned_until)
            # what has ended by now gives its room back
            kept = 0
            for y in range(running):
                if ends[y] > now:
                    ends[kept], sizes[kept] = ends[y], sizes[y]
                    kept += 1
                else:
                    room += sizes[y]
            running, kept = kept, 0
            if running == 0:
                room = capacity[i]
            for y in range(many):
                k = waiting[y]
                if level[k] == at and size[k] <= room + FITS * capacity[i]:
                    start[k] = now
                    ends[running], sizes[running] = now + time[k], size[k]
                    running += 1
                    room -= size[k]
                    planned_until = max(planned_until, now + time[k])
                else:
                    waiting[kept] = k
                    kept += 1
            many = kept
            if many > 0 and level[waiting[0]] == at:
                soonest = np.inf
                for y in range(running):
                    soonest = min(soonest, ends[y])
                if soonest == np.inf:
                    break  # larger than the machine: never planned
                now = soonest
    return start


@allocating
def _of_machine(i, span, base, at, free):
    """The profile of machine i. Amounts count from 0 down, not from its capacity: `-used` is then summed without
    rounding a difference, in the order of placing."""
    return Profile(span[i], at[base[i] : base[i + 1]], free[base[i] : base[i + 1]])


@allocating
def _shifted(order, machine, size, time, start, first, group, capacity, busy_machine, busy_size, busy_until):
    machines, n = len(capacity), len(order)
    room = np.ones(machines, np.int64)
    for y in range(n):
        room[machine[y]] += 2
    for y in range(len(busy_machine)):
        room[busy_machine[y]] += 2
    base = np.zeros(machines + 1, np.int64)
    base[1:] = np.cumsum(room)
    at, free = np.zeros(base[-1]), np.zeros(base[-1])
    span = np.zeros((machines, 2), np.int64)
    span[:, 1] = 1
    for y in range(len(busy_machine)):
        i = busy_machine[y]
        insert(_of_machine(i, span, base, at, free), 0.0, busy_until[y], (busy_size[y],))
    moved = start.copy()
    before = np.zeros(group.max() + 1 if n else 0)
    for y in range(n):
        k = order[y]
        i = machine[k]
        used = _of_machine(i, span, base, at, free)
        most = capacity[i] * (1.0 + FITS * 10.0) - size[k]
        found = earliest(used, max(first[k], before[group[k]]), (-most,), time[k], np.inf)
        moved[k] = min(found, start[k])
        before[group[k]] = moved[k] + time[k]
        insert(used, moved[k], moved[k] + time[k], (size[k],))
    return moved
