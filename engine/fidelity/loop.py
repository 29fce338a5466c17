"""The compiled loop of the quick model: EASY backfilling in an order of priorities, with limits and closed hours."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import allocating

NEVER = 1e300
HOUR = 3600.0


@allocating
def simulate(ready, runtime, request, size, user, bonus, lanes, ceiling_from, ceiling, most_jobs, most_lanes, fair,
             half_life, users, period, most_looks, most_waited):  # fmt: skip
    """Return the start of each job; NaN where the simulation was given up.

    Parameters
    ----------
    ready
        n instants at which jobs may first start, ascending [s].
    bonus
        n times by which a job goes before others that were ready with it [s].
    ceiling
        Longest request that may start, for each hour from instant `ceiling_from` on [s]; none after the last.
    most_jobs, most_lanes
        What the running jobs of one user may be together; one job may always run.
    fair
        Weight of the fair-share factor 2^(-share of the usage x users) [s], usage with a half-life [s].
    period
        Time between two recomputations of the factors [s].
    most_looks, most_waited
        A simulation that looks at more waiting jobs, or in which jobs wait longer together [s], is given up.
    """
    n, hours = len(ready), len(ceiling)
    start = np.full(n, np.nan)
    waiting, key, many = np.empty(n, np.int64), np.empty(n), 0
    planned, planned_end = np.empty(lanes + 1, np.int64), np.empty(lanes + 1)  # running jobs, first planned end first
    ending, end_of = np.empty(lanes + 1), np.empty(lanes + 1, np.int64)  # running jobs, last true end first
    running = 0
    jobs_of, lanes_of = np.zeros(users, np.int64), np.zeros(users, np.int64)
    usage, total = np.zeros(users), 1e-300
    free, next_job, now, sorted_at, looks, waited = lanes, 0, ready[0], -NEVER, 0, 0.0
    while next_job < n or running > 0 or many > 0:
        then = NEVER
        if next_job < n:
            then = ready[next_job]
        if running > 0 and ending[running - 1] < then:
            then = ending[running - 1]
        if many > 0:
            at = int((now - ceiling_from) // HOUR)
            if at < hours and ceiling[at] < NEVER:
                while at + 1 < hours and ceiling[at + 1] <= ceiling[at]:
                    at += 1
                opens = ceiling_from + (at + 1) * HOUR
                if now < opens < then:
                    then = opens
        if then >= NEVER:
            break
        waited += many * (then - now)
        if waited > most_waited or looks > most_looks:
            break
        now = then
        while running > 0 and ending[running - 1] <= now:
            running -= 1
            j = end_of[running]
            free += size[j]
            jobs_of[user[j]] -= 1
            lanes_of[user[j]] -= size[j]
            a = 0
            while planned[a] != j:
                a += 1
            for b in range(a, running):
                planned[b], planned_end[b] = planned[b + 1], planned_end[b + 1]
            if fair > 0:  # usage is kept in units that grow by the half-life, so that older usage weighs less
                charge = size[j] * runtime[j] * 2.0 ** ((now - ready[0]) / half_life - 300.0)
                usage[user[j]] += charge
                total += charge
        before = many
        while next_job < n and ready[next_job] <= now:
            waiting[many] = next_job
            many += 1
            next_job += 1
        if many == 0:
            continue
        if fair > 0 and now - sorted_at >= period:
            for a in range(many):
                j = waiting[a]
                key[a] = ready[j] - bonus[j] - fair * 2.0 ** (-usage[user[j]] / total * users)
            order = np.argsort(key[:many], kind="mergesort")
            waiting[:many], key[:many] = waiting[:many][order], key[:many][order]
            sorted_at = now
            looks += 10 * many
        else:
            for a in range(before, many):
                j = waiting[a]
                k = ready[j] - bonus[j]
                if fair > 0:
                    k -= fair * 2.0 ** (-usage[user[j]] / total * users)
                b = a
                while b > 0 and key[b - 1] > k:
                    waiting[b], key[b] = waiting[b - 1], key[b - 1]
                    b -= 1
                waiting[b], key[b] = j, k
        if free == 0:
            continue
        hour = int((now - ceiling_from) // HOUR)
        longest = ceiling[hour] if hour < hours else NEVER
        if longest <= 0:
            continue
        shadow, extra, is_reserved, kept = NEVER, lanes, False, 0
        looks += many
        for a in range(many):
            j = waiting[a]
            width, u, goes = size[j], user[j], False
            if free > 0 and (jobs_of[u] == 0 or (jobs_of[u] < most_jobs and lanes_of[u] + width <= most_lanes)):
                if request[j] <= longest and width <= free:
                    if not is_reserved or now + request[j] <= shadow:
                        goes = True
                    elif width <= extra:
                        goes = True
                        extra -= width
                elif not is_reserved:
                    is_reserved = True
                    shadow, extra, b = now, free, 0
                    if request[j] > longest:
                        at = hour + 1
                        while at < hours and ceiling[at] < request[j]:
                            at += 1
                        shadow = ceiling_from + at * HOUR
                    while b < running and (extra < width or planned_end[b] <= shadow):
                        extra += size[planned[b]]
                        shadow = max(shadow, planned_end[b], now + 1.0)
                        b += 1
                    extra -= width
            if goes:
                start[j] = now
                free -= width
                jobs_of[u] += 1
                lanes_of[u] += width
                b = running
                while b > 0 and ending[b - 1] < now + runtime[j]:
                    ending[b], end_of[b] = ending[b - 1], end_of[b - 1]
                    b -= 1
                ending[b], end_of[b] = now + runtime[j], j
                b = running
                while b > 0 and planned_end[b - 1] > now + request[j]:
                    planned[b], planned_end[b] = planned[b - 1], planned_end[b - 1]
                    b -= 1
                planned[b], planned_end[b] = j, now + request[j]
                running += 1
            else:
                waiting[kept], key[kept] = j, key[a]
                kept += 1
        many = kept
    return start
