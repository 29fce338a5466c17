"""PSRS on each machine: tasks by weight over volume; a wide task that waits too long preempts all others.

Tasks start in order of falling weight over volume, never before the task ahead in the list. A task of at most half the
machine starts as soon as it fits. A wider one of time p does so too if it then waits at most p / V longer than until
half the machine is free; otherwise, p / V after that instant, it preempts all running tasks and runs alone, and they
resume after it. When a job arrives, all tasks stop and are listed again with their remaining work.

U. Schwiegelshohn, Preemptive weighted completion time scheduling of parallel jobs, SIAM Journal on Computing 33(6),
2004.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.policies.lists import FITS
from shadowtime.engine.families.multitask.policies.machines import apply_changes, arrays, sort_listed
from shadowtime.engine.families.multitask.workload import least_times
from shadowtime.engine.kernel.arrays import list_once
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import TIE, drive, nothing
from shadowtime.engine.kernel.state import DONE, QUEUED, new_state, rows_of
from shadowtime.engine.kernel.vocabulary import wake
from shadowtime.engine.workload.job import Workload

MEMO = rows_of("patience listed alarm", "running chosen changed")
"""One row. `patience` is V; `listed` the time of the last arrival, from which all times below count; `alarm` the time
of the last alarm set, for a change of running tasks when no task ends."""

LINE = rows_of("now at", "next going decided alone held")
"""The list of a machine. All rows before `next` were started. If `decided`, the next task starts `at`, and runs alone
if `alone`. `held`: a wide task runs alone until `now`. `going`: number of tasks that run or are suspended by it."""

TASK = rows_of("time share left done begun end score weight", "")
"""A task: `time` [s]; `share` and `left` [s] of it that remained when it was listed; of that, the share `done` in
closed pieces; `begun` and `end` of the open piece [s]; `score` weight over volume; `weight` of its job."""

FINISHED = 1e-9
"""A smaller remaining share of a task is a rounding error."""


def make(view: Workload, parameters: Mapping[str, Any], lanes: int) -> Any:
    """Return the memory of one run.

    In addition to `arrays`: `task`, `line`, and, by machine from its `begin` on, `listed`, the arrived tasks by falling
    score, and `going`, the tasks that run or are suspended by a wide one, by end.
    """
    _, times = least_times(view.parts)
    shared = arrays(view.parts, np.ones(len(times)))
    memo, task, line = np.zeros(1, MEMO), np.zeros(len(times), TASK), np.zeros(len(shared["machine"]), LINE)
    memo["patience"], task["time"], task["share"] = parameters["V"], times, 1.0
    task["weight"], line["next"] = view.jobs["weight"][shared["seat"]["job"]], shared["machine"]["begin"]
    listed, going = np.zeros((2, len(times) + 1), np.int64)
    return new_state({"m": memo, **shared, "task": task, "line": line, "listed": listed, "going": going})


@inner
def update_left(s, q, unit, long):
    """Update what is left of a task, `long` seconds after it was listed."""
    task = q.task[unit]
    if task.begun < long:
        task.done += (min(task.end, long) - task.begun) / task.left
    share = max(0.0, 1.0 - task.done) * task.share
    if share < FINISHED:
        share = s.u[unit].remaining / task.time  # the kernel ends it within the rounding of this instant
    task.share, task.left = share, task.time * share
    task.done, task.begun = 0.0, np.inf


@inner
def list_again(s, q, i, long):
    """Stop all tasks of machine `i` and list what is left of them, `long` seconds after the last listing."""
    machine, line = q.machine[i], q.line[i]
    kept = machine.begin
    for y in range(machine.begin, machine.begin + machine.many):
        unit = q.listed[y]
        if s.u[unit].state == DONE:
            continue
        update_left(s, q, unit, long)
        q.task[unit].score = q.task[unit].weight / (q.seat[unit].size * q.task[unit].left)
        if q.seat[unit].option >= 0:
            q.seat[unit].option = -1
            list_once(q.changed, q.m[0], q.seat[unit], unit)
        q.listed[kept] = unit
        kept += 1
    machine.many = kept - machine.begin
    gap = 1
    while 3 * gap + 1 < machine.many:  # Knuth's gaps
        gap = 3 * gap + 1
    sort_listed(q, i, gap)
    line.now, line.next, line.going, line.decided, line.held = 0.0, machine.begin, 0, 0, 0


@inner
def free_from(q, i, size):
    """Return the first time at or after the line's `now` with room for `size`."""
    line, first, most = q.line[i], q.machine[i].begin, q.machine[i].capacity
    room = most
    for y in range(first, first + line.going):
        room -= q.seat[q.going[y]].size
    at = line.now
    for y in range(first, first + line.going):
        if room >= size - FITS * most:
            break
        room += q.seat[q.going[y]].size
        at = max(line.now, q.task[q.going[y]].end)
    return at


@inner
def decide_next(q, i):
    """Set when the next task of a line starts, and whether it runs alone."""
    line, most = q.line[i], q.machine[i].capacity
    unit = q.listed[line.next]
    size, left = q.seat[unit].size, q.task[unit].left
    fit, half = free_from(q, i, size), free_from(q, i, most / 2.0)
    late = left / q.m[0].patience
    line.alone = size > most / 2.0 and fit - half > late
    line.at = half + late if line.alone else fit
    line.decided = 1


@inner
def start_next(q, i):
    """Start the next task of a line at its time `at`."""
    line, first = q.line[i], q.machine[i].begin
    unit, at = q.listed[line.next], line.at
    kept = first
    for y in range(first, first + line.going):
        if q.task[q.going[y]].end > at:
            q.going[kept] = q.going[y]
            kept += 1
    line.going = kept - first
    task = q.task[unit]
    task.begun, task.end = at, at + task.left
    q.seat[unit].option = unit
    list_once(q.changed, q.m[0], q.seat[unit], unit)
    if line.alone:
        for y in range(first, kept):
            held = q.task[q.going[y]]
            if held.begun < at:
                held.done += (at - held.begun) / held.left
            held.begun = at + task.left
            held.end += task.left
            q.seat[q.going[y]].option = -1
            list_once(q.changed, q.m[0], q.seat[q.going[y]], q.going[y])
        line.now, line.held = task.end, 1
    else:
        z = kept
        while z > first and q.task[q.going[z - 1]].end > task.end:
            q.going[z] = q.going[z - 1]
            z -= 1
        q.going[z] = unit
        line.going += 1
        line.now = at
    line.next += 1
    line.decided = 0


@inner
def resume_suspended(q, i):
    """Resume the tasks that a wide one suspended."""
    line, first = q.line[i], q.machine[i].begin
    line.held = 0
    for y in range(first, first + line.going):
        q.seat[q.going[y]].option = q.going[y]
        list_once(q.changed, q.m[0], q.seat[q.going[y]], q.going[y])


@inner
def advance_line(q, i, until):
    """Apply the changes of a line up to `until`; return the time of its next change, infinity if there is none."""
    line, machine = q.line[i], q.machine[i]
    while True:
        if line.held:
            if line.now > until:
                return line.now
            resume_suspended(q, i)
        if line.next == machine.begin + machine.many:
            return np.inf
        if not line.decided:
            decide_next(q, i)
        if line.at > until:
            return line.at
        start_next(q, i)


@inner
def list_arrivals(s, q):
    """After an arrival, add the new tasks to the lists of their machines, and order the lists again."""
    m, k, came = q.m[0], s.k[0], False
    if k.arrived_first == k.arrived_last:
        return
    long = k.now - m.listed
    for i in range(q.machine.shape[0]):
        advance_line(q, i, np.nextafter(long, -1.0))  # what begins before the arrival, by rounding, has begun
    for unit in range(k.arrived_first, k.arrived_last):
        if s.u[unit].state == QUEUED:
            came = True
            machine = q.machine[q.place[unit].machine]
            q.listed[machine.begin + machine.many] = unit
            machine.many += 1
            q.task[unit].begun = np.inf
    if came:
        m.listed, m.alarm = k.now, -np.inf
        for i in range(q.machine.shape[0]):
            list_again(s, q, i, long)


@inner
def wake_once(s, q, at):
    """Set an alarm at `at` [s], unless it is infinite or not later than the last one."""
    if at < np.inf and at > q.m[0].alarm:
        q.m[0].alarm = at
        wake(s, at)


@inner
def decide(s, q):
    """Order the lists again after an arrival; bring all lines to this instant, and change what runs."""
    now = s.k[0].now
    list_arrivals(s, q)
    until = now - q.m[0].listed + 2.0 * TIE * max(1.0, abs(now))
    coming = np.inf
    for i in range(q.machine.shape[0]):
        coming = min(coming, q.m[0].listed + advance_line(q, i, until))
    apply_changes(s, q)
    wake_once(s, q, coming)


@compiled
def run_psrs(s, q, budget):
    """Advance the run by about `budget` acts; return True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
