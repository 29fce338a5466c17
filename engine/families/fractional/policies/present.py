"""Lists of the jobs in the system: running jobs, and waiting or paused jobs with the fields that decisions read.

The lists are unordered: a job that leaves is replaced by the last one of its list or group. Thousands may wait, so
their rows contain all that a scan reads.
"""

from __future__ import annotations

from shadowtime.engine.families.fractional.policies.nodes import LEAVE, sit
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import QUEUED
from shadowtime.engine.kernel.vocabulary import pause


@inner
def wait(s, f, i):
    """Add unit `i` to the waiting and paused jobs."""
    u, group = s.u[i], f.group[f.j[i].group]
    at = group.first + group.count
    f.wait[at].unit, f.wait[at].memory = i, u.memory
    f.age[at].release, f.age[at].virtual_time = u.release, u.virtual_time
    f.j[i].at = at
    group.count += 1
    f.m[0].waiting += 1


@inner
def admit(s, f, i):
    """Add unit `i`, just submitted, unless it was rejected."""
    if s.u[i].state == QUEUED:
        wait(s, f, i)


@inner
def run_on(f, i):
    """Move unit `i` from the waiting jobs to the running jobs."""
    m, wait, age, j = f.m[0], f.wait, f.age, f.j
    group = f.group[j[i].group]
    group.count -= 1
    m.waiting -= 1
    at, last = j[i].at, group.first + group.count
    wait[at].unit, wait[at].memory = wait[last].unit, wait[last].memory
    age[at].release, age[at].virtual_time = age[last].release, age[last].virtual_time
    j[wait[at].unit].at = at
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
def pause_job(s, f, i):
    """Pause running unit `i`, whose tasks were already removed from its nodes."""
    pause(s, i)
    remove_running(f, i)
    wait(s, f, i)


@inner
def forget_ended(s, f):
    """Remove the units that ended at this instant from their nodes and from the running jobs."""
    for y in range(s.k[0].ended):
        sit(s, f, s.ended[y], LEAVE)
        remove_running(f, s.ended[y])
