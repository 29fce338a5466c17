"""EASY backfilling that looks ahead: of the jobs that could backfill, the set that uses most processors now.

E. Shmueli and D. G. Feitelson, Backfilling with lookahead to optimize the packing of parallel jobs, JPDC 65, 2005.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.easy import begin_pass, reserve_head, usable
from shadowtime.engine.families.rigid.policies.backfilling.instant import drive_events, start
from shadowtime.engine.families.rigid.policies.backfilling.queue import candidate, compact, sort_backfill_order
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.record import BACKFILL, note
from shadowtime.engine.kernel.state import FOREGROUND

NEVER = np.int64(2**62)


@inner
def collect_window(s, q, free):
    """Write the first `window` candidates that fit now into `line`; return how many there are."""
    m, count = q.m[0], 0
    for y in range(m.waiting):
        i = candidate(q, y)
        if i != q.queue[0] and s.u[i].procs <= free:
            q.line[count] = i
            count += 1
            if count == m.window:
                break
    return count


@inner
def extra_use(s, q, i):
    """Return how many of the extra processors unit `i` uses: none if it ends by the shadow time."""
    return np.int64(0) if s.k[0].now + q.predicted[i] <= q.m[0].shadow else s.u[i].procs


@inner
def tabulate(s, q, count, free):
    """Fill `least`: row y, column a is the least extra use with which candidates y.. use exactly `a` processors now.

    O(count free).
    """
    least, width = q.least, free + 1
    base = count * width
    for a in range(width):
        least[base + a] = NEVER
    least[base] = 0
    for y in range(count - 1, -1, -1):
        base = y * width
        size, use = s.u[q.line[y]].procs, extra_use(s, q, q.line[y])
        for a in range(width):
            least[base + a] = least[base + width + a]
            if a >= size and least[base + width + a - size] < NEVER:
                least[base + a] = min(least[base + a], least[base + width + a - size] + use)


@inner
def start_best(s, q, count, free, extra):
    """Start the best set; of several, the one with the earliest candidate in which they differ."""
    m, width, left = q.m[0], free + 1, free
    while q.least[left] > extra:
        left -= 1
    for y in range(count):
        i = q.line[y]
        size, use = s.u[i].procs, extra_use(s, q, i)
        if size <= left and use <= extra and q.least[(y + 1) * width + left - size] <= extra - use:
            note(s, BACKFILL, i, FOREGROUND, q.queue[0], m.shadow)
            start(s, q, i)
            left -= size
            extra -= use


@inner
def schedule(s, q):
    """Start jobs from the head of the queue while they fit, then the best set of the others."""
    if not begin_pass(s, q):
        return
    extra, free = reserve_head(s, q), usable(s, q)
    if free < q.m[0].smallest:
        return
    sort_backfill_order(s, q)
    count = collect_window(s, q, free)
    if count > 0:
        tabulate(s, q, count, free)
        start_best(s, q, count, free, extra)
        compact(s, q)


@compiled
def run_lookahead(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive_events(s, q, schedule, budget)
