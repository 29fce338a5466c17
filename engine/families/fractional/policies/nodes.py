"""Nodes and the jobs in the system: running jobs, and waiting or paused jobs with the fields that decisions read.

A node has free memory and a load of CPU needs (not of yields). The lists of jobs are unordered: a job that leaves is
replaced by the last one of its list or group. Thousands may wait, so their rows contain all that a scan reads.
"""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.fractional.policies.priority import virtual_time
from shadowtime.engine.kernel.cache import inner

FITS = 1e-9
"""Amount by which memory and CPU of a node may be exceeded, for rounding of sums of fractions."""
EVEN = 1e-12
"""Loads closer than this are equal; the lowest node is then taken."""

SIT, LEAVE = 1.0, -1.0
MANY = np.int64(2**40)
"""Number of tasks without memory that a node can take."""


@inner
def put(node, lane, need, memory, sign):
    """Add a task to a node (`sign` SIT) or remove it (LEAVE); an empty node is reset exactly, without rounding."""
    row = node[lane]
    row.free -= sign * memory
    row.load += sign * need
    row.tasks += 1 if sign > 0.0 else -1
    if row.tasks == 0:
        row.free, row.load = 1.0, 0.0


@inner
def sit(s, f, i, sign):
    """Add all tasks of unit `i` to the nodes that the plan gives it (SIT), or remove them (LEAVE)."""
    u, nodes, node, first = s.u[i], f.nodes, f.node, f.j[i].first
    for y in range(first, first + u.procs):
        put(node, nodes[y], u.need, u.memory, sign)


@inner
def room(free, memory):
    """Return how many tasks of `memory` fit into `free`."""
    if memory <= 0.0:
        return MANY
    return np.int64(math.floor((free + FITS) / memory))


@inner
def fits(s, f, i):
    """Return whether there is memory for all tasks of unit `i`; Greedy then succeeds, since the tasks are equal."""
    count, memory, node = s.u[i].procs, s.u[i].memory, f.node
    for lane in range(s.k[0].lanes):
        if node[lane].free + FITS >= memory:
            count -= room(node[lane].free, memory)
            if count <= 0:
                return True
    return False


@inner
def wait(s, f, i):
    """Add unit `i` to the waiting and paused jobs."""
    u, group = s.u[i], f.group[f.j[i].group]
    at = group.first + group.count
    f.wait[at].unit, f.wait[at].memory = i, u.memory
    f.age[at].release, f.age[at].virtual_time = u.release, virtual_time(s, i)
    f.j[i].at = at
    group.count += 1
    f.m[0].waiting += 1


@inner
def run_on(f, i):
    """Move unit `i` from the waiting jobs to the running jobs."""
    m, waiting, age, j = f.m[0], f.wait, f.age, f.j
    group = f.group[j[i].group]
    group.count -= 1
    m.waiting -= 1
    at, last = j[i].at, group.first + group.count
    waiting[at] = waiting[last]
    age[at] = age[last]
    j[waiting[at].unit].at = at
    f.running[m.running] = i
    j[i].at = m.running
    m.running += 1


@inner
def remove_running(f, i):
    """Remove unit `i` from the running jobs."""
    m, j = f.m[0], f.j
    m.running -= 1
    at, last = j[i].at, f.running[m.running]
    f.running[at] = last
    j[last].at = at


@inner
def forget_ended(s, f):
    """Remove the units that ended at this instant from their nodes and from the running jobs."""
    for y in range(s.k[0].ended):
        sit(s, f, s.ended[y], LEAVE)
        remove_running(f, s.ended[y])
        f.j[s.ended[y]].runs = 0
