"""Tetris with preemption: at each completion and arrival the running tasks of all machines are chosen again by score.

Scores are those of `tetris`; each task has one machine. Each machine chooses, by falling score, the tasks that fit. A
running task that is chosen again is not interrupted.

R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, extended by weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.engine.families.multitask.policies import tetris
from shadowtime.engine.families.multitask.policies.lists import FITS
from shadowtime.engine.families.multitask.policies.machines import apply_changes, sort_listed
from shadowtime.engine.families.multitask.policies.tetris import list_arrivals, score_of
from shadowtime.engine.kernel.arrays import list_once
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import DONE, RUNNING
from shadowtime.engine.workload.job import Workload


def make(view: Workload, parameters: Mapping[str, Any], lanes: int) -> Any:
    """Return the memory of one run, that of Tetris; `listed` are the arrived tasks by score, whose places are units."""
    return tetris.make(view, {**parameters, "penalty": 0.0}, lanes)


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
            list_once(q.changed, q.m[0], seat, unit)


@inner
def decide(s, q):
    """Choose the running tasks again, machine by machine."""
    list_arrivals(s, q)
    update_volumes(s, q)
    listed, task, seats, jobs, scale = q.listed, q.task, q.seat, q.job, q.m[0].scale
    for i in range(q.machine.shape[0]):
        machine = q.machine[i]
        for y in range(machine.begin, machine.begin + machine.many):
            unit = listed[y]
            task[unit].score = score_of(jobs[seats[unit].job], seats[unit].size, scale)
        sort_listed(q, i, 1)  # the list is nearly sorted
        choose_on(s, q, i)
    apply_changes(s, q)


@compiled
def run_tetris_p(s, q, budget):
    """Advance the run by about `budget` acts; return True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
