"""The controller's clock: arrivals, ends, outages, recomputations, and the passes of both loops in order of time."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.backfill import backfill_pass
from shadowtime.engine.families.rigid.policies.slurm.main_loop import main_pass
from shadowtime.engine.families.rigid.policies.slurm.nodes import add_node, drop_node
from shadowtime.engine.families.rigid.policies.slurm.priority import recompute
from shadowtime.engine.families.rigid.policies.slurm.running import (
    arrive,
    await_start,
    end_job,
    finish_job,
    second,
    stop_job,
)
from shadowtime.engine.families.rigid.policies.slurm.state import BACK, DOWN, FUTURE
from shadowtime.engine.kernel.cache import compiled, inner

OVERHEAD = 0.02
"""A backfill pass and what the loop does around it take so long [s] (rule 30: 5.01 to 5.04 s for 5)."""
SMALL = 1e-6
"""Rounding of sums of phases and whole seconds [s]."""
MORE, OVER, LOST_NODES = np.int64(0), np.int64(1), np.int64(2)


@inner
def tick_from(q, t):
    """Return the first instant from `t` on at which the main loop looks: once a second."""
    phase = q.m[0].tick
    return phase + math.ceil(t - phase - SMALL)


@inner
def next_main(q):
    """Return the instant of the next pass of the main loop; inf while no job waits and nothing has changed."""
    m = q.m[0]
    coming = tick_from(q, m.next_full) if m.waiting > 0 else np.inf
    if m.flagged:
        short = tick_from(q, max(m.now, m.last_pass + m.batch_sched_delay))
        if m.waiting > 0 or short < m.next_full - SMALL:  # else a full pass comes first and finds no job
            coming = min(coming, short)
    return coming


@inner
def catch_up(q):
    """Advance both loops past the time before the present instant, in which they had no job to look at."""
    m = q.m[0]
    step = math.ceil(m.sched_interval)
    if m.next_full < m.now - SMALL:
        passes = math.ceil((m.now - SMALL - m.next_full) / step)
        m.last_pass = max(m.last_pass, m.next_full + (passes - 1.0) * step)
        m.next_full += passes * step
        m.flagged = 0
    step = m.bf_interval + OVERHEAD
    if m.next_backfill < m.now:
        m.next_backfill += step * math.ceil((m.now - m.next_backfill) / step)


@inner
def is_last(q, since):
    """Return whether no maintenance has ended after instant `since` or will end, no job will arrive and no node will
    come back."""
    m = q.m[0]
    for x in range(m.windows):
        if q.window[x].end > since and q.window[x].end < np.inf:
            return False
    return m.next_arrival == m.jobs and m.next_edge == m.edges


@inner
def look(q):
    """Make a pass of the main loop at the present instant: over all jobs if it is due, else over the first ones."""
    m = q.m[0]
    is_full = m.now >= m.next_full - SMALL
    before = m.starts
    main_pass(q, m.now, second(q, m.now), m.jobs if is_full else m.depth + 1)
    m.main_starts += m.starts - before
    m.main_passes += 1
    m.last_pass, m.flagged = m.now, 0
    if is_full:
        m.next_full = m.now + math.ceil(m.sched_interval)
        is_tried = not m.has_backfill or m.backfill_version == m.version  # by the other loop, since the last change
        tried = m.next_backfill - m.bf_interval - OVERHEAD if m.has_backfill else m.now
        if m.starts == before and m.running == 0 and is_tried and is_last(q, tried):
            m.stuck = 1


@inner
def backfill(q):
    """Make a pass of the backfill loop at the present instant."""
    m = q.m[0]
    before = m.starts
    backfill_pass(q, m.now, second(q, m.now))
    m.backfill_starts += m.starts - before
    m.backfill_passes += 1
    m.next_backfill = m.now + m.bf_interval + OVERHEAD


@inner
def lose_nodes(q, edge, now):
    """Kill the jobs on nodes that go down, in second `now`; they wait again, except those whose run time is over.
    Return whether any wait again."""
    m, y, before = q.m[0], 0, q.m[0].lost
    while y < m.running:
        j = q.running[y]
        y += 1
        if not is_hit(q, j, edge):
            continue
        y = 0
        job = q.job[j]
        if now >= job.start + job.runtime - SMALL:
            finish_job(q, j, now)
            continue
        stop_job(q, j, now, now)
        done = max(0.0, now - job.start)
        if m.checkpoint > 0.0:
            done = math.floor(done / m.checkpoint) * m.checkpoint
            job.runtime -= done
        job.state, job.listed = FUTURE, 0
        q.lost_job[m.lost], q.lost_at[m.lost], q.lost_start[m.lost] = j, now, job.start
        m.lost += 1
        m.requeues += 1
        job.submit = now if m.accrue == 0 else job.submit
        await_start(q, j, now)
    return m.lost > before


@inner
def is_hit(q, j, edge):
    """Return whether running job `j` holds a node of an edge."""
    job = q.job[j]
    for y in range(job.hold, job.hold + job.held):
        for x in range(edge.first, edge.last):
            if q.edge_node[x] == q.held_node[y]:
                return True
    return False


@inner
def turn_edge(q, now):
    """Take nodes away, or bring them back, at the present instant; return whether jobs lost their nodes."""
    m = q.m[0]
    edge = q.edge[m.next_edge]
    m.next_edge += 1
    m.version += 1
    m.flagged = 1
    for x in range(edge.first, edge.last):
        z = q.edge_node[x]
        q.node[z].up += 1 if edge.kind == BACK else -1
        if q.node[z].up >= 1:
            add_node(q.up_bits, 0, z)
        else:
            drop_node(q.up_bits, 0, z)
    return edge.kind == DOWN and lose_nodes(q, edge, now)


@compiled
def advance(q, steps):
    """Go on with the run; return OVER at its end, LOST_NODES when Python must note killed jobs, else MORE after about
    `steps` instants."""
    m = q.m[0]
    for _ in range(steps):
        arrival = q.job[q.arrival[m.next_arrival]].ready if m.next_arrival < m.jobs else np.inf
        end = q.ends[0].key if m.ends > 0 else np.inf
        edge = q.edge[m.next_edge].at if m.next_edge < m.edges else np.inf
        if m.stuck or (arrival == np.inf and end == np.inf and m.waiting == 0):
            return OVER
        main = next_main(q)
        loop = m.next_backfill if m.has_backfill and m.waiting > 0 else np.inf
        coming = min(min(min(arrival, end), min(edge, m.next_calc)), min(main, loop))
        m.now = coming
        now = second(q, coming)
        if m.waiting == 0:
            catch_up(q)
        if end == coming:
            end_job(q, now)
        elif arrival == coming:
            arrive(q, now)
        elif edge == coming:
            if turn_edge(q, now):
                return LOST_NODES
        elif m.next_calc == coming:
            recompute(q, now)
            m.next_calc += m.calc_period
        elif main == coming:
            look(q)
        else:
            backfill(q)
    return MORE
