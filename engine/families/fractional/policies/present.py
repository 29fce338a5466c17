"""The jobs in the system: those that run, and those that wait or are paused with what decisions ask of them.

The order in each list means nothing: a job that leaves is replaced by the last one, of its group. Thousands may wait,
so that their rows hold all that a scan of them reads.
"""

from __future__ import annotations

from shadowtime.engine.families.fractional.policies.nodes import LEAVE, sit
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import QUEUED
from shadowtime.engine.kernel.vocabulary import pause


@inner
def wait(s, f, i):
    """Unit `i` waits, or is paused, from now on."""
    u, group = s.u[i], f.group[f.j[i].group]
    at = group.first + group.count
    f.wait[at].unit, f.wait[at].memory = i, u.memory
    f.age[at].release, f.age[at].virtual_time = u.release, u.virtual_time
    f.j[i].at = at
    group.count += 1
    f.m[0].waiting += 1


@inner
def admit(s, f, i):
    """Unit `i` was submitted."""
    if s.u[i].state == QUEUED:
        wait(s, f, i)


@inner
def run_on(f, i):
    """Unit `i`, which waited, runs from now on."""
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
def run_no_more(f, i):
    """Unit `i` leaves the list of those that run."""
    m, j = f.m[0], f.j
    m.running -= 1
    at, last = j[i].at, f.running[m.running]
    f.running[at] = last
    j[last].at = at


@inner
def put_aside(s, f, i):
    """Pause running unit `i`; it has left its nodes already."""
    pause(s, i)
    run_no_more(f, i)
    wait(s, f, i)


@inner
def forget_ended(s, f):
    """The units that ended in this instant give their nodes back and are in the system no more."""
    for y in range(s.k[0].ended):
        sit(s, f, s.ended[y], LEAVE)
        run_no_more(f, s.ended[y])
