"""MCB8: all jobs packed anew, at the largest yield that a search on it finds (sections 4.3 and 4.7).

The search tests 0.01, then 1, then bisects to within 0.01. Where nothing packs at 0.01, the job of lowest priority
is dropped, and so on. For a smallest stretch S the search is on 1 / S, and each job asks for what it needs to get
there within the coming period.
"""

from __future__ import annotations

import numpy as np

from engine.kernel.cache import inner
from engine.kernel.state import FOREGROUND, RUNNING
from engine.kernel.vocabulary import place
from engine.policies.fractional.greedy import settle_down
from engine.policies.fractional.heap import heap_up, take_first
from engine.policies.fractional.nodes import FITS, SIT, sit
from engine.policies.fractional.packing import NONE, pack
from engine.policies.fractional.present import put_aside
from engine.policies.fractional.priority import flow_time, priority_of, sort, virtual_time, weigh_running
from engine.policies.fractional.room import stays
from engine.policies.fractional.state import MINFT, MINVT, STRETCH_PER

NEARLY = 1.0 + 1e-9
"""Priorities are rounded to 33 bits."""
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
def collect(s, f, threshold):
    """All units whose priority may be at least `threshold` into `pool`, and how many they are.

    Far more may wait than there is memory for: of these one product is compared, no priority worked out.
    """
    m, pool, now = f.m[0], f.pool, s.k[0].now
    weigh_running(s, f, f.order)
    count = np.int64(0)
    for y in range(m.running):
        pool[count].unit, pool[count].priority = f.order[y], f.j[f.order[y]].priority
        count += 1
    for y in range(m.waiting):
        row = f.wait[y]
        flow = now - row.release
        if flow * NEARLY >= threshold * row.lived * row.lived:
            pool[count].unit, pool[count].priority = row.unit, priority_of(flow, row.lived)
            count += 1
    return count


@inner
def rank(s, f):
    """The most important units of the system into `order`, as many as all memory together could hold; their number.

    Whom memory has no room for even when all of it is added up need not be packed to be dropped.
    """
    m, pool = f.m[0], f.pool
    limit = s.k[0].lanes + FITS * (s.k[0].lanes + 1)
    while True:
        left = collect(s, f, m.threshold)
        heap_up(pool, left)
        count = np.int64(0)
        total, least = 0.0, np.inf
        while left > 0 and pool[0].priority >= m.threshold:  # below it some that wait are missing
            u = s.u[pool[0].unit]
            total += u.procs * u.memory
            if total > limit:
                m.threshold = 0.5 * least if least < np.inf else 0.0
                return count
            least = pool[0].priority
            f.order[count] = take_first(pool, left)
            left -= 1
            count += 1
        if m.threshold == 0.0:
            return count
        m.threshold = 0.0  # a guess that was too high


@inner
def order_candidates(f, count):
    """The ranked units by decreasing memory and by decreasing CPU need; their priorities are used up."""
    j = f.j
    for y in range(count):
        i = f.order[y]
        f.by_memory[y] = f.by_cpu[y] = i
        j[i].candidate = 0
        j[i].priority = -j[i].rank_memory
    sort(j, f.by_memory, count)
    for y in range(count):
        j[f.order[y]].priority = -j[f.order[y]].rank_cpu
    sort(j, f.by_cpu, count)


@inner
def select(s, f, ranked):
    """The ranked units that were not dropped become rows of `cand` by decreasing memory, and `place` by CPU need."""
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
    ranked = count = rank(s, f)
    order_candidates(f, ranked)
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
def carry_out(s, f, count):
    """Pause who was dropped, then start, resume and move as the best packing says, node by node as computed."""
    m, pick, node = f.m[0], s.pick, f.node
    for y in range(m.running - 1, -1, -1):  # from the end: who leaves is replaced by the last
        if f.j[f.running[y]].candidate == NONE:
            put_aside(s, f, f.running[y])
    base = m.side * (len(f.seat) // 2)
    for y in range(count):
        c = f.cand[y]
        if c.pinned:
            continue
        for task in range(c.tasks):
            pick[task] = f.seat[base + c.first + task]
        if s.u[c.unit].state != RUNNING:
            settle_down(s, f, c.unit)
        elif not stays(s, c.unit):
            place(s, c.unit, FOREGROUND, 0.0, 0.0, m.penalty)
    for y in range(count):
        f.j[f.cand[y].unit].candidate = NONE
    for lane in range(node.shape[0]):
        node[lane].free, node[lane].load, node[lane].tasks = 1.0, 0.0, 0
    for y in range(m.running):
        sit(s, f, f.running[y], SIT)


@inner
def pack_anew(s, f):
    """Search and carry out."""
    if f.m[0].waiting + f.m[0].running > 0:
        carry_out(s, f, search(s, f))
