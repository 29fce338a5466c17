"""Intervals of a backfill pass, each with the nodes that no reservation holds in it (rules 31, 34, 35 and 42)."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.nodes import add_node
from shadowtime.engine.kernel.cache import inner

LAST = np.int64(-1)
FIVES, THREES, FIFTEENS, ONES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101


@inner
def count_nodes(q, x):
    """Set how many cores the free nodes of interval `x` have, at most."""
    m, count = q.m[0], 0
    for w in range(m.words):
        v = q.free_bits[x * m.words + w]
        v -= (v >> 1) & FIVES
        v = (v & THREES) + ((v >> 2) & THREES)
        v = (v + (v >> 4)) & FIFTEENS
        count += (v * ONES) >> 56
    q.interval[x].most = count * m.most_cores


@inner
def begin_intervals(q, now):
    """Begin the list: one interval from second `now` to the end of the window, in which all nodes that are up are free;
    then cut the maintenances out."""
    m = q.m[0]
    m.intervals = 1
    first = q.interval[0]
    first.begin, first.end, first.next = now, now + m.bf_window, LAST
    for w in range(m.words):
        q.free_bits[w] = q.up_bits[w]
    count_nodes(q, np.int64(0))
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
    later.begin, later.end, later.next, later.most = at, old.end, old.next, old.most
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
            count_nodes(q, x)
        elif one.begin >= end:
            break
        x = one.next


@inner
def narrow(q, cores, candidate, limit, now):
    """Keep the candidates that no reservation holds from second `candidate` for `limit` seconds; return the second at
    which to try again, inf without one: the end of the first interval that ends later and whose successor has a node
    of the partition that is not free through this interval (rules 34 and 35).

    Where an interval has fewer free cores than the job (`cores`), no candidate is kept: it does not fit. The search
    begins at `m.cursor`, the first interval that ends after the last candidate instant."""
    m, later = q.m[0], np.inf
    until, beyond, hopeless = candidate + limit, False, False
    for w in range(m.words):
        q.usable[w] = q.left[w] = q.candidate[w]
    while q.interval[m.cursor].end <= candidate and q.interval[m.cursor].next != LAST:
        m.cursor = q.interval[m.cursor].next
    x = m.cursor
    while x != LAST:
        one = q.interval[x]
        if one.begin > until and not beyond:
            beyond = True
            if candidate == now:
                m.horizon = min(m.horizon, one.begin - limit)
        if not beyond and one.most < cores:
            hopeless = True
        if (beyond or hopeless) and later < np.inf:
            break
        if one.end > candidate:
            for w in range(m.words):
                free = q.free_bits[x * m.words + w]
                q.left[w] &= free
                if not beyond:
                    q.candidate[w] &= free
            if later == np.inf and one.next != LAST and brings_nodes(q, one.next):
                later = one.end
        x = one.next
    if hopeless:
        for w in range(m.words):
            q.candidate[w] = 0
    return later


@inner
def brings_nodes(q, x):
    """Return whether interval `x` has a usable node that is not left from those before."""
    m, w = q.m[0], 0
    while w < m.words and q.usable[w] & q.free_bits[x * m.words + w] & ~q.left[w] == 0:
        w += 1
    return w < m.words


@inner
def meets(q, begin, end):
    """Return whether a chosen node is reserved between two seconds."""
    m = q.m[0]
    set_picked(q)
    x = m.cursor
    while x != LAST:
        one = q.interval[x]
        if one.begin >= end:
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
def rounded(q, second):
    """Return a second rounded down to the resolution of the pass, on the controller's epoch."""
    m = q.m[0]
    return math.floor((second + m.base) / m.bf_resolution) * m.bf_resolution - m.base


@inner
def reserve(q, begin, end):
    """Reserve the chosen nodes, whole ones, from one second to another (rule 42)."""
    set_picked(q)
    cut(q, max(begin, q.interval[0].begin), end)
