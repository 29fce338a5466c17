"""Start and end jobs."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.limits import count_job
from shadowtime.engine.families.rigid.policies.slurm.nodes import hold_picks, leave_nodes
from shadowtime.engine.families.rigid.policies.slurm.priority import enqueue, set_priority
from shadowtime.engine.families.rigid.policies.slurm.state import ENDED, HELD, RUNS, WAITING
from shadowtime.engine.families.rigid.policies.slurm.usage import stop_using
from shadowtime.engine.kernel.binary_heap import NO_VERSION, heapify, pop, push, write
from shadowtime.engine.kernel.cache import inner

LATE = 0.07
"""A job runs so much longer than it was asked to [s] (rule 52)."""


@inner
def second(q, t):
    """Return the second of the controller's clock in which `t` lies."""
    return math.floor(t + q.m[0].base) - q.m[0].base


@inner
def insert_running(q, j):
    """Insert job `j` into the running jobs by planned end, then submission. O(running)."""
    at, planned = q.m[0].running, q.job[j].planned
    while at > 0:
        before = q.running[at - 1]
        if q.job[before].planned < planned or (q.job[before].planned == planned and before < j):
            break
        q.running[at] = q.running[at - 1]
        at -= 1
    q.running[at] = j
    q.m[0].running += 1


@inner
def remove_running(q, j):
    """Remove job `j` from the running jobs. O(running)."""
    m, at = q.m[0], 0
    while q.running[at] != j:
        at += 1
    m.running -= 1
    for y in range(at, m.running):
        q.running[y] = q.running[y + 1]


@inner
def forget_killed(q):
    """Remove the ends of jobs that were killed since: those of the running jobs remain. O(rows)."""
    m, kept = q.m[0], np.int64(0)
    for row in range(m.ends):
        j, end = q.ends[row].unit, q.ends[row].key
        if q.job[j].state == RUNS and q.job[j].end == end:
            write(q.ends, kept, end, j, NO_VERSION)
            kept += 1
    m.ends = kept
    heapify(q.ends, kept)


@inner
def start_job(q, j, t, now):
    """Start job `j`, which left the queue, on the chosen nodes, in a pass at instant `t` of second `now`.

    The start is that second, or an instant in it where the job was submitted, or another one left its nodes, later."""
    m, job = q.m[0], q.job[j]
    job.state, job.start = RUNS, max(now, job.ready)
    for y in range(m.picks):
        job.start = max(job.start, q.node[q.pick_node[y]].freed)
    job.planned, job.counted = now + job.limit, now
    job.end = t + job.runtime + LATE
    hold_picks(q, j)
    insert_running(q, j)
    if m.ends == len(q.ends):
        forget_killed(q)
    push(q.ends, m.ends, job.end, j, NO_VERSION)
    m.ends += 1
    count_job(q, j, np.int64(1))
    m.version += 1
    m.starts += 1


@inner
def stop_job(q, j, now, end):
    """Free what running job `j`, which ends at `end`, holds, in second `now`; the heap of ends is the caller's."""
    stop_using(q, j, now)
    leave_nodes(q, j, end)
    remove_running(q, j)
    count_job(q, j, np.int64(-1))
    q.m[0].version += 1


@inner
def end_job(q, now):
    """End the running job with the earliest end, in second `now`; release the jobs that depend on it."""
    m = q.m[0]
    j = q.ends[0].unit
    m.ends = pop(q.ends, m.ends)
    if q.job[j].state != RUNS or q.job[j].end != m.now:
        return  # it was killed before
    finish_job(q, j, now)


@inner
def finish_job(q, j, now):
    """End running job `j`, which has run its time, in second `now`; release the jobs that depend on it."""
    stop_job(q, j, now, q.job[j].start + q.job[j].runtime)
    q.job[j].state = ENDED
    q.m[0].flagged = 1
    release_followers(q, j, now)


@inner
def release_followers(q, j, now):
    """Let the jobs wait in the queue that waited only for the end of job `j`, in second `now`."""
    for y in range(q.after[j], q.after[j + 1]):
        k = q.follower[y]
        q.job[k].needs -= 1
        if q.job[k].needs == 0 and q.job[k].state == HELD:
            await_start(q, k, now)


@inner
def await_start(q, j, now):
    """Put job `j` into the queue in second `now`."""
    job = q.job[j]
    job.state = WAITING
    job.ready = max(job.ready, now)
    set_priority(q, j, now)
    enqueue(q, j)
    q.m[0].unlisted = 1
    q.m[0].version += 1


@inner
def arrive(q, now):
    """Let the next job arrive in second `now`: it waits in the queue, or for the jobs that it depends on."""
    m = q.m[0]
    j = q.arrival[m.next_arrival]
    m.next_arrival += 1
    m.flagged = 1
    if q.job[j].needs > 0:
        q.job[j].state = HELD
    else:
        await_start(q, j, now)


@inner
def leave_queue(q, left):
    """Remove the jobs that no longer wait from the queue, which the loops took up to place `left`. O(waiting)."""
    m, kept = q.m[0], 0
    for y in range(m.waiting):
        j = q.queue[y]
        if y >= left or q.job[j].state == WAITING:
            q.queue[kept] = j
            kept += 1
    m.waiting = kept
