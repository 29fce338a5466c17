"""The jobs in the system: in order of submission, and in the two orders that MCB8 wants."""

from __future__ import annotations

from engine.kernel.cache import inner
from engine.kernel.state import DONE, QUEUED
from engine.policies.fractional.nodes import LEAVE, sit


@inner
def admit(s, f, i):
    """Unit `i` was submitted."""
    m, j = f.m[0], f.j
    if s.u[i].state != QUEUED:
        return
    n = m.present
    f.present[n] = i
    by_cpu, by_memory = f.by_cpu, f.by_memory
    at = n
    while at > 0 and j[by_cpu[at - 1]].rank_cpu > j[i].rank_cpu:
        by_cpu[at] = by_cpu[at - 1]
        at -= 1
    by_cpu[at] = i
    at = n
    while at > 0 and j[by_memory[at - 1]].rank_memory > j[i].rank_memory:
        by_memory[at] = by_memory[at - 1]
        at -= 1
    by_memory[at] = i
    m.present = n + 1


@inner
def without_ended(s, units, count):
    """Close the gaps that ended units leave in a list; the new count."""
    kept = 0
    for y in range(count):
        unit = units[y]
        if s.u[unit].state != DONE:
            units[kept] = unit
            kept += 1
    return kept


@inner
def forget_ended(s, f):
    """The units that ended in this instant give their nodes back and are in the system no more."""
    for y in range(s.k[0].ended):
        sit(s, f, s.ended[y], LEAVE)
    if s.k[0].ended > 0:
        n = f.m[0].present
        without_ended(s, f.by_cpu, n)
        without_ended(s, f.by_memory, n)
        f.m[0].present = without_ended(s, f.present, n)
