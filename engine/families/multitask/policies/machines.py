"""Steps that the policies share: free room of machines, running tasks, and starts in order of tasks."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.kernel.arrays import insert_sorted
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import DONE, FOREGROUND, RUNNING, rows_of
from shadowtime.engine.kernel.vocabulary import pause, place
from shadowtime.engine.tables import Table

MACHINE = rows_of("capacity room", "begin many fresh")
"""A machine. Its list has `many` tasks from `begin` on. `fresh`: it has new room or new tasks since it last chose."""

SEAT = rows_of("size", "job option changed")
"""A task, by unit: its size, its job and its `option`, the place where it runs or shall run, -1 for none. `changed`:
it may have to start or pause at the end of the decision."""

PLACE = rows_of("rate share", "machine unit")
"""A machine on which a task may run, with the rate and the share that the task has there."""


def arrays(parts: Table, speed: np.ndarray) -> dict[str, Any]:
    """Return the arrays that all these policies share.

    `machine`, `seat` and `place` as above; `first` (units + 1): the places of a unit; `running` units in the order in
    which they started; `chosen` units that are started at the end of the decision; `changed` units that are started or
    paused there.
    """
    units, machines = len(parts["size"]), len(parts["capacity"])
    owner = np.repeat(np.arange(units), np.diff(parts["options"]))
    machine, seat, places = np.zeros(machines, MACHINE), np.zeros(units, SEAT), np.zeros(len(owner), PLACE)
    machine["capacity"] = machine["room"] = parts["capacity"]
    machine["begin"] = np.searchsorted(np.sort(parts["machine"]), np.arange(machines))
    seat["size"], seat["option"] = parts["size"], -1
    seat["job"] = np.repeat(np.arange(len(parts["first"]) - 1), np.diff(parts["first"]))
    places["machine"], places["unit"] = parts["machine"], owner
    places["rate"], places["share"] = speed, parts["size"][owner] / parts["capacity"][parts["machine"]]
    lists = {name: np.zeros(units + 1, np.int64) for name in ("running", "chosen", "changed")}
    return {"machine": machine, "seat": seat, "place": places, "first": parts["options"].astype(np.int64), **lists}


@inner
def mark_all_fresh(q):
    """Mark all machines as fresh: a new task may run on any of them."""
    for i in range(q.machine.shape[0]):
        q.machine[i].fresh = 1


@inner
def sort_listed(q, i, gap):
    """Sort the listed tasks of machine `i` by falling score, ties by unit: Shell sort from the first `gap` on."""
    listed, task, first = q.listed, q.task, q.machine[i].begin
    stop = first + q.machine[i].many
    while gap > 0:
        for y in range(first + gap, stop):
            unit, z = listed[y], y
            score = task[unit].score
            while z >= first + gap:
                ahead = listed[z - gap]
                if task[ahead].score > score or (task[ahead].score == score and ahead < unit):
                    break
                listed[z] = ahead
                z -= gap
            listed[z] = unit
        gap //= 3


@inner
def free_ended(s, q):
    """Free the room of tasks that ended."""
    m, kept = q.m[0], 0
    for y in range(m.running):
        unit = q.running[y]
        if s.u[unit].state == DONE:
            machine = q.machine[q.place[q.seat[unit].option].machine]
            machine.room += q.seat[unit].size
            machine.fresh = 1
        else:
            q.running[kept] = unit
            kept += 1
    m.running = kept


@inner
def choose(q, unit, option):
    """Reserve room for a task at a place; `start_chosen` starts it."""
    m = q.m[0]
    q.seat[unit].option = option
    q.machine[q.place[option].machine].room -= q.seat[unit].size
    q.running[m.running] = unit
    m.running += 1
    insert_sorted(q.chosen, m.chosen, unit)
    m.chosen += 1


@inner
def start_chosen(s, q):
    """Start the chosen tasks in order of units."""
    m = q.m[0]
    for y in range(m.chosen):
        unit = q.chosen[y]
        at = q.place[q.seat[unit].option]
        s.pick[0] = at.machine
        place(s, unit, FOREGROUND, at.rate, at.share, 0.0)
    m.chosen = 0


@inner
def apply_changes(s, q):
    """Pause changed tasks that run without an option, the longest running first; then start, in order of units, those
    that have an option and do not run."""
    m = q.m[0]
    m.running = 0
    for y in range(m.changed):
        unit = q.changed[y]
        q.seat[unit].changed = 0
        state = s.u[unit].state
        if state == RUNNING and q.seat[unit].option < 0:
            at, opened = m.running, s.u[unit].opened
            while at > 0:
                before = q.running[at - 1]
                if s.u[before].opened < opened or (s.u[before].opened == opened and before < unit):
                    break
                q.running[at] = q.running[at - 1]
                at -= 1
            q.running[at] = unit
            m.running += 1
        elif state != RUNNING and state != DONE and q.seat[unit].option >= 0:
            insert_sorted(q.chosen, m.chosen, unit)
            m.chosen += 1
    m.changed = 0
    for y in range(m.running):
        pause(s, q.running[y])
    start_chosen(s, q)
