"""Tetris without preemption: whenever a task ends or a job arrives, the pair of task and machine with the largest score
that fits is started, then the next.

Score of a waiting task: `w_j (a + E / V_j)`, V_j the volume that is left of its job, with times on fastest machines;
on a machine where the task takes longer, times a penalty: the ratio of the times (1 / alpha), which the authors of
SynchPack found better than the fixed 0.9 of Grandl et al. `E = f` x mean size of tasks x mean volume of jobs, over what
has arrived, brings both to one order; the printed definition is lost, and results depend strongly on f.

R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, extended by weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.policies.list_schedule import FITS
from shadowtime.engine.families.multitask.policies.machines import (
    arrays,
    choose,
    freshen_all,
    start_chosen,
    take_back,
)
from shadowtime.engine.families.multitask.policies.scores import JOB, TASK, count_task, least_times, worth
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import NO_ROW, QUEUED, new_state, rows_of
from shadowtime.engine.workload.job import Workload

MEMO = rows_of("f scale sizes volumes", "running chosen tasks jobs")
"""One row: E and what it is made of, over what has arrived."""


def make(view: Workload, parameters: Mapping[str, Any], lanes: int) -> Any:
    """Return a fresh memory for one run.

    Beside `arrays`: `task`, `job`, `time` and `penalty` (one value a place), `listed`: places of waiting tasks, by
    machine from its `begin` on.
    """
    parts = view.parts
    owner, fastest = least_times(parts)
    ratio = fastest[owner] / parts["time"]
    fixed = parameters["penalty"]
    memo = np.zeros(1, MEMO)
    memo["f"] = parameters["f"]
    task = np.zeros(len(fastest), TASK)
    task["time"] = fastest
    job = np.zeros(len(view), JOB)
    job["weight"] = view.jobs["weight"]
    return new_state(
        {
            "m": memo,
            **arrays(parts, ratio),
            "task": task,
            "job": job,
            "time": parts["time"].astype("f8"),
            "penalty": np.where(ratio < 1.0 - 1e-12, fixed, 1.0) if fixed else ratio,
            "listed": np.zeros(len(owner) + 1, np.int64),
        }
    )


@inner
def take_in(s, q):
    """List the places of tasks that arrived, and bring E up to date."""
    k, m = s.k[0], q.m[0]
    came = False
    for unit in range(k.arrived_first, k.arrived_last):
        if s.u[unit].state != QUEUED:
            continue
        came = True
        count_task(q, unit)
        q.job[q.seat[unit].job].waiting += q.seat[unit].size * q.task[unit].time
        for o in range(q.first[unit], q.first[unit + 1]):
            machine = q.machine[q.place[o].machine]
            q.listed[machine.begin + machine.many] = o
            machine.many += 1
    if came:
        freshen_all(q)
        m.scale = m.f * (m.sizes / m.tasks) * (m.volumes / m.jobs)


@inner
def measure(s, q):
    """Bring the volumes that are left of jobs up to date."""
    now = s.k[0].now
    for j in range(q.job.shape[0]):
        q.job[j].volume = q.job[j].waiting
    for y in range(q.m[0].running):
        unit = q.running[y]
        task, option = q.task[unit], q.seat[unit].option
        left = max(0.0, task.end - now)
        q.job[q.seat[unit].job].volume += q.seat[unit].size * task.time * left / q.time[option]


@inner
def best_place(q):
    """Return the place with the largest score where its task fits, -1 when there is none; drop places of started
    tasks from the lists."""
    listed, places, seats, jobs, penalty, scale = q.listed, q.place, q.seat, q.job, q.penalty, q.m[0].scale
    best, most = NO_ROW, -np.inf
    for i in range(q.machine.shape[0]):
        machine = q.machine[i]
        if not machine.fresh:
            continue
        room, first = machine.room + FITS * machine.capacity, machine.begin
        kept = first
        for y in range(first, first + machine.many):
            o = listed[y]
            seat = seats[places[o].unit]
            if seat.option >= 0:
                continue
            listed[kept] = o
            kept += 1
            if seat.size <= room:
                job = jobs[seat.job]
                score = penalty[o] * worth(job.weight, job.volume, seat.size, scale)
                if score > most:
                    best, most = o, score
        machine.many = kept - first
    return best


@inner
def start_best(q, now):
    """Choose the best place; return whether there is one."""
    best = best_place(q)
    if best < 0:
        return False
    unit = q.place[best].unit
    choose(q, unit, best)
    q.task[unit].end = now + q.time[best]
    q.job[q.seat[unit].job].waiting -= q.seat[unit].size * q.task[unit].time
    return True


@inner
def decide(s, q):
    """Start tasks by score until none fits."""
    take_back(s, q)
    take_in(s, q)
    measure(s, q)
    while start_best(q, s.k[0].now):
        pass
    for i in range(q.machine.shape[0]):
        q.machine[i].fresh = 0
    start_chosen(s, q)


@compiled
def run_tetris(s, q, budget):
    """Advance the run by about `budget` acts; return True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
