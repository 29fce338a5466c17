"""Place tasks without preemption: list scheduling, barriers between intervals, and shifting to the left.

Machines are treated one after another; tasks that run already (`busy`) keep their room until they end.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.policies.lists import FITS
from shadowtime.engine.families.multitask.policies.online import Busy
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.kernel.profile import Profile, earliest, insert


def list_once(machine, size, time, level, rank, capacity, busy: Busy) -> np.ndarray:
    """Return the start of each task [s] by list scheduling; a level starts when all tasks of the one before ended.

    Parameters
    ----------
    machine, size, time, level, rank
        One value a task; tasks of a machine are listed by level, then rank, then row.
    """
    order = np.lexsort((rank, level, machine))
    begin = np.searchsorted(machine[order], np.arange(len(capacity) + 1)).astype("i8")
    by_machine = np.argsort(busy.machine, kind="stable")
    first = np.searchsorted(busy.machine[by_machine], np.arange(len(capacity) + 1)).astype("i8")
    return _lists(
        order, begin, size, time, level.astype("i8"), capacity, first, busy.size[by_machine], busy.until[by_machine]
    )


def shift_left(machine, size, time, start, group, capacity, busy: Busy) -> np.ndarray:
    """Return earlier starts [s]: tasks, or pieces of them, in order of `start`, each at the earliest time with room.

    No start becomes later: from its old start on, the rows placed before leave at least as much room as before. Pieces
    of one `group` do not overlap.
    """
    order = np.argsort(start, kind="stable")
    rows = 1 + 2 * np.bincount(np.append(machine, busy.machine), minlength=len(capacity))
    base = np.append(0, np.cumsum(rows)).astype("i8")
    return _shifted(
        order, machine, size, time, start, group.astype("i8"), capacity, base, busy.machine, busy.size, busy.until
    )


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
            # free the room of tasks that ended by now
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
                if running == 0:
                    break  # larger than the machine: cannot be planned
                now = ends[:running].min()
    return start


@allocating
def _of_machine(i, span, base, at, free):
    """Return the profile of machine i.

    Amounts start at 0 and decrease, instead of starting at the capacity: sums of used sizes are then rounded in the
    order of placing, without a further difference.
    """
    return Profile(span[i], at[base[i] : base[i + 1]], free[base[i] : base[i + 1]])


@allocating
def _shifted(order, machine, size, time, start, group, capacity, base, busy_machine, busy_size, busy_until):
    at, free, span = np.zeros(base[-1]), np.zeros(base[-1]), np.zeros((len(capacity), 2), np.int64)
    span[:, 1] = 1
    for y in range(len(busy_machine)):
        insert(_of_machine(busy_machine[y], span, base, at, free), 0.0, busy_until[y], (busy_size[y],))
    moved = start.copy()
    before = np.zeros(group.max() + 1 if len(order) else 0)
    for k in order:
        used = _of_machine(machine[k], span, base, at, free)
        most = capacity[machine[k]] * (1.0 + FITS * 10.0) - size[k]
        moved[k] = min(earliest(used, before[group[k]], (-most,), time[k], np.inf), start[k])
        before[group[k]] = moved[k] + time[k]
        insert(used, moved[k], moved[k] + time[k], (size[k],))
    return moved
