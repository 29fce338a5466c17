"""Build a schedule of length at most 3/2 d from an accepted guess d, for monotonic jobs.

Long jobs are on shelf 1 from 0 to d, on gamma(d) processors; short ones on shelf 2, right-aligned at 3/2 d, on
gamma(d/2). Shelf 2 may be too wide. Then jobs move, without more area, to separate processors for the whole length
(S0), each loaded by more than d, until both shelves fit (section 2.4, rules T-a to T-c, with a proof that one always
applies). Small jobs follow shelf 1 on the least loaded processor.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.moldable.policies.canonical import TOLERANCE, gamma, within
from shadowtime.engine.families.moldable.policies.dual import is_small, least_area
from shadowtime.engine.kernel.cache import allocating, inner

SMALL, S0, S1, S2 = (np.int64(code) for code in range(4))
NAMES = ("small", "shelf 0", "shelf 1", "shelf 2")
"""Names of the places of a job, by code."""

HALVES = 1.5
"""Length of the schedule over the guess."""


@inner
def place_big(p, d, choices, shelf, size):
    """Set shelf and size of each job by the choices of the knapsack, traced back from all m processors."""
    n, m = p.shape
    q = m
    for i in range(n - 1, -1, -1):
        if is_small(p, i, d):
            shelf[i], size[i] = SMALL, 1
        elif choices[i, q]:
            shelf[i], size[i] = S1, gamma(p, i, d)
            q -= size[i]
        else:
            shelf[i], size[i] = S2, gamma(p, i, 0.5 * d)


@inner
def rule_a(p, d, shelf, size, width, used):
    """Apply T-a: a job of shelf 1 on several processors with time <= 3/4 d goes to S0 on one fewer."""
    for i in range(len(shelf)):
        if shelf[i] == S1 and size[i] > 1 and within(p[i, size[i] - 1], 0.75 * d):
            width[1] -= size[i]
            size[i] -= 1
            width[0] += size[i]
            shelf[i] = S0
            used[0] += 1
            return True
    return False


@inner
def rule_b(p, d, shelf, size, width, start, used):
    """Apply T-b: two one-processor jobs of shelf 1 with times <= 3/4 d share one processor of S0."""
    first = -1
    for i in range(len(shelf)):
        if shelf[i] == S1 and size[i] == 1 and within(p[i, 0], 0.75 * d):
            if first < 0:
                first = i
                continue
            shelf[first], shelf[i] = S0, S0
            start[i] = p[first, 0]
            width[1] -= 2
            width[0] += 1
            used[1] += 1
            return True
    return False


@inner
def rule_b1(p, d, shelf, size, width, start, guests, used):
    """Apply T-b': the last such job J follows a job H of shelf 1 on one of its processors, which then counts in S0."""
    last = -1
    for i in range(len(shelf)):
        if shelf[i] == S1 and size[i] == 1 and guests[i] == 0 and within(p[i, 0], 0.75 * d):
            last = i
    if last < 0:
        return False
    for i in range(len(shelf)):
        if i != last and shelf[i] == S1 and guests[i] < size[i]:
            length = p[i, size[i] - 1]
            if within(length + p[last, 0], HALVES * d):
                guests[i] += 1
                shelf[last], start[last] = S0, length
                width[1] -= 2
                width[0] += 1
                used[2] += 1
                return True
    return False


@inner
def rule_c(p, d, shelf, size, width, used):
    """Apply T-c: a job of shelf 2 that fits, at 3/2 d, beside shelf 1 moves there, or to S0 if longer than d."""
    idle = p.shape[1] - width[0] - width[1]
    if idle < 1:
        return False
    for i in range(len(shelf)):
        if shelf[i] == S2:
            k = gamma(p, i, HALVES * d)
            if k <= idle:
                width[2] -= size[i]
                size[i] = k
                shelf[i] = S1 if within(p[i, k - 1], d) else S0
                width[0 if shelf[i] == S0 else 1] += k
                used[3] += 1
                return True
    return False


@inner
def transform(p, d, shelf, size, start, guests, width, used):
    """Move jobs until both shelves fit beside S0; return False if no rule applies, impossible for monotonic jobs."""
    m = p.shape[1]
    while width[0] + width[1] > m or width[0] + width[2] > m:
        if rule_a(p, d, shelf, size, width, used):
            continue
        if rule_b(p, d, shelf, size, width, start, used):
            continue
        if rule_b1(p, d, shelf, size, width, start, guests, used):
            continue
        if not rule_c(p, d, shelf, size, width, used):
            return False
    return True


@inner
def fill(columns, begin, count, time):
    """Add `time` to `count` processors from `begin` on; return the place after them."""
    for y in range(begin, begin + count):
        columns[y] += time
    return begin + count


@allocating
def add_small(p, d, shelf, size, start, guests, width):
    """Start short jobs so that they end at 3/2 d, and each small job after shelf 1 on the least loaded processor."""
    n, m = p.shape
    below, above = np.zeros(m), np.zeros(m)  # seconds used from the left, and on shelf 2
    for y in range(width[0]):
        below[y] = HALVES * d  # of S0: loaded by more than d, so never the least loaded
    one, two = width[0], width[0]
    for i in range(n):
        if shelf[i] == S1:
            one = fill(below, one, size[i] - guests[i], p[i, size[i] - 1])
        elif shelf[i] == S2:
            two = fill(above, two, size[i], p[i, size[i] - 1])
            start[i] = HALVES * d - p[i, size[i] - 1]
    for i in range(n):
        if shelf[i] == SMALL:
            best = 0
            for y in range(1, m):
                if below[y] + above[y] < below[best] + above[best]:
                    best = y
            start[i] = below[best]
            below[best] += p[i, 0]


@allocating
def build(p, area, d, used):
    """Return a schedule of length at most 3/2 d: `shelf`, `size` and `start` (n values each), and whether it succeeded.

    `used` is increased by the number of applications of rules T-a, T-b, T-b', T-c. It fails if d is rejected, or if the
    jobs are not monotonic.
    """
    n, m = p.shape
    shelf, size, guests = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    start = np.zeros(n)
    choices = np.zeros((n, m + 1), np.bool_)
    if not least_area(p, area, d, choices) <= m * d * (1.0 + TOLERANCE):
        return shelf, size, start, False
    place_big(p, d, choices, shelf, size)
    width = np.zeros(3, np.int64)
    for i in range(n):
        if shelf[i] == S1:
            width[1] += size[i]
        elif shelf[i] == S2:
            width[2] += size[i]
    if not transform(p, d, shelf, size, start, guests, width, used):
        return shelf, size, start, False
    add_small(p, d, shelf, size, start, guests, width)
    return shelf, size, start, True
