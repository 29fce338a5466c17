"""Priorities of waiting jobs, and the order in which the loops take them (rules 1 to 11 and 23 of a site)."""

from __future__ import annotations

import math

from shadowtime.engine.families.rigid.policies.slurm.usage import decay_usage, set_factors
from shadowtime.engine.kernel.cache import inner


@inner
def set_priority(q, j, now):
    """Set the age and the fair-share factor of job `j`, and its priority, at least 1."""
    m, job = q.m[0], q.job[j]
    since = math.floor(job.submit if m.accrue else job.ready)
    job.age = min(1.0, max(0.0, now - since) / m.max_age) if job.listed else 0.0
    job.fair = q.group[job.user].factor
    total = m.weight_age * job.age + m.weight_fair_share * job.fair + m.weight_job_size * job.size_factor
    total = total + job.of_partition + job.of_qos + job.of_tres - job.nice  # the order of rule 1, for its rounding
    job.priority = max(1.0, math.floor(total))


@inner
def goes_first(q, i, j):
    """Return whether job `i` comes before job `j`: by tier of the partition, priority, then number."""
    a, b = q.job[i], q.job[j]
    if q.partition[a.partition].tier != q.partition[b.partition].tier:
        return q.partition[a.partition].tier > q.partition[b.partition].tier
    if a.priority != b.priority:
        return a.priority > b.priority
    if a.id != b.id:
        return a.id < b.id
    return i < j


@inner
def enqueue(q, j):
    """Insert job `j` into the queue. O(waiting)."""
    m = q.m[0]
    at = m.waiting
    while at > 0 and goes_first(q, j, q.queue[at - 1]):
        q.queue[at] = q.queue[at - 1]
        at -= 1
    q.queue[at] = j
    m.waiting += 1


@inner
def merge_runs(q, begin, middle, stop):
    """Merge two sorted runs of the queue, stably; return whether that changed it."""
    if not goes_first(q, q.queue[middle], q.queue[middle - 1]):
        return False
    for y in range(begin, middle):
        q.spare[y] = q.queue[y]
    left, right, at = begin, middle, begin
    while left < middle:
        if right < stop and goes_first(q, q.queue[right], q.spare[left]):
            q.queue[at] = q.queue[right]
            right += 1
        else:
            q.queue[at] = q.spare[left]
            left += 1
        at += 1
    return True


@inner
def sort_queue(q):
    """Sort the queue; return whether that changed it. O(waiting * log(waiting)); O(waiting) where the order holds."""
    count, width, changed = q.m[0].waiting, 1, False
    while width < count:
        begin = 0
        while begin + width < count:
            if merge_runs(q, begin, begin + width, min(begin + 2 * width, count)):
                changed = True
            begin += 2 * width
        width *= 2
    return changed


@inner
def recompute(q, now):
    """Decay usage to the second `now`, add running usage, rank users, set all priorities, and sort the queue."""
    m = q.m[0]
    decay_usage(q, now)
    set_factors(q)
    for y in range(m.waiting):
        set_priority(q, q.queue[y], now)
    if sort_queue(q):
        m.version += 1
