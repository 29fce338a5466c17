"""Set the yield of every running job: the yield is its rate, and yield times need its share of a node."""

from __future__ import annotations

from shadowtime.engine.families.fractional.policies.averaging import average
from shadowtime.engine.families.fractional.policies.filling import fill
from shadowtime.engine.families.fractional.policies.priority import flow_time, virtual_time
from shadowtime.engine.families.fractional.policies.state import AVG, STRETCH_PER
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.errors import FULL, fail
from shadowtime.engine.kernel.state import NO_ROW
from shadowtime.engine.kernel.vocabulary import rerate


@inner
def gather(s, f):
    """Write a row for each running job: how its yield grows with the level. Jobs under penalty keep their share."""
    m = f.m[0]
    m.rows = 0
    for y in range(m.running):
        i = f.running[y]
        u = s.u[i]
        row = f.row[m.rows]
        row.unit, row.first, row.tasks, row.need = i, u.first, u.procs, u.need
        row.grow, row.base, row.low, row.high = 1.0, 0.0, 0.0, 1.0
        if m.periodic == STRETCH_PER:
            virtual, flow = virtual_time(s, i), flow_time(s, i) + m.period
            row.grow, row.base = flow / m.period, virtual / m.period
            row.low, row.high = virtual / flow, (virtual + m.period) / flow
        m.rows += 1


@inner
def share_out(s, f):
    """Compute the yields of all running jobs and set them in the kernel."""
    gather(s, f)
    m = f.m[0]
    fill(f, s.hold)
    if m.optimum == AVG and not average(f, m.periodic == STRETCH_PER):
        fail(s, FULL, NO_ROW, NO_ROW, float(len(f.table)))
    for r in range(m.rows):
        row = f.row[r]
        rerate(s, row.unit, row.yield_, row.yield_ * row.need)
