"""Tetris with preemption: at each completion and arrival the running tasks of all machines are chosen again by score.

Scores are those of `tetris`; each task has one machine. Each machine chooses, by falling score, the tasks that fit. A
running task that is chosen again is not interrupted.

R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, extended by weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.policies.list_schedule import FITS
from shadowtime.engine.families.multitask.policies.machines import apply_changes, arrays, mark
from shadowtime.engine.families.multitask.policies.scores import count_task, least_times, score_arrays, score_of
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import DONE, QUEUED, RUNNING, new_state
from shadowtime.engine.workload.job import Workload


def make(view: Workload, parameters: Mapping[str, Any], lanes: int) -> Any:
    """Return the memory of one run.

    In addition to `arrays` and `score_arrays`: `listed`, the arrived tasks by machine, from its `begin` on, by score.
    """
    parts = view.parts
    owner, fastest = least_times(parts)
    listed = np.zeros(len(owner) + 1, np.int64)
    shared = arrays(parts, np.ones(len(owner)))
    return new_state({**score_arrays(view, fastest, parameters), **shared, "listed": listed})


@inner
def list_arrivals(s, q):
    """List arrived tasks and update E."""
    k, m = s.k[0], q.m[0]
    came = False
    for unit in range(k.arrived_first, k.arrived_last):
        if s.u[unit].state != QUEUED:
            continue
        came = True
        count_task(q, unit)
        machine = q.machine[q.place[unit].machine]
        q.listed[machine.begin + machine.many] = unit
        machine.many += 1
    if came:
        m.scale = m.f * (m.sizes / m.tasks) * (m.volumes / m.jobs)


@inner
def update_volumes(s, q):
    """Remove ended tasks from the lists and update the remaining volumes of jobs."""
    now, units, listed, seats, jobs = s.k[0].now, s.u, q.listed, q.seat, q.job
    for j in range(jobs.shape[0]):
        jobs[j].volume = 0.0
    for i in range(q.machine.shape[0]):
        machine = q.machine[i]
        first = machine.begin
        kept = first
        for y in range(first, first + machine.many):
            unit = listed[y]
            u = units[unit]
            if u.state == DONE:
                continue
            left = u.remaining
            if u.state == RUNNING:
                left = u.remaining - u.rate * (now - u.since)
            jobs[seats[unit].job].volume += seats[unit].size * left
            listed[kept] = unit
            kept += 1
        machine.many = kept - first


@inner
def sort_by_score(q, i):
    """Sort the tasks of machine `i` by falling score, ties by unit: insertion sort, as the list is nearly sorted."""
    listed, task, seats, jobs, scale = q.listed, q.task, q.seat, q.job, q.m[0].scale
    first, many = q.machine[i].begin, q.machine[i].many
    for y in range(first, first + many):
        unit = listed[y]
        job = jobs[seats[unit].job]
        task[unit].score = score_of(job.weight, job.volume, seats[unit].size, scale)
    for y in range(first + 1, first + many):
        unit, z = listed[y], y
        score = task[unit].score
        while z > first and (
            task[listed[z - 1]].score < score or (task[listed[z - 1]].score == score and listed[z - 1] > unit)
        ):
            listed[z] = listed[z - 1]
            z -= 1
        listed[z] = unit


@inner
def choose_on(s, q, i):
    """Choose the tasks of machine `i` that run from now on, and mark those that have to start or pause."""
    machine, listed, seats, units = q.machine[i], q.listed, q.seat, s.u
    most, first = machine.capacity, machine.begin
    room = most
    for y in range(first, first + machine.many):
        unit = listed[y]
        seat = seats[unit]
        runs = seat.size <= room + FITS * most
        if runs:
            room -= seat.size
        seat.option = unit if runs else -1
        if runs != (units[unit].state == RUNNING):
            mark(q, unit)


@inner
def decide(s, q):
    """Choose the running tasks again, machine by machine."""
    list_arrivals(s, q)
    update_volumes(s, q)
    for i in range(q.machine.shape[0]):
        sort_by_score(q, i)
        choose_on(s, q, i)
    apply_changes(s, q)


@compiled
def run_tetris_p(s, q, budget):
    """Advance the run by about `budget` acts; return True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
