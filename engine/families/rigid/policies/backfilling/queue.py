"""The queue of a backfilling policy, sorted by the key of its order, and the order of backfilling beside it."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.policies.backfilling.evaluating import evaluate
from shadowtime.engine.families.rigid.policies.backfilling.predicting import predict
from shadowtime.engine.families.rigid.policies.backfilling.state import PREDICTED, QUEUE
from shadowtime.engine.families.rigid.policies.state import GONE
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import QUEUED


@inner
def key_of(s, q, i, order):
    """Return the key of waiting unit `i` in an order, now; the smallest goes first. The cases are those of `ORDERS`."""
    u = s.u[i]
    r, n, since = u.estimate, float(u.procs), u.release
    if order == 0:
        return 0.0
    if order == 1:
        return r
    if order == 2:
        return -r
    if order == 3:
        return r * n
    if order == 4:
        return r / n
    w, at_least = s.k[0].now - since, max(r, 1.0)
    if order == 5:
        return -(w + at_least) / at_least
    if order == 6:
        return -math.pow(w / at_least, 3.0) * n
    if order == 7:
        return -w / (math.log2(max(n, 2.0)) * at_least)
    late = math.log10(since - q.m[0].first + 1.0)
    if order == 8:
        return math.log10(at_least) * n + 870.0 * late
    if order == 9:
        return math.sqrt(at_least) * n + 25600.0 * late
    if order == 10:
        return at_least * n + 6.86e6 * late
    if order == 11:
        return at_least * math.sqrt(n) + 5.3e5 * late
    return evaluate(q, w, at_least, n, since - q.m[0].first + 1.0)


@inner
def goes_before(keys, i, j):
    """Return whether unit `i` goes before unit `j`: its key is smaller, or equal and it was submitted earlier."""
    return keys[i] < keys[j] or (keys[i] == keys[j] and i < j)


@inner
def enqueue(s, q, i):
    """Add unit `i`, just submitted, to the queue."""
    if s.u[i].state != QUEUED:
        return
    m = q.m[0]
    q.predicted[i] = predict(s, q, i)
    q.key[i] = key_of(s, q, i, m.order)
    at = m.waiting
    while at > 0 and goes_before(q.key, i, q.queue[at - 1]):
        q.queue[at] = q.queue[at - 1]
        at -= 1
    q.queue[at] = i
    q.back[m.waiting] = i
    m.waiting += 1
    m.smallest = min(m.smallest, s.u[i].procs) if m.waiting > 1 else s.u[i].procs
    if m.backfill_order >= 0:
        q.second[i] = key_of(s, q, i, m.backfill_order)


@inner
def compact(s, q):
    """Remove the units that no longer wait from queue and backfill order; find the smallest of those that do."""
    m = q.m[0]
    kept, smallest = 0, np.int64(GONE)
    for y in range(m.waiting):
        i = q.queue[y]
        if s.u[i].state == QUEUED:
            q.queue[kept] = i
            kept += 1
            smallest = min(smallest, s.u[i].procs)
    if m.backfill_order != QUEUE:
        remaining = 0
        for y in range(m.waiting):
            if s.u[q.back[y]].state == QUEUED:
                q.back[remaining] = q.back[y]
                remaining += 1
    m.waiting, m.smallest = kept, smallest


@inner
def sort_by_key(keys, rows, count):
    """Sort the first `count` units of `rows` by key. O(count + inversions): between two passes few change places."""
    for y in range(1, count):
        i, at = rows[y], y
        while at > 0 and goes_before(keys, i, rows[at - 1]):
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = i


@inner
def sort_queue(s, q):
    """Sort the queue by the keys of this instant, where they change with time."""
    m = q.m[0]
    if m.changes:
        for y in range(m.waiting):
            q.key[q.queue[y]] = key_of(s, q, q.queue[y], m.order)
        sort_by_key(q.key, q.queue, m.waiting)


@inner
def sort_backfill_order(s, q):
    """Sort the order of backfilling, where it is not that of the queue; equal predictions are in queue order."""
    m = q.m[0]
    if m.backfill_order == QUEUE:
        return
    if m.backfill_order != PREDICTED:
        if m.resorts:
            for y in range(m.waiting):
                q.second[q.back[y]] = key_of(s, q, q.back[y], m.backfill_order)
        sort_by_key(q.second, q.back, m.waiting)
        return
    for y in range(m.waiting):
        q.rank[q.queue[y]] = y
    for y in range(1, m.waiting):
        i, at = q.back[y], y
        while at > 0:
            j = q.back[at - 1]
            if q.predicted[j] < q.predicted[i] or (q.predicted[j] == q.predicted[i] and q.rank[j] < q.rank[i]):
                break
            q.back[at] = j
            at -= 1
        q.back[at] = i


@inner
def candidate(q, y):
    """Return the unit at position `y` of the order of backfilling."""
    return q.queue[y] if q.m[0].backfill_order == QUEUE else q.back[y]
