"""The smallest target at which the capacity open to a set of jobs reaches their work; see `cut`, compiled."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.bounds.sums import pairwise_sum
from shadowtime.engine.kernel.cache import allocating, inner

STEPS = 200
FAR = 16
"""Places by which a job moves on average before a full sort is quicker than to insert each where it belongs."""


@inner
def sort_again(due, order, most):
    """Sort `order` by `due`, then by row, by insertion; return whether at most `most` moves sufficed."""
    moves = np.int64(0)
    for i in range(1, len(order)):
        job, at = order[i], i
        time = due[job]
        while at > 0 and (due[order[at - 1]] > time or (due[order[at - 1]] == time and order[at - 1] > job)):
            order[at] = order[at - 1]
            at -= 1
            moves += 1
        order[at] = job
        if moves > most:
            return False
    return True


@allocating
def outline(release, due, by_due, width, scale, lanes, done, lost):
    """Return the lane-seconds that jobs can use between their releases and deadlines, and their growth with the target:
    each deadline takes lanes away, and moves by the scale of its job. `done` and `lost` are scratch space."""
    n, r, d = len(release), np.int64(0), np.int64(0)
    level, now, used = 0.0, release[0], 0.0
    for i in range(2 * n):
        if r < n and release[r] <= due[by_due[d]]:
            time = release[r]
            level += width[r]
            r += 1
        else:
            j = by_due[d]
            time = due[j]
            level -= width[j]
            lost[d] = (min(level + width[j], lanes) - min(level, lanes)) * scale[j]
            d += 1
        if i > 0:
            done[i - 1] = used * (time - now)
        now, used = time, min(level, lanes)
    return pairwise_sum(done, np.int64(0), np.int64(2 * n - 1)), pairwise_sum(lost, np.int64(0), np.int64(n))


@allocating
def meet(release, scale, width, total, lanes, target, by_due):
    """Return the smallest S > target with `G_A(S) >= total`: bracketed Newton steps (G_A rises, piecewise linear).

    `by_due` is the order of the jobs by their deadlines at `target`, equal ones by row. From step to step it hardly
    changes, so that it is corrected rather than sorted.
    """
    n = len(release)
    done, lost, due, order = np.empty(2 * n - 1), np.empty(n), np.empty(n), by_due.copy()
    low, high, at = target, np.inf, target
    for _ in range(STEPS):
        for j in range(n):
            due[j] = release[j] + at * scale[j]
        if not sort_again(due, order, FAR * n):
            order[:] = np.argsort(due, kind="mergesort")
        had, slope = outline(release, due, order, width, scale, lanes, done, lost)
        missing = total - had
        if missing > 0.0:
            low = at
        else:
            high = at
        step = at + missing / slope if slope > 0.0 else np.inf
        if low < step and step < high:
            if abs(step - at) <= 1e-15 * at:
                return step
            at = step
        elif high == np.inf:
            at = 2.0 * at
        else:
            at = 0.5 * (low + high)
            if not (low < at and at < high):
                break
    return high if high < np.inf else target  # no finite S: only rounding violates the cut
