"""DEMT: batches of doubling length, for makespan and weighted completion together.

The length of the last batch is an estimate of the best makespan from the dual approximation; each batch takes the
heaviest set of jobs that fits. The result is not the batches themselves but a schedule compacted from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.moldable.policies.dual import areas_of, gamma, search, within
from shadowtime.engine.families.moldable.policies.lists import graham, pull_forward
from shadowtime.engine.families.moldable.policies.online import Sketch, sketch
from shadowtime.engine.kernel.cache import allocating, inner
from shadowtime.engine.runner.plan import bands_of
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.tables import BATCH

FINISHING = 0.6
"""Approximate progress after the batches are filled."""


def grid(makespan: float, shortest: float) -> tuple[int, float]:
    """Return (K, t_0): batch j has the length t_0 2^j and begins at that time; batch K is as long as the makespan.

    `t_0` lies in [shortest, 2 shortest): no job fits into a shorter batch (section 3.1).
    """
    k = max(0, math.floor(math.log2(makespan / shortest) + 1e-9))
    return k, makespan / 2.0**k


@inner
def stack_small(p, weight, by_weight, length, done, size, item_of, load, item_weight):
    """Stack jobs that take at most half the batch on one processor, next fit by decreasing weight; return the items."""
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


def demt(
    p: np.ndarray, weight: np.ndarray, values: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Sketch:
    """Return the schedule of DEMT for times `p` (n x m seconds) and n weights; `values` are its parameters."""
    _, guess = search(p, areas_of(p), values["accuracy"])
    watch.report(0.2)
    _, first = grid(guess, float(p.min()))
    base = basic(p, weight, first, values["merge"])
    watch.report(FINISHING)
    return finish(p, weight, base, values, rng, watch)


def basic(p: np.ndarray, weight: np.ndarray, first_length: float, merge: bool = True) -> Sketch:
    """Return the batches themselves: lengths `first_length`, twice that, and so on until no job is left."""
    by_weight = np.lexsort((np.arange(len(p)), -weight))
    batch, size, start, count = fill_batches(p, weight, by_weight, first_length, merge)
    lengths = first_length * 2.0 ** np.arange(count)
    used = np.unique(batch).tolist()
    return sketch(p, start, size, batch, bands=bands_of([(lengths[j], 2.0 * lengths[j], 0, BATCH, j) for j in used]))


def finish(
    p: np.ndarray, weight: np.ndarray, base: Sketch, values: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Sketch:
    """Return the chosen final schedule (section 3.3), or the best of three by the criterion; the first among equals."""
    final, m = values["final"], p.shape[1]
    if final == "basic":
        return _named(base, base.start, "basic")
    made: list[Sketch] = []

    def value(one: Sketch) -> tuple[float, float]:
        return _value(one, weight, values)

    if final in ("best", "pull-forward"):
        order = np.lexsort((np.arange(len(p)), base.start))
        made.append(_named(base, pull_forward(order, base.time, base.size, m), "pull-forward"))
    batches = np.unique(base.shelf)
    local = weight / (base.time * base.size if values["local_order"] == "area" else base.time)
    if final in ("best", "compaction"):
        made.append(_named(base, _compact(base, batches, local, m), "compaction"))
    if final in ("best", "shuffled"):
        for done, (order, inside) in enumerate(_trials(batches, local, values, rng)):
            watch.report(FINISHING + (1.0 - FINISHING) * done / values["shuffles"])
            made = [min([*made, _named(base, _compact(base, order, inside, m), "shuffled")], key=value)]
    return min(made, key=value)


def _value(one: Sketch, weight: np.ndarray, values: Mapping[str, Any]) -> tuple[float, float]:
    """Return the value of the criterion, then the value that breaks ties; smaller is better."""
    minsum, makespan = one.minsum(weight), one.makespan
    if values["criterion"] == "makespan":
        return makespan, minsum
    if values["criterion"] == "product":
        return float(minsum ** values["balance"] * makespan ** (1.0 - values["balance"])), minsum
    return minsum, makespan


def _named(base: Sketch, start: np.ndarray, name: str) -> Sketch:
    return Sketch(start, base.size, base.time, base.shelf, base.bands, {f"final_{name.replace('-', '_')}": 1})


def _compact(base: Sketch, batches: np.ndarray, local: np.ndarray, processors: int) -> np.ndarray:
    """Return starts by list scheduling: `batches` in this order, each by decreasing `local`, ties by index."""
    place = np.empty(int(batches.max()) + 1, np.int64)
    place[batches] = np.arange(len(batches))
    order = np.lexsort((-local, place[base.shelf]))
    return graham(order, base.time, base.size, processors)


def _trials(
    batches: np.ndarray, local: np.ndarray, values: Mapping[str, Any], rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield shuffled orders: of the batches, and the key of jobs inside a batch. One batch has no other order."""
    shuffle = values.get("shuffle", "neighbours")
    if shuffle != "jobs" and len(batches) == 1:
        yield batches, local
        return
    for _ in range(values["shuffles"]):
        if shuffle == "jobs":
            yield batches, rng.random(len(local))
        else:
            yield (rng.permutation(batches) if shuffle == "batches" else _shuffled(batches, rng)), local


def _shuffled(batches: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the batches after one or two random swaps of neighbours."""
    order = batches.copy()
    for _ in range(int(rng.integers(1, 3))):
        at = int(rng.integers(0, len(order) - 1))
        order[at], order[at + 1] = order[at + 1], order[at]
    return order
