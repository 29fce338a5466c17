"""DEMT: batches of doubling length, for makespan and weighted completion together.

The length of the last batch is an estimate of the best makespan from the dual approximation; each batch takes the
heaviest set of jobs that fits. The result is not the batches themselves but a schedule compacted from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.moldable.policies.batches import fill_batches, grid
from shadowtime.engine.families.moldable.policies.canonical import NO_AREA
from shadowtime.engine.families.moldable.policies.dual import search
from shadowtime.engine.families.moldable.policies.lists import graham, pull_forward
from shadowtime.engine.families.moldable.policies.sketch import Sketch, sketch
from shadowtime.engine.runner.plan import bands_of
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.tables import BATCH

FINISHING = 0.6
"""Approximate progress after the batches are filled."""


def demt(
    p: np.ndarray, weight: np.ndarray, values: Mapping[str, Any], rng: np.random.Generator, watch: Watch
) -> Sketch:
    """Return the schedule of DEMT for times `p` (n x m seconds) and n weights; `values` are its parameters."""
    _, guess = search(p, NO_AREA, values["accuracy"])
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
    if final in ("best", "pull-forward"):
        order = np.lexsort((np.arange(len(p)), base.start))
        made.append(_named(base, pull_forward(order, base.time, base.size, m), "pull-forward"))
    batches = np.unique(base.shelf)
    local = weight / (base.time * base.size if values["local_order"] == "area" else base.time)
    if final in ("best", "compaction"):
        made.append(_named(base, _compact(base, batches, local, m), "compaction"))
    if final in ("best", "shuffled"):
        trials = [_shuffled(batches, rng) for _ in range(values["shuffles"])] if len(batches) > 1 else []
        for done, order in enumerate(trials or [batches]):
            watch.report(FINISHING + (1.0 - FINISHING) * done / max(1, len(trials)))
            made.append(_named(base, _compact(base, order, local, m), "shuffled"))
    return min(made, key=lambda one: _value(one, weight, values))


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


def _shuffled(batches: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the batches after one or two random swaps of neighbours."""
    order = batches.copy()
    for _ in range(int(rng.integers(1, 3))):
        at = int(rng.integers(0, len(order) - 1))
        order[at], order[at + 1] = order[at + 1], order[at]
    return order
