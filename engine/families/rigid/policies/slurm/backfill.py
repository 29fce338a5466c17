"""A pass of the backfill loop (rules 30 to 43 of a site)."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.limits import may_run
from shadowtime.engine.families.rigid.policies.slurm.main_loop import list_jobs
from shadowtime.engine.families.rigid.policies.slurm.nodes import choose, find_room, give, has_node, units_on, use_nodes
from shadowtime.engine.families.rigid.policies.slurm.reservations import (
    begin_intervals,
    meets,
    narrow,
    reserve,
    rounded,
)
from shadowtime.engine.families.rigid.policies.slurm.running import leave_queue, start_job
from shadowtime.engine.families.rigid.policies.slurm.state import NONE
from shadowtime.engine.kernel.cache import compiled, inner

WINDOW = 30.0
"""Jobs that end within such a window are taken as one group; it doubles with each group [s] (rule 37)."""


@inner
def end_planned(q, j, now):
    """Return when running job `j` ends by plan, as seen in second `now` (rule 38)."""
    planned = q.job[j].planned
    if planned <= now:
        return max(planned + q.m[0].kill_wait, now + 1.0)
    return planned


@inner
def overlaps(q, j):
    """Return whether job `j` holds a candidate."""
    job = q.job[j]
    y, last = job.hold, job.hold + job.held
    while y < last and not has_node(q.candidate, 0, q.held_node[y]):
        y += 1
    return y < last


@inner
def end_then(q, j, k):
    """Let job `j` end on the hypothetical nodes; return how many more units of job `k` fit."""
    job, waiting, more = q.job[j], q.job[k], np.int64(0)
    for y in range(job.hold, job.hold + job.held):
        z = q.held_node[y]
        if has_node(q.candidate, 0, z):
            before = units_on(q.then[z], waiting)
            give(q.then[z], job, q.held_units[y])
            more += units_on(q.then[z], waiting) - before
    return more


@inner
def copy_nodes(q):
    """Begin a hypothesis: the nodes as they are now."""
    for z in range(q.m[0].nodes):
        there, here = q.then[z], q.node[z]
        there.free_cores, there.free_gpus, there.free_memory = here.free_cores, here.free_gpus, here.free_memory


@inner
def earliest_on_candidates(q, k, now, later):
    """Choose nodes among the candidates for job `k` when enough running jobs have ended; return that second. The room
    on the candidates is known.

    Jobs end in groups, by planned end (rules 36 and 37): a group takes jobs that hold candidates until, after one of
    them, the next job, whatever it holds, ends beyond the window. inf: it does not fit until second `later`."""
    m, job = q.m[0], q.job[k]
    if m.most_room < job.units:
        return np.inf
    room, width, end, y = m.room, WINDOW, 0.0, 0
    while y < m.running and not overlaps(q, q.running[y]):
        y += 1
    if y == m.running or q.job[q.running[y]].planned > later:
        return np.inf
    copy_nodes(q)
    first = q.job[q.running[y]].planned + m.base
    end = (math.floor(first / WINDOW) + 1.0) * WINDOW - m.base
    while y < m.running:
        last = NONE
        while y < m.running:
            j = q.running[y]
            y += 1
            if overlaps(q, j):
                room += end_then(q, j, k)
                last = j
                if y < m.running and q.job[q.running[y]].planned > end + width:
                    break
        if last == NONE or q.job[last].planned > later:
            return np.inf
        if room >= job.units and choose(q, q.then, k):
            return end_planned(q, last, now)
        width *= 2.0
        if y < m.running:
            while q.job[q.running[y]].planned > end + width:
                width *= 2.0
    return np.inf


@inner
def shorten_horizon(q, until):
    """Note that from second `until` on a pass may have another result."""
    q.m[0].horizon = min(q.m[0].horizon, until)


@inner
def try_job(q, k, t, now):
    """Start job `k` at instant `t` of second `now`, or reserve its nodes, or neither (rules 33 to 42).

    Return whether it started."""
    m, job = q.m[0], q.job[k]
    candidate, limit = now, job.limit
    m.cursor = 0
    while True:
        use_nodes(q, job, False)
        later = narrow(q, job.cores, candidate, limit, now)
        find_room(q, k)
        if m.room >= job.units and choose(q, q.node, k):
            start = now
        else:
            start = earliest_on_candidates(q, k, now, later)
        start = max(start, candidate)
        if start == now:
            if not may_run(q, k):
                return False
            job.expected = now
            start_job(q, k, t, now)
            return True
        if start == np.inf or start > later:
            if later == np.inf:
                return False
            candidate = later
            continue
        if start > now + m.bf_window:
            shorten_horizon(q, start - m.bf_window)
            job.expected = start
            return False
        first, last = rounded(q, start), rounded(q, start + limit)
        if meets(q, first, last):
            if start == candidate:  # the end of the window: no interval is left
                return False
            candidate = start
            continue
        job.expected = start
        if not may_run(q, k):
            return False
        reserve(q, first, max(last, first + m.bf_resolution))
        return False


@inner
def least_cores_after(q, count):
    """Write the fewest cores that any of the first `count` waiting jobs from each place on has."""
    least = np.int64(2**62)
    for y in range(count - 1, -1, -1):
        least = min(least, q.job[q.queue[y]].cores)
        q.least_after[y] = least


@inner
def limit_horizon(q, now):
    """Bound the time in which an equal pass follows: maintenances come into the window, planned ends of running jobs
    pass."""
    m = q.m[0]
    for x in range(m.windows):
        if q.window[x].begin >= now + m.bf_window:
            shorten_horizon(q, q.window[x].begin - m.bf_window)
    for y in range(m.running):
        planned = q.job[q.running[y]].planned
        if planned > now:
            shorten_horizon(q, planned)
            return
        shorten_horizon(q, planned + m.kill_wait)


@compiled
def backfill_pass(q, t, now):
    """Try the waiting jobs in order at instant `t` of second `now`; return how many started.

    Unless `m.asks_all`, the pass stops where no later job could start: reservations are not kept between passes.
    """
    m = q.m[0]
    list_jobs(q)
    if not m.asks_all and m.backfill_version == m.version and now < m.horizon:
        return 0
    count, before = m.waiting, m.starts
    least_cores_after(q, count)
    m.horizon = np.inf
    is_useful = m.asks_all or (count > 0 and q.least_after[0] <= m.free_cores)
    if is_useful:
        limit_horizon(q, now)
        begin_intervals(q, now)
    tried, y = 0, 0
    for g in range(m.groups):
        q.tried_of[g] = 0
    while y < count and tried < m.max_job_test:
        if not m.asks_all and q.least_after[y] > m.free_cores:
            break
        j = q.queue[y]
        y += 1
        job = q.job[j]
        job.expected = np.inf
        if m.max_job_user > 0 and q.tried_of[job.person] >= m.max_job_user:
            continue
        q.tried_of[job.person] += 1
        tried += 1
        try_job(q, j, t, now)
    if is_useful:
        shorten_horizon(q, q.interval[0].end)
    if m.starts > before:
        leave_queue(q, y)
    m.backfill_version = m.version if m.starts == before else m.version - 1
    return m.starts - before
