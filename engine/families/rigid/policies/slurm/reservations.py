"""Intervals of a backfill pass, each with the nodes that no reservation holds in it (rules 31, 34, 35 and 42)."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.nodes import add_node
from shadowtime.engine.families.rigid.policies.slurm.state import BITS
from shadowtime.engine.kernel.cache import inner

LAST = np.int64(-1)


@inner
def begin_intervals(q, now):
    """Begin the list: one interval from second `now` to the end of the window, in which all nodes are free; then cut
    the maintenances out."""
    m = q.m[0]
    m.intervals = 1
    first = q.interval[0]
    first.begin, first.end, first.next = now, now + m.bf_window, LAST
    for w in range(m.words):
        q.free_bits[w] = (np.int64(1) << BITS) - 1
    for x in range(m.windows):
        window = q.window[x]
        if window.end > now and window.begin < now + m.bf_window:
            for w in range(m.words):
                q.held_bits[w] = 0
            for y in range(window.first, window.last):
                add_node(q.held_bits, 0, q.window_node[y])
            cut(q, max(window.begin, now), window.end)


@inner
def split(q, x, at):
    """Split interval `x` at second `at`, which is inside it; the new one follows."""
    m = q.m[0]
    new = m.intervals
    m.intervals += 1
    old = q.interval[x]
    later = q.interval[new]
    later.begin, later.end, later.next = at, old.end, old.next
    old.end, old.next = at, new
    for w in range(m.words):
        q.free_bits[new * m.words + w] = q.free_bits[x * m.words + w]


@inner
def cut(q, begin, end):
    """Remove the nodes in `held_bits` from all intervals between two seconds."""
    m, x = q.m[0], np.int64(0)
    while x != LAST:
        one = q.interval[x]
        if one.end > begin and one.begin < end:
            if one.begin < begin:
                split(q, x, begin)
                x = one.next
                continue
            if one.end > end:
                split(q, x, end)
            for w in range(m.words):
                q.free_bits[x * m.words + w] &= ~q.held_bits[w]
        elif one.begin >= end:
            break
        x = one.next


@inner
def narrow(q, candidate, limit, now):
    """Keep the candidates that no reservation holds from second `candidate` for `limit` seconds; return the second at
    which to try again (`later` of rule 35), inf without one."""
    m, x, later = q.m[0], np.int64(0), np.inf
    until = candidate + limit
    while x != LAST:
        one = q.interval[x]
        if one.begin > until:
            if candidate == now:
                m.horizon = min(m.horizon, one.begin - limit)
            break
        if one.end > candidate:
            for w in range(m.words):
                q.candidate[w] &= q.free_bits[x * m.words + w]
            if later == np.inf and one.next != LAST:
                following = one.next * m.words
                for w in range(m.words):
                    if q.free_bits[following + w] & ~q.candidate[w]:
                        later = one.end
                        break
        x = one.next
    return later


@inner
def meets(q, begin, end):
    """Return whether a chosen node is reserved between two seconds."""
    m = q.m[0]
    set_picked(q)
    x = np.int64(0)
    while x != LAST:
        one = q.interval[x]
        if one.begin > end:
            break
        if one.end > begin:
            for w in range(m.words):
                if q.held_bits[w] & ~q.free_bits[x * m.words + w]:
                    return True
        x = one.next
    return False


@inner
def set_picked(q):
    """Write the chosen nodes into `held_bits`."""
    m = q.m[0]
    for w in range(m.words):
        q.held_bits[w] = 0
    for y in range(m.picks):
        add_node(q.held_bits, 0, q.pick_node[y])


@inner
def reserve(q, begin, end):
    """Reserve the chosen nodes, whole ones, from one second to another: both rounded down to the resolution of the
    pass, at least one resolution apart (rule 42)."""
    m = q.m[0]
    step = m.bf_resolution
    first = math.floor((begin + m.base) / step) * step - m.base
    last = math.floor((end + m.base) / step) * step - m.base
    set_picked(q)
    cut(q, max(first, q.interval[0].begin), max(last, first + step))
