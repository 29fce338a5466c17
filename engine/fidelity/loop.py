"""The compiled loop of the quick model: EASY backfilling in an order of priorities, with limits and closed hours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shadowtime.engine.kernel.cache import allocating, inner

NEVER = 1e300
HOUR = 3600.0


class Jobs(NamedTuple):
    """n jobs, by the instant at which they are ready; times in s."""

    ready: np.ndarray
    """Instants at which jobs may first start, ascending."""
    runtime: np.ndarray
    request: np.ndarray
    size: np.ndarray
    user: np.ndarray
    bonus: np.ndarray
    """Times by which a job goes before others that were ready with it."""


class Rules(NamedTuple):
    """The machine and what a site adds to EASY."""

    lanes: int
    since: float
    ceiling: np.ndarray
    """Longest request that may start, for each hour from instant `since` on [s]; none after the last."""
    most_jobs: float
    most_lanes: float
    """What the running jobs of one user may be together; one job may always run."""
    fair: float
    """Weight of the fair-share factor 2^(-share of the usage x users) [s]."""
    half_life: float
    """Of usage [s]."""
    users: int
    period: float
    """Time between two recomputations of the factors [s]."""
    most_looks: int
    most_waited: float
    """A simulation that looks at more waiting jobs, or in which jobs wait longer together [s], is given up."""


class Running(NamedTuple):
    """Running jobs twice: by their planned end, and by their true end from the last to the first, which is negated."""

    planned_end: np.ndarray
    planned: np.ndarray
    ending: np.ndarray
    end_of: np.ndarray
    jobs_of: np.ndarray
    lanes_of: np.ndarray
    """Jobs and lanes of each user."""


@allocating
def simulate(jobs, rules):
    """Return the start of each of these Jobs under these Rules; NaN where the simulation was given up."""
    ready, fair, n = jobs.ready, rules.fair, len(jobs.ready)
    start = np.full(n, np.nan)
    waiting, key, many = np.empty(n, np.int64), np.empty(n), 0
    rows = rules.lanes + 1
    held = Running(np.empty(rows), np.empty(rows, np.int64), np.empty(rows), np.empty(rows, np.int64),
                   np.zeros(rules.users, np.int64), np.zeros(rules.users, np.int64))  # fmt: skip
    usage, total = np.zeros(rules.users), 1e-300
    running, free, next_job, now, sorted_at, looks, waited = 0, rules.lanes, 0, ready[0], -NEVER, 0, 0.0
    while next_job < n or running > 0 or many > 0:
        then = NEVER
        if next_job < n:
            then = ready[next_job]
        if running > 0:
            then = min(then, -held.ending[running - 1])
        if many > 0:
            opens = opening(rules, now)
            if now < opens:
                then = min(then, opens)
        if then >= NEVER:
            break
        waited += many * (then - now)
        if waited > rules.most_waited or looks > rules.most_looks:
            break
        now = then
        while running > 0 and -held.ending[running - 1] <= now:
            running -= 1
            j = held.end_of[running]
            free += jobs.size[j]
            held.jobs_of[jobs.user[j]] -= 1
            held.lanes_of[jobs.user[j]] -= jobs.size[j]
            take_out(held.planned_end, held.planned, running + 1, j)
            if fair > 0:  # usage is kept in units that grow by the half-life, so that older usage weighs less
                charge = jobs.size[j] * jobs.runtime[j] * 2.0 ** ((now - ready[0]) / rules.half_life - 300.0)
                usage[jobs.user[j]] += charge
                total += charge
        before = many
        while next_job < n and ready[next_job] <= now:
            waiting[many] = next_job
            many += 1
            next_job += 1
        if many == 0:
            continue
        if fair > 0 and now - sorted_at >= rules.period:
            for a in range(many):
                key[a] = rank(jobs, rules, usage, total, waiting[a])
            order = np.argsort(key[:many], kind="mergesort")
            waiting[:many], key[:many] = waiting[:many][order], key[:many][order]
            sorted_at = now
            looks += 10 * many
        else:
            for a in range(before, many):
                put(key, waiting, a, rank(jobs, rules, usage, total, waiting[a]), waiting[a])
        hour = int((now - rules.since) // HOUR)
        longest = rules.ceiling[hour] if hour < len(rules.ceiling) else NEVER
        if free > 0 and longest > 0:
            looks += many
            many, running, free = backfill(jobs, rules, held, start, waiting, key, many, running, free, now, longest)
    return start


@inner
def backfill(jobs, rules, held, start, waiting, key, many, running, free, now, longest):
    """Start what may start by EASY, in the order of keys; return how many jobs wait and run then, and the free lanes.

    longest: request that may start now [s].
    """
    shadow, extra, is_reserved, kept = NEVER, rules.lanes, False, 0
    for a in range(many):
        j = waiting[a]
        width, asked, goes = jobs.size[j], jobs.request[j], False
        if free > 0 and within_limits(rules, held, jobs.user[j], width):
            if asked <= longest and width <= free:
                in_time = not is_reserved or now + asked <= shadow
                goes = in_time or width <= extra
                if not in_time and goes:
                    extra -= width
            elif not is_reserved:
                is_reserved = True
                shadow, extra = reserve(jobs, rules, held, running, free, now, j, longest)
        if goes:
            start[j] = now
            free -= width
            held.jobs_of[jobs.user[j]] += 1
            held.lanes_of[jobs.user[j]] += width
            put(held.ending, held.end_of, running, -(now + jobs.runtime[j]), j)
            put(held.planned_end, held.planned, running, now + asked, j)
            running += 1
        else:
            waiting[kept], key[kept] = j, key[a]
            kept += 1
    return kept, running, free


@inner
def reserve(jobs, rules, held, running, free, now, j, longest):
    """Return the instant at which job j can start at the latest, and the lanes that are left beside it then."""
    shadow, extra, b = now, free, 0
    if jobs.request[j] > longest:
        at = int((now - rules.since) // HOUR) + 1
        while at < len(rules.ceiling) and rules.ceiling[at] < jobs.request[j]:
            at += 1
        shadow = rules.since + at * HOUR
    while b < running and (extra < jobs.size[j] or held.planned_end[b] <= shadow):
        extra += jobs.size[held.planned[b]]
        shadow = max(shadow, held.planned_end[b], now + 1.0)
        b += 1
    return shadow, extra - jobs.size[j]


@inner
def within_limits(rules, held, user, width):
    """Return whether a job of a user may run beside the jobs that this user runs now."""
    count, lanes = held.jobs_of[user], held.lanes_of[user] + width
    return count == 0 or (count < rules.most_jobs and lanes <= rules.most_lanes)


@inner
def opening(rules, now):
    """Return the next instant at which longer requests may start than now; NEVER where any may."""
    at, hours = int((now - rules.since) // HOUR), len(rules.ceiling)
    if at >= hours or rules.ceiling[at] >= NEVER:
        return NEVER
    while at + 1 < hours and rules.ceiling[at + 1] <= rules.ceiling[at]:
        at += 1
    return rules.since + (at + 1) * HOUR


@inner
def rank(jobs, rules, usage, total, j):
    """Return the key by which job j waits, the smallest first [s]."""
    key = jobs.ready[j] - jobs.bonus[j]
    if rules.fair > 0:
        key -= rules.fair * 2.0 ** (-usage[jobs.user[j]] / total * rules.users)
    return key


@inner
def put(keys, values, n, key, value):
    """Put an entry among the first n, which ascend by key, behind those with the same key."""
    at = n
    while at > 0 and keys[at - 1] > key:
        keys[at], values[at] = keys[at - 1], values[at - 1]
        at -= 1
    keys[at], values[at] = key, value


@inner
def take_out(keys, values, n, value):
    """Take the entry with this value out of the first n."""
    at = 0
    while values[at] != value:
        at += 1
    for b in range(at, n - 1):
        keys[b], values[b] = keys[b + 1], values[b + 1]
