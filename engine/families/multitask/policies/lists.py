"""Preemptive list scheduling: at every completion all tasks stop, the list is scanned again from its start, and each
task that fits runs.

`list_schedule` treats each machine alone, as SynchPack-3 does. In any order, the first j jobs of the list are done by
twice the largest of their loads and their longest tasks: the factor 4 follows from this.

`greedy` lists the fractions of SynchPack-1 by interval, on all machines at once; a fraction runs if no other fraction
of its task runs and its machine has room. All fractions of intervals up to l are done by 3 d_l, by 2 d_l where each
task has one machine: a fraction waits only for a fraction of its own task, or for fractions of intervals up to its own.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.packing.interval_lp import Fractions
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.runner.plan import Plan

FITS = 1e-12
"""A task fits if it exceeds the room by no more than this share of the capacity: sums of sizes are rounded."""

PIECE = np.dtype([("row", "i8"), ("start", "f8"), ("end", "f8")])


def list_schedule(instance: Instance, rank: np.ndarray, horizon: float = np.inf) -> Plan:
    """Return the schedule of an instance in which each task has one machine, up to `horizon` [s].

    rank: place of each task in the list; ties by row.
    """
    order = np.lexsort((np.arange(instance.tasks), rank, instance.machine))
    begin = np.searchsorted(instance.machine[order], np.arange(instance.machines + 1)).astype("i8")
    made = _schedule(order, begin, instance.size, instance.time, instance.capacity, float(horizon))
    return Plan.of_tasks(made["row"], instance.machine[made["row"]], made["start"], made["end"])


def job_ranks(instance: Instance, order: np.ndarray) -> np.ndarray:
    """Return the rank of each task for jobs in `order`; tasks of one job have equal ranks."""
    place = np.full(instance.jobs, len(order))
    place[order] = np.arange(len(order))
    return place[instance.job]


def greedy(instance: Instance, fractions: Fractions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pieces of the schedule: fraction (row of `fractions`), start and end [s]; by start, then fraction."""
    task = instance.owner[fractions.option]
    order = np.lexsort((fractions.option, task, fractions.interval))
    made = _greedy(
        order, task, instance.machine[fractions.option], instance.size[task],
        fractions.value * instance.time[fractions.option], instance.capacity, instance.tasks,
    )  # fmt: skip
    made = made[np.lexsort((made["row"], made["start"]))]
    return made["row"], made["start"], made["end"]


@allocating
def _close(pieces, count, row, since, now):
    """Add the open piece of a row, which ends `now`; return the pieces, in an array of twice the length if it is full,
    and their number.

    `since`: when the open piece of each row began, NaN where the row does not run.
    """
    if count == len(pieces):
        more = np.empty(2 * count, PIECE)
        more[:count] = pieces
        pieces = more
    pieces[count]["row"], pieces[count]["start"], pieces[count]["end"] = row, since[row], now
    since[row] = np.nan
    return pieces, count + 1


@allocating
def _switch(pieces, count, row, runs, since, now):
    """Open the piece of a row that runs, or close that of one that does not; return the pieces and their number."""
    if runs and np.isnan(since[row]):
        since[row] = now
    elif not runs and not np.isnan(since[row]):
        return _close(pieces, count, row, since, now)
    return pieces, count


@allocating
def _finish(pieces, count, active, many, since, left, long, now):
    """Run the open pieces of the active rows for `long` seconds, until `now`, and close those whose work is done.

    Return the pieces, their number, and the number of rows that stay active.
    """
    done, kept = FITS * max(1.0, now), 0
    for y in range(many):
        row = active[y]
        if not np.isnan(since[row]):
            left[row] -= long
            if left[row] <= done:
                pieces, count = _close(pieces, count, row, since, now)
                continue
        active[kept] = row
        kept += 1
    return pieces, count, kept


@allocating
def _schedule(order, begin, size, time, capacity, horizon):
    pieces, count = np.empty(len(order) + 64, PIECE), 0
    left, since = time.copy(), np.full(len(order), np.nan)
    for i in range(len(capacity)):
        active = order[begin[i] : begin[i + 1]].copy()
        many, now = len(active), 0.0
        while many > 0 and now < horizon:
            room, soonest = capacity[i], np.inf
            for y in range(many):
                k = active[y]
                fits = size[k] <= room + FITS * capacity[i]
                if fits:
                    room -= size[k]
                    soonest = min(soonest, left[k])
                pieces, count = _switch(pieces, count, k, fits, since, now)
            if soonest == np.inf:
                break
            later = min(now + soonest, horizon)
            pieces, count, many = _finish(pieces, count, active, many, since, left, later - now, later)
            now = later
        for y in range(many):
            pieces, count = _switch(pieces, count, active[y], False, since, now)
    return pieces[:count]


@allocating
def _greedy(order, task, machine, size, long, capacity, tasks):
    pieces, count = np.empty(len(order) + 64, PIECE), 0
    active, left, since = order.copy(), long.copy(), np.full(len(order), np.nan)
    runs, room = np.empty(tasks, np.bool_), np.empty(len(capacity))
    many, now = len(order), 0.0
    while many > 0:
        runs[:] = False
        room[:] = capacity
        soonest = np.inf
        for y in range(many):
            f = active[y]
            i = machine[f]
            fits = not runs[task[f]] and size[f] <= room[i] + FITS * capacity[i]
            if fits:
                runs[task[f]] = True
                room[i] -= size[f]
                soonest = min(soonest, left[f])
            pieces, count = _switch(pieces, count, f, fits, since, now)
        if soonest == np.inf:
            break
        now += soonest
        pieces, count, many = _finish(pieces, count, active, many, since, left, soonest, now)
    return pieces[:count]
