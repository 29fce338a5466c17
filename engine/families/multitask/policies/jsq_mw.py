"""JSQ-MaxWeight (join the shortest queue): each machine has a queue of local tasks; one more queue has remote tasks.

A task joins the shortest of the queues of its local machines and of the remote queue (ties: the lowest machine, the
remote queue last). A machine with room serves its own queue if that is at least as long as the remote queue divided by
the remote factor, else the remote queue; if no task there fits, it serves the other one. It starts the first task of
the queue that fits, until none does. Jobs that arrive together join in random order. Weights and times are ignored.

W. Wang et al., MapTask scheduling in MapReduce with data locality: throughput and heavy-traffic optimality, IEEE/ACM
Transactions on Networking 24(1), 2016; with greedy packing.
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
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.loop import drive, nothing
from shadowtime.engine.kernel.state import NO_ROW, QUEUED, new_state, rows_of
from shadowtime.engine.workload.job import Workload

MEMO = rows_of("factor", "running chosen remote entered")
"""One row; `remote` is the number of the remote queue, `entered` the place in `entering` after the last arrival."""

QUEUE = rows_of("", "head tail length")
"""A queue of tasks, linked by `after`; one a machine, then the remote queue."""


def make(view: Workload, parameters: Mapping[str, Any], lanes: int, rng: np.random.Generator) -> Any:
    """Return the memory of one run: all machines and queues are empty.

    Each job draws its rank among jobs of the same release. The draw permutes all jobs, so it depends on the number of
    future jobs, but on nothing else of them: `entering` orders only units of one release among each other.

    In addition to `arrays`: `queue`, `after`, `local` (one value a place), `entering`.
    """
    turn = rng.permutation(len(view))
    shared = arrays(view.parts, view.parts["speed"])
    job, machines = shared["seat"]["job"], len(shared["machine"])
    memo, queue = np.zeros(1, MEMO), np.zeros(machines + 1, QUEUE)
    memo["factor"], memo["remote"] = parameters["remote_factor"], machines
    queue["head"] = queue["tail"] = NO_ROW
    return new_state(
        {
            "m": memo,
            **shared,
            "queue": queue,
            "after": np.full(len(job), NO_ROW),
            "local": view.parts["local"].astype(np.int64),
            "entering": np.lexsort((turn[job], view.jobs["release"][job])),
        }
    )


@inner
def join(q, unit):
    """Append a task to the shortest of its queues."""
    best, far = NO_ROW, False
    for o in range(q.first[unit], q.first[unit + 1]):
        if q.local[o] == 0:
            far = True
        elif best < 0 or q.queue[q.place[o].machine].length < q.queue[best].length:
            best = q.place[o].machine
    if far and q.queue[q.m[0].remote].length < q.queue[best].length:
        best = q.m[0].remote
    queue = q.queue[best]
    if queue.head < 0:
        queue.head = unit
    else:
        q.after[queue.tail] = unit
    queue.tail = unit
    queue.length += 1


@inner
def place_on(q, unit, i):
    """Return the place of a task on machine `i`, NO_ROW where there is none."""
    at = NO_ROW
    for o in range(q.first[unit], q.first[unit + 1]):
        if q.place[o].machine == i:
            at = np.int64(o)
    return at


@inner
def serve(q, number, i):
    """Choose the first task of a queue that fits on machine `i`; return whether there is one."""
    queue = q.queue[number]
    room = q.machine[i].room + FITS * q.machine[i].capacity
    before, unit = NO_ROW, queue.head
    while unit >= 0:
        at = place_on(q, unit, i) if q.seat[unit].size <= room else NO_ROW
        if at >= 0:
            if before < 0:
                queue.head = q.after[unit]
            else:
                q.after[before] = q.after[unit]
            if queue.tail == unit:
                queue.tail = before
            queue.length -= 1
            choose(q, unit, at)
            return True
        before, unit = unit, q.after[unit]
    return False


@inner
def serve_machine(q, i):
    """Choose tasks for machine `i` until none fits."""
    own, remote, more = np.int64(i), q.m[0].remote, True
    while more:
        if q.queue[own].length * q.m[0].factor >= q.queue[remote].length:
            more = serve(q, own, own) or serve(q, remote, own)
        else:
            more = serve(q, remote, own) or serve(q, own, own)
    q.machine[i].fresh = 0


@inner
def decide(s, q):
    """Put arrived tasks into queues, then serve the queues on each machine with new room or new tasks."""
    k = s.k[0]
    free_ended(s, q)
    # Not from `arrived_first` on, which passes over rejected tasks: in `entering` they may stand after others.
    for y in range(q.m[0].entered, k.arrived_last):
        if s.u[q.entering[y]].state == QUEUED:
            join(q, q.entering[y])
            mark_all_fresh(q)
    q.m[0].entered = k.arrived_last
    for i in range(q.machine.shape[0]):
        if q.machine[i].fresh:
            serve_machine(q, i)
    start_chosen(s, q)


@compiled
def run_jsq_mw(s, q, budget):
    """Advance the run by about `budget` acts; return True while there is more to do."""
    return drive(s, q, decide, nothing, budget)
