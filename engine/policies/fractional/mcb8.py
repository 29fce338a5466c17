"""MCB8: all jobs packed anew, at the largest yield that a search on it finds (sections 4.3 and 4.7).

The search tests 0.01, then 1, then bisects to within 0.01. Where nothing packs at 0.01, the job of lowest priority
is dropped, and so on. For a smallest stretch S the search is on 1 / S, and each job asks for what it needs to get
there within the coming period.
"""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner
from engine.kernel.state import FOREGROUND, RUNNING
from engine.kernel.vocabulary import pause, place
from engine.policies.fractional.greedy import settle_down
from engine.policies.fractional.nodes import FITS, SIT, sit
from engine.policies.fractional.packing import NONE, pack
from engine.policies.fractional.priority import flow_time, sort, virtual_time, weigh
from engine.policies.fractional.room import stays
from engine.policies.fractional.state import MINFT, MINVT, STRETCH_PER

ACCURACY = 0.01
"""Of the search on the yield, and its smallest value."""
YOUNGER = 1e-6
"""Seconds below the bound from which a job is young: half a yield over a period adds up to a bound only by rounding."""


@inner
def is_pinned(s, f, i):
    """Whether a limit holds running unit `i` on its nodes: it may be dropped, but not moved."""
    m = f.m[0]
    if s.u[i].state != RUNNING:
        return False
    if m.limit == MINFT:
        return flow_time(s, i) < m.bound - YOUNGER
    if m.limit == MINVT:
        return virtual_time(s, i) < m.bound - YOUNGER
    return False


@inner
def rank_all(s, f):
    """All units of the system into `order` by decreasing priority, and how many of them memory has room for at all."""
    m, order = f.m[0], f.order
    total = 0.0
    for y in range(m.present):
        order[y] = f.present[y]
        weigh(s, f, order[y])
        total += s.u[order[y]].procs * s.u[order[y]].memory
    sort(f.j, order, m.present)
    count = m.present
    while count > 0 and total > s.k[0].lanes + FITS * (s.k[0].lanes + 1):
        count -= 1
        total -= s.u[order[count]].procs * s.u[order[count]].memory
    return count


@inner
def select(s, f, count):
    """The `count` most important units become candidates: rows of `cand` by decreasing memory, `place` by CPU need."""
    m, j, cand = f.m[0], f.j, f.cand
    for y in range(m.present):
        j[f.order[y]].candidate = 0 if y < count else NONE
    row, first = np.int64(0), np.int64(0)
    for y in range(m.present):
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
    for y in range(m.present):
        i = f.by_cpu[y]
        if j[i].candidate != NONE:
            f.place[row] = j[i].candidate
            row += 1


@inner
def ask(s, f, count, target):
    """What each task asks for at a target, and what pinned tasks leave of the nodes; False when that cannot be.

    By stretch, a yield above 1 fails, but at the smallest target it is cut to 1: a job that even its full share
    cannot bring to a stretch of 100 would otherwise be in the way of all others.
    """
    m, cand, node, hold = f.m[0], f.cand, f.node, s.hold
    for c in range(count):
        wanted = target
        if m.periodic == STRETCH_PER:
            i = cand[c].unit
            wanted = ((flow_time(s, i) + m.period) * target - virtual_time(s, i)) / m.period
            if wanted > 1.0 and target > ACCURACY:
                return False
            wanted = min(1.0, max(0.0, wanted))
        cand[c].cpu = wanted * cand[c].need
    for lane in range(node.shape[0]):
        node[lane].cpu, node[lane].memory = 1.0, 1.0
    for c in range(count):
        if cand[c].pinned:
            u = s.u[cand[c].unit]
            for y in range(u.first, u.first + u.procs):
                node[hold[y]].cpu -= cand[c].cpu
                node[hold[y]].memory -= cand[c].memory
                if node[hold[y]].cpu < -FITS:
                    return False
    if m.periodic == STRETCH_PER:
        order_by_request(f, count)
    return True


@inner
def order_by_request(f, count):
    """`place` by decreasing CPU request, ties by submission; the priorities of the candidates are used up."""
    cand, j, place_ = f.cand, f.j, f.place
    for c in range(count):
        place_[c] = cand[c].unit
        j[cand[c].unit].priority = cand[c].cpu
    sort(j, place_, count)
    for y in range(count):
        place_[y] = j[place_[y]].candidate


@inner
def attempt(s, f, count, target):
    """Pack at a target; a packing that succeeds becomes the best one."""
    m = f.m[0]
    if not ask(s, f, count, target):
        return False
    other = 1 - m.side
    if not pack(f, count, other * (len(f.seat) // 2)):
        return False
    m.side, m.best = other, target
    return True


@inner
def search(s, f):
    """The best packing of as many units as can be packed, the least important dropped; how many they are."""
    count = rank_all(s, f)
    while count > 0:
        select(s, f, count)
        if attempt(s, f, count, ACCURACY):
            break
        count -= 1
    if count == 0:
        select(s, f, count)
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
def carry_out(s, f, count):
    """Pause who was dropped, then start, resume and move as the best packing says, node by node as computed."""
    m, cand, pick, node = f.m[0], f.cand, s.pick, f.node
    for y in range(m.present):
        i = f.present[y]
        if f.j[i].candidate == NONE and s.u[i].state == RUNNING:
            pause(s, i)
    base = m.side * (len(f.seat) // 2)
    for y in range(m.present):
        i = f.present[y]
        if f.j[i].candidate == NONE:
            continue
        c = cand[f.j[i].candidate]
        if c.pinned:
            continue
        for task in range(c.tasks):
            pick[task] = f.seat[base + c.first + task]
        if s.u[i].state != RUNNING:
            settle_down(s, f, i)
        elif not stays(s, i):
            place(s, i, FOREGROUND, 0.0, 0.0, m.penalty)
    for lane in range(node.shape[0]):
        node[lane].free, node[lane].load, node[lane].tasks = 1.0, 0.0, 0
    for y in range(m.present):
        if s.u[f.present[y]].state == RUNNING:
            sit(s, f, f.present[y], SIT)


@inner
def pack_anew(s, f):
    """Search and carry out."""
    if f.m[0].present > 0:
        carry_out(s, f, search(s, f))
