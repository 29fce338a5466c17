"""Placing tasks that are never taken off again: lists, barriers between intervals, and shifting to the left.

All on one machine after another; what runs there already (`busy`) holds its size until it ends.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.policies.busy import Busy
from shadowtime.engine.kernel.cache import allocating, inner

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


def shift_left(machine, size, time, start, earliest, group, capacity, busy: Busy) -> np.ndarray:
    """Earlier starts [s]: tasks, or pieces of them, by `start`, each as early as there is room for its whole time.

    Nothing comes later: from its old start on, what was placed before it leaves as much room as it did. Pieces of one
    `group` follow each other; `earliest` is the least start of each row.
    """
    order = np.lexsort((np.arange(len(size)), start))
    return _shifted(
        order, machine, size, time, start, earliest, group.astype("i8"), capacity,
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


@inner
def _open(times, used, count, at):
    """Row of the breakpoint at time `at`, which is put in where it is not there; and the new count."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if times[middle] < at:
            low = middle + 1
        else:
            high = middle
    if low < count and times[low] == at:
        return low, count
    for y in range(count, low, -1):
        times[y], used[y] = times[y - 1], used[y - 1]
    times[low] = at
    used[low] = used[low - 1]
    return low, count + 1


@inner
def _take(times, used, count, start, end, size):
    """Use `size` over [start, end); gives the new count."""
    a, count = _open(times, used, count, start)
    b, count = _open(times, used, count, end)
    for y in range(a, b):
        used[y] += size
    return count


@inner
def _first_room(times, used, count, earliest, long, most):
    """The first instant from `earliest` on from which at most `most` is used for `long` seconds."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if times[middle] <= earliest:
            low = middle + 1
        else:
            high = middle
    at, y = earliest, low - 1
    while y < count:
        if y + 1 < count and times[y + 1] <= at:
            y += 1
            continue
        if used[y] > most:
            if y + 1 >= count:
                return np.inf
            at = times[y + 1]
        elif y + 1 >= count or times[y + 1] >= at + long:
            return at
        y += 1
    return at


@allocating
def _shifted(order, machine, size, time, start, earliest, group, capacity, busy_machine, busy_size, busy_until):
    machines, n = len(capacity), len(order)
    room = np.full(machines, 4, np.int64)
    for y in range(n):
        room[machine[y]] += 2
    for y in range(len(busy_machine)):
        room[busy_machine[y]] += 2
    base = np.zeros(machines + 1, np.int64)
    base[1:] = np.cumsum(room)
    times, used = np.zeros(base[-1]), np.zeros(base[-1])
    count = np.ones(machines, np.int64)  # one breakpoint, at 0
    for y in range(len(busy_machine)):
        i = busy_machine[y]
        if busy_until[y] > 0.0:
            t, u = times[base[i] : base[i + 1]], used[base[i] : base[i + 1]]
            count[i] = _take(t, u, count[i], 0.0, busy_until[y], busy_size[y])
    moved = start.copy()
    before = np.zeros(group.max() + 1 if n else 0)
    for y in range(n):
        k = order[y]
        i = machine[k]
        t, u = times[base[i] : base[i + 1]], used[base[i] : base[i + 1]]
        most = capacity[i] * (1.0 + FITS * 10.0) - size[k]
        found = _first_room(t, u, count[i], max(earliest[k], before[group[k]]), time[k], most)
        moved[k] = min(found, start[k])
        before[group[k]] = moved[k] + time[k]
        count[i] = _take(t, u, count[i], moved[k], moved[k] + time[k], size[k])
    return moved
