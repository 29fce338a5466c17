"""SJS and PJS as the specification reads, slow and obvious: the fast planner must give the same slots."""

from __future__ import annotations

import math

INF = math.inf


def greedy(jobs, times, free, largest):
    """{job: (machine, start, end)} and the clocks: each step looks at every job and every machine."""
    slots, free, left = {}, list(free), set(jobs)
    while True:
        best = {}
        for job in left:
            completions = [(free[m] + times[job][m], m) for m in range(len(free))]
            end, machine = min(completions)
            if end < INF:
                best[job] = (end, machine)
        if not best:
            return slots, free
        chosen = min(best, key=lambda job: ((-1 if largest else 1) * best[job][0], job))
        end, machine = best[chosen]
        slots[chosen] = ("machine", machine, free[machine], end)
        free[machine] = end
        left.remove(chosen)


def sjs(jobs, times, free):
    """The better of min-min and min-max; min-min when equal."""
    low, high = greedy(jobs, times, free, False), greedy(jobs, times, free, True)
    return low if total(low[0]) <= total(high[0]) else high


def total(slots):
    return sum(slot[3] for slot in slots.values())


def pjs(jobs, times, together, clusters, free):
    """(slots, clocks, SJS calls)."""
    best, after = sjs(jobs, times, free)
    calls, parallel, clocks = 1, {}, list(free)
    while True:
        candidates = []
        for job in jobs:
            if job in parallel:
                continue
            alone = min((times[job][m] for m in range(len(free)) if free[m] < INF), default=INF)
            for c, members in enumerate(clusters):
                begins = max(clocks[m] for m in members)
                if together[job][c] < INF and begins < INF and alone - together[job][c] > 0:
                    candidates.append((-(alone - together[job][c]), begins, job, c))
        if not candidates:
            return best, after, calls
        _, begins, job, c = min(candidates)
        trial = dict(parallel)
        trial[job] = ("cluster", c, begins, begins + together[job][c])
        moved = list(clocks)
        for m in clusters[c]:
            moved[m] = trial[job][3]
        rest, free_after = sjs([other for other in jobs if other not in trial], times, moved)
        calls += 1
        whole = {**rest, **trial}
        more = len(whole) > len(best)
        if not more and not (len(whole) == len(best) and total(whole) < total(best) - 1e-9 * abs(total(best))):
            return best, after, calls
        best, after, parallel, clocks = whole, free_after, trial, moved
