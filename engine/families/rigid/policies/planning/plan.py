"""Plan-based scheduling: the waiting jobs are planned in the best order that simulated annealing finds.

X. Zheng, Z. Zhou, X. Yang, Z. Lan and J. Wang, Exploring plan-based scheduling for large-scale computing systems, IEEE
CLUSTER 2016. Numbers, and the search of all orders of at most 5 jobs, are those of J. Kopanski and K. Rzadca,
Plan-based job scheduling for supercomputers with shared burst buffers, Euro-Par 2021, and of its published code.

An order becomes a plan: each job in turn takes its earliest start in the profile of running jobs and of the jobs
before it. The plan with the smallest objective counts; what it starts now starts, the rest is planned again next time.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.instant import drive_events, start
from shadowtime.engine.families.rigid.policies.backfilling.profiles import lay_running
from shadowtime.engine.families.rigid.policies.backfilling.queue import compact
from shadowtime.engine.families.rigid.policies.planning.draws import draw_below, draw_log
from shadowtime.engine.families.rigid.policies.planning.orders import INITIAL, line_up, next_permutation, swap
from shadowtime.engine.families.rigid.policies.running import free_processors
from shadowtime.engine.kernel import profile
from shadowtime.engine.kernel.cache import compiled, inner
from shadowtime.engine.kernel.profile import Profile

FEW = 5
"""Waiting jobs up to which all orders are tried."""

TAU = 10.0
"""Run time from which a slowdown counts [s]."""


@inner
def cost(s, q, i, begin):
    """Return the share of unit `i` in the objective: its wait from now on, or its bounded slowdown."""
    if q.search[0].by_slowdown:
        length = q.predicted[i]
        return max(1.0, (begin - s.u[i].release + length) / max(length, TAU))
    return begin - s.k[0].now


@inner
def copy_profile(q):
    """Begin a plan: only the running jobs are in it."""
    first, stop = q.span[0], q.span[1]
    for y in range(first, stop):
        q.at2[y - first], q.free2[y - first] = q.at[y], q.free[y]
    q.span2[0], q.span2[1] = 0, stop - first


@inner
def score(s, q, rows, limit):
    """Plan the units in the order of `rows`, write their starts into `found`, and return the objective.

    Stops as soon as the sum is above `limit`: no share is negative.
    """
    copy_profile(q)
    plan = Profile(q.span2, q.at2, q.free2)
    total = 0.0
    for y in range(q.m[0].waiting):
        i = rows[y]
        size, length = (s.u[i].procs,), q.predicted[i]
        begin = profile.earliest(plan, s.k[0].now, size, length, np.inf)
        profile.insert(plan, begin, begin + length, size)
        q.found[i] = begin
        total += cost(s, q, i, begin)
        if total > limit:
            break
    return total


@inner
def keep_best(q):
    """Keep the order in `line` as the best one."""
    for y in range(q.m[0].waiting):
        q.tried[y] = q.line[y]


@inner
def try_all(s, q):
    """Find the best of all orders; of equals, the first in lexicographic order."""
    m, lowest = q.m[0], np.inf
    for y in range(m.waiting):
        q.line[y] = q.queue[y]
    while True:
        found = score(s, q, q.line, lowest)
        if found < lowest:
            lowest = found
            keep_best(q)
        if not next_permutation(q.line, m.waiting):
            return


@inner
def try_initial(s, q):
    """Find the best of the initial orders; return its objective and that of the worst one."""
    lowest, highest = np.inf, -np.inf
    for order in INITIAL:
        line_up(s, q, order)
        found = score(s, q, q.line, np.inf)
        if found < lowest:
            lowest = found
            keep_best(q)
        highest = max(highest, found)
    return lowest, highest


@inner
def anneal(s, q, lowest, temperature):
    """Improve the best order by exchanges of two jobs; a worse order is accepted with probability exp(-more / T).

    The random number is drawn before the plan is made, so that a plan which it rejects need not be completed.
    """
    m, search = q.m[0], q.search[0]
    current = lowest
    for y in range(m.waiting):
        q.line[y] = q.tried[y]
    for number in range(search.iterations):
        if number > 0 and number % search.steps == 0:
            temperature *= search.cooling
        a, b = draw_below(search, m.waiting), draw_below(search, m.waiting - 1)
        if b >= a:
            b += 1
        limit = current - temperature * draw_log(search)
        swap(q.line, a, b)
        found = score(s, q, q.line, limit)
        if found > limit:
            swap(q.line, a, b)
            continue
        current = found
        if found < lowest:
            lowest = found
            keep_best(q)


@inner
def start_planned(s, q):
    """Start the jobs that the best plan starts now, on processors that are actually free."""
    score(s, q, q.tried, np.inf)
    for y in range(q.m[0].waiting):
        i = q.tried[y]
        if q.found[i] <= s.k[0].now and s.u[i].procs <= free_processors(s):
            start(s, q, i)
    compact(s, q)


@inner
def schedule(s, q):
    """Plan all waiting jobs, if one of them fits now at all; start those that are due."""
    m = q.m[0]
    if m.waiting == 0 or free_processors(s) < m.smallest:
        return
    lay_running(s, q, q)
    if m.waiting <= FEW:
        try_all(s, q)
    else:
        lowest, highest = try_initial(s, q)
        if highest > lowest:
            anneal(s, q, lowest, highest - lowest)
    start_planned(s, q)


@compiled
def run_plan(s, q, budget):
    """Advance the run by about `budget` acts; True while there is more to do."""
    return drive_events(s, q, schedule, budget)
