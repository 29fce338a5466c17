"""Join the shortest queue, MaxWeight: a queue of tasks at each machine for which they are local, one for remote ones.

A task joins the shortest of the queues of its local machines and of the remote queue (of equal ones the lowest machine,
the remote one last). A machine with room serves its own queue when that is at least as long as the remote one over the
remote factor, else the remote one; when nothing there fits, the other. It starts the first task of the queue that
fits, until nothing does. Jobs that arrive together enter in random order. Weights do not count.

W. Wang et al., MapTask scheduling in MapReduce with data locality: throughput and heavy-traffic optimality, IEEE/ACM
Transactions on Networking 24(1), 2016; with greedy packing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance
from shadowtime.engine.families.multitask.policies.list_schedule import FITS
from shadowtime.engine.kernel.cache import allocating
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.runner.watch import Watch

LOCAL = 1.0 + 1e-9
"""A machine is local when the task takes its least time there."""


def plan(
    instance: Instance, release: np.ndarray, parameters: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Plan:
    """The plan of all tasks."""
    turn = rng.permutation(instance.jobs)
    entering = np.lexsort((np.arange(instance.tasks), turn[instance.job], release[instance.job]))
    local = instance.time <= instance.fastest[instance.owner] * LOCAL
    chosen, start = _run(
        entering, instance.options, instance.machine, local, instance.size, instance.time, instance.capacity,
        release[instance.job], parameters["remote_factor"],
    )  # fmt: skip
    return Plan.of_tasks(np.arange(instance.tasks), instance.machine[chosen], start, start + instance.time[chosen])


@allocating
def _run(entering, options, machine, local, size, time, capacity, release, factor):
    """Option and start of each task."""
    n, machines, now = len(entering), len(capacity), 0.0
    remote = machines
    chosen, start = np.full(n, -1), np.zeros(n)
    end, seat = np.full(n, np.inf), np.empty(n, np.int64)
    head, tail = np.full(machines + 1, -1), np.full(machines + 1, -1)
    after, length = np.full(n, -1), np.zeros(machines + 1, np.int64)
    room = capacity.copy()
    fresh = np.zeros(machines, np.bool_)
    running = np.empty(n, np.int64)
    count, entered, waiting = 0, 0, n
    while waiting > 0:
        while entered < n and release[entering[entered]] <= now:
            k = entering[entered]
            queue, far = -1, False
            for o in range(options[k], options[k + 1]):
                if not local[o]:
                    far = True
                elif queue < 0 or length[machine[o]] < length[queue]:
                    queue = machine[o]
            if far and length[remote] < length[queue]:
                queue = remote
            if head[queue] < 0:
                head[queue] = k
            else:
                after[tail[queue]] = k
            tail[queue] = k
            length[queue] += 1
            entered += 1
            fresh[:] = True
        for i in range(machines):
            while fresh[i]:
                own_first = length[i] * factor >= length[remote]
                taken = -1
                for turn in range(2):
                    queue = i if own_first == (turn == 0) else remote
                    before, k = -1, head[queue]
                    while k >= 0:
                        at = -1
                        if size[k] <= room[i] + FITS * capacity[i]:
                            for o in range(options[k], options[k + 1]):
                                if machine[o] == i:
                                    at = o
                        if at >= 0:
                            if before < 0:
                                head[queue] = after[k]
                            else:
                                after[before] = after[k]
                            if tail[queue] == k:
                                tail[queue] = before
                            length[queue] -= 1
                            taken = k
                            chosen[k], start[k], end[k], seat[k] = at, now, now + time[at], i
                            break
                        before, k = k, after[k]
                    if taken >= 0:
                        break
                if taken < 0:
                    fresh[i] = False
                else:
                    room[i] -= size[taken]
                    running[count] = taken
                    count += 1
                    waiting -= 1
        later = release[entering[entered]] if entered < n else np.inf
        for y in range(count):
            later = min(later, end[running[y]])
        if waiting > 0 and later == np.inf:
            break
        now = later
        kept = 0
        for y in range(count):
            k = running[y]
            if end[k] <= now + FITS * max(1.0, now):
                room[seat[k]] += size[k]
                fresh[seat[k]] = True
            else:
                running[kept] = k
                kept += 1
        count = kept
    return chosen, start
