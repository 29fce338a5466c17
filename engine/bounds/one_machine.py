"""One machine that always runs the most urgent job and preempts it when a more urgent one is released."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.binary_heap import NO_VERSION, entries, pop, push
from shadowtime.engine.kernel.cache import allocating


def preempt(release: np.ndarray, length: np.ndarray, rank: np.ndarray, by_rest: bool):
    """Run jobs of `length` seconds (speed 1) by smallest `rank`, or by shortest remaining time if `by_rest`.

    Jobs are in order of release; among equal ones the earlier row goes first.

    Returns
    -------
    Three arrays of n values: the mean time at which each job was served minus its release [s]; its end minus its
    release [s]; the number of its busy period, from 0.
    """
    return _preempt(release, length, rank, by_rest, entries(len(release)))


@allocating
def _preempt(release, length, rank, by_rest, heap):
    """Implement `preempt`; `heap` holds the waiting jobs."""
    n = len(release)
    rest = length.copy()
    served, flow, period = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    count, waiting, busy = np.int64(0), np.int64(0), np.int64(-1)
    now, coming = 0.0, release[0]  # the next release; +inf after the last
    while waiting < n or count > 0:
        if count == 0:
            now = coming
            busy += 1
        while coming <= now:
            push(heap, count, length[waiting] if by_rest else rank[waiting], waiting, NO_VERSION)
            period[waiting] = busy
            count += 1
            waiting += 1
            coming = release[waiting] if waiting < n else np.inf
        job = heap[0].unit
        end = min(now + rest[job], coming)
        served[job] += (end - now) * (0.5 * (now + end) - release[job])
        if end == coming and now + rest[job] > coming:
            rest[job] -= end - now
            if by_rest:
                heap[0].key = rest[job]  # the key only decreases: the job stays at the root
        else:
            flow[job] = end - release[job]
            served[job] /= length[job]
            count = pop(heap, count)
        now = end
    return served, flow, period
