"""The placement of an instant: rules plan it, and `carry_out` makes the kernel follow it at the end of the instant.

Each rule of an instant finds the placement that the rule before it planned. A job that is placed and then moved or
removed within an instant has not run: it pays no penalty, and this is neither a start nor a pause nor a migration. A
job that is back on its nodes at the end continues without a penalty. (The paper leaves this open.)
"""

from __future__ import annotations

from shadowtime.engine.families.fractional.policies.nodes import remove_running, run_on, wait
from shadowtime.engine.kernel.arrays import list_once
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import FOREGROUND, QUEUED, RUNNING
from shadowtime.engine.kernel.vocabulary import pause, place


@inner
def move_to_picks(s, f, i):
    """Plan unit `i`, which is planned to run, on the nodes in `pick`, ascending."""
    first, nodes, pick = f.j[i].first, f.nodes, s.pick
    for y in range(s.u[i].procs):
        nodes[first + y] = pick[y]
    list_once(f.changed, f.m[0], f.j[i], i)


@inner
def start_or_resume(s, f, i):
    """Plan waiting or paused unit `i` on the nodes in `pick`."""
    move_to_picks(s, f, i)
    f.j[i].runs = 1
    run_on(f, i)


@inner
def pause_job(s, f, i):
    """Plan no nodes for unit `i`, whose tasks were already removed from its nodes."""
    list_once(f.changed, f.m[0], f.j[i], i)
    f.j[i].runs = 0
    remove_running(f, i)
    wait(s, f, i)


@inner
def holds(s, f, i):
    """Return whether unit `i` holds exactly the planned nodes in the kernel; both are ascending."""
    u, hold, nodes, first = s.u[i], s.hold, f.nodes, f.j[i].first
    for y in range(u.procs):  # noqa: SIM110 (numba compiles no generators in all())
        if hold[u.first + y] != nodes[first + y]:
            return False
    return True


@inner
def carry_out(s, f):
    """Start, resume, move and pause the units whose placement differs from that before the instant.

    A first start has no penalty. Yields are set later.
    """
    m, nodes, pick = f.m[0], f.nodes, s.pick
    for y in range(m.changed):
        i = f.changed[y]
        j, u = f.j[i], s.u[i]
        j.changed = 0
        if j.runs == 0:
            if u.state == RUNNING:
                pause(s, i)
            continue
        if u.state == RUNNING and holds(s, f, i):
            continue
        for task in range(u.procs):
            pick[task] = nodes[j.first + task]
        place(s, i, FOREGROUND, 0.0, 0.0, 0.0 if u.state == QUEUED else m.penalty)
    m.changed = 0
