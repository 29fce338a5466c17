"""Build a schedule of length at most 3/2 d from an accepted guess d, for monotonic jobs.

Long jobs are on shelf 1 from 0 to d, on gamma(d) processors; short ones on shelf 2, right-aligned at 3/2 d, on
gamma(d/2). Shelf 2 may be too wide. Then jobs move, without more area, to separate processors for the whole length
(S0), each loaded by more than d, until both shelves fit (section 2.4, rules T-a to T-c, with a proof that one always
applies). Small jobs follow shelf 1 on the least loaded processor.

The proof needs that a job may lose one processor. A job that stands at its minimum may not, so the rules can end
without success. `allot` then gives the allotments of the knapsack, and list scheduling on them takes at most 2 d:
no job is longer than d, and the total area is at most m d. (Say it ends after 2 d. At each instant t in [0, d) and
at t + d together more than m processors are busy: a job that runs at t + d started after t, since it takes at most d,
hence did not fit at t. So the area exceeds m d.)
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.moldable.policies.dual import TOLERANCE, gamma, is_small, least_area, within
from shadowtime.engine.kernel.cache import allocating, inner

SMALL, S0, S1, S2 = (np.int64(code) for code in range(4))
"""Places of a job."""
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
def move(shelf, width, used, rule, i, left, joined):
    """Move job i to S0, which gets `joined` processors wider, while shelf 1 gets `left` narrower; return True."""
    shelf[i] = S0
    width[1] -= left
    width[0] += joined
    used[rule] += 1
    return True


@inner
def is_movable(p, d, shelf, size, i):
    """Return whether job i is on shelf 1 and takes at most 3/4 d."""
    return shelf[i] == S1 and within(p[i, size[i] - 1], 0.75 * d)


@inner
def rule_a(p, d, shelf, size, width, used):
    """Apply T-a: a job of shelf 1 on several processors with time <= 3/4 d goes to S0 on one fewer."""
    for i in range(len(shelf)):
        if size[i] > 1 and is_movable(p, d, shelf, size, i) and p[i, size[i] - 2] < np.inf:
            size[i] -= 1
            return move(shelf, width, used, 0, i, size[i] + 1, size[i])
    return False


@inner
def rule_b(p, d, shelf, size, width, start, used):
    """Apply T-b: two one-processor jobs of shelf 1 with times <= 3/4 d share one processor of S0."""
    first = -1
    for i in range(len(shelf)):
        if size[i] == 1 and is_movable(p, d, shelf, size, i):
            if first >= 0:
                shelf[first], start[i] = S0, p[first, 0]
                return move(shelf, width, used, 1, i, 2, 1)
            first = i
    return False


@inner
def rule_b1(p, d, shelf, size, width, start, guests, used):
    """Apply T-b': the last such job J follows a job H of shelf 1 on one of its processors, which then counts in S0."""
    last = -1
    for i in range(len(shelf)):
        if size[i] == 1 and guests[i] == 0 and is_movable(p, d, shelf, size, i):
            last = i
    for i in range(len(shelf)):
        if last >= 0 and i != last and shelf[i] == S1 and guests[i] < size[i]:
            length = p[i, size[i] - 1]
            if within(length + p[last, 0], HALVES * d):
                guests[i] += 1
                start[last] = length
                return move(shelf, width, used, 2, last, 2, 1)
    return False


@inner
def rule_c(p, d, shelf, size, width, used):
    """Apply T-c: a job of shelf 2 that fits, at 3/2 d, beside shelf 1 moves there, or to S0 if longer than d."""
    idle = p.shape[1] - width[0] - width[1]
    for i in range(len(shelf)):
        k = gamma(p, i, HALVES * d) if shelf[i] == S2 and idle > 0 else idle + 1
        if k <= idle:
            width[2] -= size[i]
            size[i] = k
            shelf[i] = S1 if within(p[i, k - 1], d) else S0
            width[shelf[i] - S0] += k
            used[3] += 1
            return True
    return False


@inner
def transform(p, d, shelf, size, start, guests, width, used):
    """Move jobs until both shelves fit beside S0; return False if no rule applies.

    That is impossible for monotonic jobs without a minimum.
    """
    m = p.shape[1]
    while width[0] + width[1] > m or width[0] + width[2] > m:
        if not (
            rule_a(p, d, shelf, size, width, used)
            or rule_b(p, d, shelf, size, width, start, used)
            or rule_b1(p, d, shelf, size, width, start, guests, used)
            or rule_c(p, d, shelf, size, width, used)
        ):
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
def allot(p, area, d):
    """Return `shelf` and `size` of each job by the knapsack, before any rule, and whether d is accepted."""
    n, m = p.shape
    shelf, size = np.zeros(n, np.int64), np.zeros(n, np.int64)
    choices = np.zeros((n, m + 1), np.bool_)
    accepted = least_area(p, area, d, choices) <= m * d * (1.0 + TOLERANCE)
    if accepted:
        place_big(p, d, choices, shelf, size)
    return shelf, size, accepted


@allocating
def build(p, area, d, used):
    """Return a schedule of length at most 3/2 d: `shelf`, `size` and `start` (n values each), and whether it succeeded.

    `used` is increased by the number of applications of rules T-a, T-b, T-b', T-c. It fails if d is rejected, if the
    jobs are not monotonic, or if minimums prevent all rules.
    """
    n = len(p)
    guests, start = np.zeros(n, np.int64), np.zeros(n)
    shelf, size, accepted = allot(p, area, d)
    if not accepted:
        return shelf, size, start, False
    width = np.zeros(3, np.int64)
    for i in range(n):
        if shelf[i] != SMALL:
            width[shelf[i] - S0] += size[i]
    fits = transform(p, d, shelf, size, start, guests, width, used)
    if fits:
        add_small(p, d, shelf, size, start, guests, width)
    return shelf, size, start, fits
