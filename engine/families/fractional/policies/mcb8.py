"""MCB8: repack all jobs at the largest common yield that a search finds (sections 4.3 and 4.7).

The search tests 0.01, then 1, then bisects to within 0.01. While packing at 0.01 fails, the job of lowest priority is
dropped. For the smallest stretch S the search is on 1 / S, and each job requests the yield that brings it to S within
the next period.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional.policies.greedy import LOWER
from shadowtime.engine.families.fractional.policies.nodes import FITS, SIT, sit
from shadowtime.engine.families.fractional.policies.packing import NONE, pack
from shadowtime.engine.families.fractional.policies.parts import reserve_memory, reset_memory
from shadowtime.engine.families.fractional.policies.plan import move_to_picks, pause_job, start_or_resume
from shadowtime.engine.families.fractional.policies.priority import (
    NEARLY,
    flow_time,
    keep_best,
    priority_of,
    sort,
    sort_units,
    unit_in,
    virtual_time,
)
from shadowtime.engine.families.fractional.policies.room import stays
from shadowtime.engine.families.fractional.policies.state import MINFT, MINVT, STRETCH_PER
from shadowtime.engine.kernel.binary_heap import NO_VERSION, write
from shadowtime.engine.kernel.cache import inner

ACCURACY = 0.01
"""Accuracy of the search on the yield, and the smallest yield."""
YOUNGER = 1e-6
"""Tolerance of limits [s]: a virtual time that equals the bound in exact arithmetic may be rounded below it."""
EQUAL = 1e-9
"""CPU requests closer than this are equal; the job submitted first then precedes."""


@inner
def is_pinned(s, f, i):
    """Return whether a limit pins running unit `i` to its nodes: it may be dropped, but not moved."""
    m, least = f.m[0], f.m[0].bound - YOUNGER
    return f.j[i].runs > 0 and (
        (m.limit == MINFT and flow_time(s, i) < least) or (m.limit == MINVT and virtual_time(s, i) < least)
    )


@inner
def most_important(s, f, most, guess):
    """Write the `most` most important units into `best`, by decreasing priority; return their number.

    Many more units may wait than memory can hold: for most of them one comparison of products replaces the computation
    of the priority. Waiting units of priority below `guess` are left out.
    """
    best, age, wait, now = f.best, f.age, f.wait, s.k[0].now
    count, least = np.int64(0), guess
    for y in range(f.m[0].running):
        i = f.running[y]
        count = keep_best(best, count, most, i, priority_of(flow_time(s, i), virtual_time(s, i)))
    if count == most:
        least = max(guess, best[0].key)
    for g in range(len(f.group)):
        first = f.group[g].first
        for y in range(first, first + f.group[g].count):
            flow, virtual = now - age[y].release, age[y].virtual_time
            if flow * NEARLY < least * virtual * virtual:  # never true at virtual time 0, even if least is infinite
                continue
            count = keep_best(best, count, most, wait[y].unit, priority_of(flow, virtual))
            if count == most:
                least = max(guess, best[0].key)
    sort(best, count)
    return count


@inner
def rank(s, f):
    """Write the most important units into `order`, as many as memory could hold at best; return their number.

    A unit that no packing has memory for is dropped without an attempt to pack it.
    """
    m, best, order = f.m[0], f.best, f.order
    most, guess = m.ranked, m.threshold
    while True:
        count = most_important(s, f, most, guess)
        reset_memory(s, f)
        for y in range(count):
            i, priority = unit_in(best, y), best[y].key
            if priority < guess:  # below the guess, waiting units are missing from `best`
                break
            if not reserve_memory(s, f, i):
                m.ranked = y + y // 4 + 8
                m.threshold = LOWER * priority if priority < np.inf else 0.0
                return np.int64(y)
            order[y] = i
        if count == most:
            most *= 2
        elif guess == 0.0:
            return count
        elif guess == m.threshold:
            guess *= LOWER**10
        else:
            m.threshold = guess = 0.0


@inner
def order_candidates(s, f, count):
    """Order the ranked units by decreasing memory and by decreasing CPU need."""
    order, best = f.order, f.best
    for y in range(count):
        f.j[order[y]].candidate = 0
        write(best, y, s.u[order[y]].memory, -order[y], NO_VERSION)
    sort_units(best, count, f.by_memory)
    for y in range(count):
        write(best, y, s.u[order[y]].need, -order[y], NO_VERSION)
    sort_units(best, count, f.by_cpu)


@inner
def select(s, f, ranked):
    """Write the units that were not dropped into `cand` by decreasing memory, their order by CPU need into `place`."""
    j, cand = f.j, f.cand
    row, first = np.int64(0), np.int64(0)
    for y in range(ranked):
        i = f.by_memory[y]
        if j[i].candidate == NONE:
            continue
        u, c = s.u[i], cand[row]
        c.unit, c.tasks, c.first, c.need, c.memory = i, u.procs, first, u.need, u.memory
        c.pinned = 1 if is_pinned(s, f, i) else 0
        j[i].candidate = row
        first += u.procs
        row += 1
    row = np.int64(0)
    for y in range(ranked):
        i = f.by_cpu[y]
        if j[i].candidate != NONE:
            f.place[row] = j[i].candidate
            row += 1


@inner
def set_requests(s, f, count, target):
    """Set the CPU request of each task at a target and the free capacity beside pinned tasks; False if impossible."""
    m, cand, node, nodes = f.m[0], f.cand, f.node, f.nodes
    for c in range(count):
        request = target
        if m.periodic == STRETCH_PER:
            i = cand[c].unit
            request = ((flow_time(s, i) + m.period) * target - virtual_time(s, i)) / m.period
            # At the smallest target a job that reaches no stretch of 100 even at yield 1 must not block all others.
            if request > 1.0 and target > ACCURACY:
                return False
            request = min(1.0, max(0.0, request))
        cand[c].cpu = request * cand[c].need
    for lane in range(node.shape[0]):
        node[lane].cpu, node[lane].memory = 1.0, 1.0
    for c in range(count):
        if cand[c].pinned:
            first = f.j[cand[c].unit].first
            for y in range(first, first + cand[c].tasks):
                node[nodes[y]].cpu -= cand[c].cpu
                node[nodes[y]].memory -= cand[c].memory
                if node[nodes[y]].cpu < -FITS:
                    return False
    if m.periodic == STRETCH_PER:
        order_by_request(f, count)
    return True


@inner
def order_by_request(f, count):
    """Sort `place` by decreasing CPU request, ties by submission.

    Water filling gives jobs of one release on one full node the same virtual time at the end of the period, each by
    another sum: their requests are equal but for rounding.
    """
    best, parted = f.best, False
    for c in range(count):
        write(best, c, f.cand[c].cpu, -f.cand[c].unit, NO_VERSION)
    sort(best, count)
    for y in range(1, count):
        if best[y].key < best[y - 1].key < best[y].key + EQUAL:
            best[y].key = best[y - 1].key
            parted = True
    if parted:
        sort(best, count)
    for y in range(count):
        f.place[y] = f.j[unit_in(best, y)].candidate


@inner
def attempt(s, f, count, target):
    """Pack at a target; keep the packing as the best one if it succeeds, and return whether it did."""
    m = f.m[0]
    if not set_requests(s, f, count, target):
        return False
    other = 1 - m.side
    if not pack(f, count, other * (len(f.seat) // 2)):
        return False
    m.side, m.best = other, target
    return True


@inner
def search(s, f):
    """Find the best packing after dropping the least important units until one exists; return the number of units."""
    ranked = count = rank(s, f)
    order_candidates(s, f, ranked)
    while count > 0:
        select(s, f, ranked)
        if attempt(s, f, count, ACCURACY):
            break
        count -= 1
        f.j[f.order[count]].candidate = NONE
    if count == 0:
        return count
    if attempt(s, f, count, 1.0):
        return count
    low, high = ACCURACY, 1.0
    while high - low > ACCURACY:
        middle = 0.5 * (low + high)
        if attempt(s, f, count, middle):
            low = middle
        else:
            high = middle
    return count


@inner
def adopt(s, f, count):
    """Plan the best packing: pause dropped units, then start, resume and move the others."""
    m, pick, node = f.m[0], s.pick, f.node
    for y in range(m.running - 1, -1, -1):  # backwards: a removed unit is replaced by the last one
        if f.j[f.running[y]].candidate == NONE:
            pause_job(s, f, f.running[y])
    base = m.side * (len(f.seat) // 2)
    for y in range(count):
        c = f.cand[y]
        if c.pinned:
            continue
        for task in range(c.tasks):
            pick[task] = f.seat[base + c.first + task]
        if f.j[c.unit].runs == 0:
            start_or_resume(s, f, c.unit)
        elif not stays(s, f, c.unit):
            move_to_picks(s, f, c.unit)
    for y in range(count):
        f.j[f.cand[y].unit].candidate = NONE
    for lane in range(node.shape[0]):
        node[lane].free, node[lane].load, node[lane].tasks = 1.0, 0.0, 0
    for y in range(m.running):
        sit(s, f, f.running[y], SIT)


@inner
def repack(s, f):
    """Search the best packing and plan it."""
    if f.m[0].waiting + f.m[0].running > 0:
        adopt(s, f, search(s, f))
