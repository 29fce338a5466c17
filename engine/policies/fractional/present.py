"""The jobs in the system: those that run, and those that wait or are paused with what decisions ask of them.

The order in each list means nothing: a job that leaves is replaced by the last one. Thousands may wait, so that their
rows hold all that a scan of them reads.
"""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner
from engine.kernel.state import QUEUED
from engine.kernel.vocabulary import pause
from engine.policies.fractional.nodes import LEAVE, sit
from engine.policies.fractional.state import LEVELS


@inner
def wait(s, f, i):
    """Unit `i` waits, or is paused, from now on."""
    m, row, age, u = f.m[0], f.wait[f.m[0].waiting], f.age[f.m[0].waiting], s.u[i]
    row.unit, row.procs, row.memory = i, u.procs, u.memory
    age.release, age.lived = u.release, u.lived
    row.level = np.int64(u.memory * LEVELS)
    f.j[i].at = m.waiting
    m.waiting += 1


@inner
def admit(s, f, i):
    """Unit `i` was submitted."""
    if s.u[i].state == QUEUED:
        wait(s, f, i)


@inner
def run_on(f, i):
    """Unit `i`, which waited, runs from now on."""
    m, wait, j = f.m[0], f.wait, f.j
    m.waiting -= 1
    at, last = j[i].at, wait[m.waiting]
    row = wait[at]
    row.unit, row.procs, row.level = last.unit, last.procs, last.level
    row.memory = last.memory
    age, moved = f.age[at], f.age[m.waiting]
    age.release, age.lived = moved.release, moved.lived
    j[row.unit].at = at
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
