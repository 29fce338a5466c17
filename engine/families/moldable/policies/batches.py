"""The batches of DEMT: intervals of doubling length, each filled with the heaviest jobs that fit."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.moldable.policies.canonical import gamma, within
from shadowtime.engine.kernel.cache import allocating, inner


def grid(makespan: float, shortest: float) -> tuple[int, float]:
    """Return (K, t_0): batch j has the length t_0 2^j and begins at that time; batch K is as long as the makespan.

    `t_0` lies in [shortest, 2 shortest): no job fits into a shorter batch (section 3.1).
    """
    k = max(0, math.floor(math.log2(makespan / shortest) + 1e-9))
    return k, makespan / 2.0**k


@inner
def stack_small(p, weight, by_weight, length, done, size, item_of, load, item_weight):
    """Stack jobs that take at most half the batch on one processor: next fit by decreasing weight.

    `item_of` gets the item of each job, or -1. Return the number of items.
    """
    items = np.int64(0)
    for job in by_weight:
        if done[job] or not within(p[job, 0], 0.5 * length):
            continue
        if items == 0 or not within(load[items - 1] + p[job, 0], length):
            size[items], load[items], item_weight[items] = 1, 0.0, 0.0
            items += 1
        item_of[job] = items - 1
        load[items - 1] += p[job, 0]
        item_weight[items - 1] += weight[job]
    return items


@allocating
def items_of(p, weight, by_weight, length, done, merge, item_of, size, item_weight):
    """Build the items of a batch: stacks of small jobs, then other jobs that can be as short as `length`, by index.

    Fill `item_of` (n values, -1 for a job that is no candidate), `size` and `item_weight`; return the number of items.
    """
    n, m = p.shape
    item_of[:] = -1
    items = np.int64(0)
    if merge:
        items = stack_small(p, weight, by_weight, length, done, size, item_of, np.zeros(n), item_weight)
    for job in range(n):
        if done[job] or item_of[job] >= 0 or not within(p[job, m - 1], length):
            continue
        item_of[job], size[items], item_weight[items] = items, gamma(p, job, length), weight[job]
        items += 1
    return items


@allocating
def knapsack(size, weight, capacity):
    """Return the heaviest set of items whose total size is within the capacity (booleans), and its weight."""
    n = len(size)
    taken = np.zeros((n, capacity + 1), np.bool_)
    old, new = np.zeros(capacity + 1), np.zeros(capacity + 1)
    for i in range(n):
        a, w = size[i], weight[i]
        row = taken[i]
        for q in range(min(a, capacity + 1)):
            new[q] = old[q]
        for q in range(a, capacity + 1):
            new[q] = max(old[q], old[q - a] + w)
        for q in range(a, capacity + 1):
            row[q] = old[q - a] + w >= old[q]
        old, new = new, old
    chosen = np.zeros(n, np.bool_)
    q = capacity
    for i in range(n - 1, -1, -1):
        if taken[i, q]:
            chosen[i] = True
            q -= size[i]
    return chosen, old[capacity]


@allocating
def fill_batches(p, weight, by_weight, first_length, merge):
    """Fill DEMT's batches until no job is left; return batch, processors and start of each job, and the count.

    `by_weight`: jobs by decreasing weight, ties by index. Batch j is [t_j, 2 t_j), t_j = t_0 2^j.
    """
    n, m = p.shape
    batch, allotted, start = np.full(n, -1), np.zeros(n, np.int64), np.zeros(n)
    done = np.zeros(n, np.bool_)
    item_of, size, item_weight = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n)
    stacked = np.empty(n)
    left, j, length = n, np.int64(0), first_length
    while left > 0:
        items = items_of(p, weight, by_weight, length, done, merge, item_of, size, item_weight)
        chosen, _ = knapsack(size[:items], item_weight[:items], m)
        stacked[:items] = length
        for job in by_weight:
            item = item_of[job]
            if item < 0 or not chosen[item]:
                continue
            batch[job], allotted[job], start[job] = j, size[item], stacked[item]
            stacked[item] += p[job, size[item] - 1]
            done[job] = True
            left -= 1
        length *= 2.0
        j += 1
    return batch, allotted, start, j
