"""One machine that always runs the most urgent job, preempting it when a more urgent one is released."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import allocating, inner


@inner
def _sift_up(heap, key, at):
    """Move the last entry of a heap of jobs with their keys to its place; of equal keys the earlier job is first."""
    job, own = heap[at], key[at]
    while at > 0:
        above = (at - 1) >> 1
        if key[above] < own or (key[above] == own and heap[above] < job):
            break
        heap[at], key[at] = heap[above], key[above]
        at = above
    heap[at], key[at] = job, own


@inner
def _sift_down(heap, key, count):
    """Move the first entry to its place."""
    job, own, at = heap[0], key[0], np.int64(0)
    while True:
        below = 2 * at + 1
        if below >= count:
            break
        right = below + 1
        if right < count and (key[right] < key[below] or (key[right] == key[below] and heap[right] < heap[below])):
            below = right
        if own < key[below] or (own == key[below] and job < heap[below]):
            break
        heap[at], key[at] = heap[below], key[below]
        at = below
    heap[at], key[at] = job, own


@allocating
def preempt(release, length, rank, by_rest):
    """Run jobs of `length` seconds (speed 1) by smallest `rank`, or by shortest remaining time if `by_rest`.

    Jobs are in order of release; of equal ones the earlier goes first. Gives three columns of n values: the
    mean time at which a job was served, minus its release; its end minus its release; and the number of the
    busy period, from 0, in which it was served.
    """
    n = len(release)
    rest = length.copy()
    served, flow, period = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    heap, key = np.empty(n, np.int64), np.empty(n)
    count, waiting, busy = np.int64(0), np.int64(0), np.int64(-1)
    now, coming = 0.0, release[0]  # the next release; +inf after the last
    while waiting < n or count > 0:
        if count == 0:
            now = coming
            busy += 1
        while coming <= now:
            heap[count], key[count] = waiting, length[waiting] if by_rest else rank[waiting]
            period[waiting] = busy
            _sift_up(heap, key, count)
            count += 1
            waiting += 1
            coming = release[waiting] if waiting < n else np.inf
        job = heap[0]
        end = min(now + rest[job], coming)
        served[job] += (end - now) * (0.5 * (now + end) - release[job])
        if end == coming and now + rest[job] > coming:
            rest[job] -= end - now
            if by_rest:
                key[0] = rest[job]  # shorter only: it stays first
        else:
            flow[job] = end - release[job]
            served[job] /= length[job]
            count -= 1
            heap[0], key[0] = heap[count], key[count]
            if count > 0:
                _sift_down(heap, key, count)
        now = end
    return served, flow, period
