"""A pass of the main loop (rules 24 to 29 of a site)."""

from __future__ import annotations

from shadowtime.engine.families.rigid.policies.slurm.limits import may_run
from shadowtime.engine.families.rigid.policies.slurm.nodes import avoid_windows, choose, find_room, use_nodes
from shadowtime.engine.families.rigid.policies.slurm.running import leave_queue, start_job
from shadowtime.engine.kernel.cache import compiled, inner


@inner
def close_partition(q, p):
    """Close partition `p` for the rest of the pass, and withdraw its nodes from the others."""
    m = q.m[0]
    q.closed[p] = 1
    for w in range(m.words):
        q.closed_bits[w] |= q.part_bits[p * m.words + w]


@compiled
def main_pass(q, t, now, depth):
    """Start the waiting jobs in order until the first of a partition that does not fit; return how many started.

    Parameters
    ----------
    t, now
        Instant of the pass, and its second.
    depth
        Jobs looked at, at most.
    """
    m = q.m[0]
    list_jobs(q)
    if m.main_version == m.version and m.tried_depth >= min(depth, m.waiting) and m.windows == 0:
        return 0
    for p in range(m.partitions):
        q.closed[p] = 0
    for w in range(m.words):
        q.closed_bits[w] = 0
    # Noted before any start: after one, a limit may hold the job that closed a partition, and other jobs move up.
    m.main_version, m.tried_depth = m.version, min(depth, m.waiting)
    before, y, open_partitions = m.starts, 0, m.partitions
    while y < min(depth, m.waiting) and open_partitions > 0:
        j = q.queue[y]
        job = q.job[j]
        y += 1
        if q.closed[job.partition] or not may_run(q, j):
            continue
        use_nodes(q, job, True)
        avoid_windows(q, now, now + job.limit)
        find_room(q, j)
        if m.room >= job.units and choose(q, q.node, j):
            start_job(q, j, t, now)
        else:
            close_partition(q, job.partition)
            open_partitions -= 1
    if m.starts > before:
        leave_queue(q, y)
    return m.starts - before


@inner
def list_jobs(q):
    """Mark the waiting jobs as listed by a pass: only then do they gain age (rule 4)."""
    m = q.m[0]
    if m.unlisted == 0:
        return
    for y in range(m.waiting):
        q.job[q.queue[y]].listed = 1
    m.unlisted = 0
