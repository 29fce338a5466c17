"""Tetris without preemption: whenever a task ends or a job arrives, the policy starts the fitting pair of task and
machine with the largest score, then the next one.

Score of a waiting task of size a: `w_j (a + E / V_j)`, V_j the remaining volume of its job, with times on fastest
machines. On a machine where the task takes longer, the score is multiplied by a penalty: the ratio of the times
(1 / alpha), which the authors of SynchPack found better than the fixed 0.9 of Grandl et al. `E = f` x mean size of
tasks x mean volume of jobs, over all arrivals, gives both terms the same order of magnitude; the printed definition is
unknown, and results depend strongly on f.

R. Grandl et al., Multi-resource packing for cluster schedulers, SIGCOMM 2014, extended by weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.policies.lists import FITS
from shadowtime.engine.families.multitask.policies.machines import (
    arrays,
    choose,
    free_ended,
    mark_all_fresh,
    start_chosen,
)
from shadowtime.engine.families.multitask.workload import least_times
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import NO_ROW, QUEUED, new_state, rows_of
from shadowtime.engine.workload.job import Workload

TASK = rows_of("time end score", "")
"""A task: least time and planned end [s], and score."""

JOB = rows_of("weight waiting volume", "counted")
"""A job: volume of its waiting tasks, and of all its remaining work; whether it counts in the mean volume."""

MEMO = rows_of("f scale sizes volumes", "running chosen changed tasks jobs")
"""One row: `scale` is E; the sums and counts of sizes and volumes that it depends on, over all arrivals; lengths of the
lists of `arrays`, of which only Tetris-P uses `changed`."""

LEAST = 1e-300
"""Least volume that a score is divided by."""


def make(view: Workload, parameters: Mapping[str, Any], lanes: int) -> Any:
    """Return the memory of one run.

    In addition to `arrays`: `m`, `task` and `job` as above; `time` and `penalty`, one value a place; and `listed`, the
    places of arrived tasks, by machine from its `begin` on.
    """
    parts = view.parts
    owner, fastest = least_times(parts)
    ratio, fixed = fastest[owner] / parts["time"], parameters["penalty"]
    memo, task, job = np.zeros(1, MEMO), np.zeros(len(fastest), TASK), np.zeros(len(view), JOB)
    memo["f"], task["time"], job["weight"] = parameters["f"], fastest, view.jobs["weight"]
    return new_state(
        {
            "m": memo,
            "task": task,
            "job": job,
            **arrays(parts, ratio),
            "time": parts["time"].astype("f8"),
            "penalty": np.where(ratio < 1.0 - 1e-12, fixed, 1.0) if fixed else ratio,
            "listed": np.zeros(len(owner) + 1, np.int64),
        }
    )


@inner
def list_arrivals(s, q):
    """List the places of arrived tasks and update E."""
    k, m = s.k[0], q.m[0]
    came = False
    for unit in range(k.arrived_first, k.arrived_last):
        if s.u[unit].state != QUEUED:
            continue
        came = True
        job, size = q.job[q.seat[unit].job], q.seat[unit].size
        volume = size * q.task[unit].time
        job.waiting += volume
        m.volumes += volume
        m.sizes += size
        m.tasks += 1
        m.jobs += 1 - job.counted
        job.counted = 1
        for o in range(q.first[unit], q.first[unit + 1]):
            machine = q.machine[q.place[o].machine]
            q.listed[machine.begin + machine.many] = o
            machine.many += 1
    if came:
        mark_all_fresh(q)
        m.scale = m.f * (m.sizes / m.tasks) * (m.volumes / m.jobs)


@inner
def score_of(job, size, scale):
    """Return the score of a task of a `job`; `scale` is E."""
    return job.weight * (size + scale / max(job.volume, LEAST))


@inner
def update_volumes(s, q):
    """Update the remaining volumes of jobs."""
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
    """Return the place with the largest score of a task that fits, NO_ROW if there is none.

    Places of started tasks are removed from the lists on the way.
    """
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
                score = penalty[o] * score_of(jobs[seat.job], seat.size, scale)
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
    free_ended(s, q)
    list_arrivals(s, q)
    update_volumes(s, q)
    while start_best(q, s.k[0].now):
        pass
    for i in range(q.machine.shape[0]):
        q.machine[i].fresh = 0
    start_chosen(s, q)


@compiled
def run_tetris(s, q, budget):
    """Advance the run by about `budget` acts; return True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
