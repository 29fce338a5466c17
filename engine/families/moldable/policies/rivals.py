"""Algorithms compared with DEMT: gang, sequential, the shelves of the dual approximation, lists on their allotments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.errors import PolicyError
from shadowtime.engine.families.moldable.policies.canonical import NO_AREA
from shadowtime.engine.families.moldable.policies.dual import search
from shadowtime.engine.families.moldable.policies.lists import graham
from shadowtime.engine.families.moldable.policies.shelves import HALVES, S0, S1, S2, SMALL, build
from shadowtime.engine.families.moldable.policies.sketch import Sketch, sketch
from shadowtime.engine.runner.plan import bands_of
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.tables import SHELF

Values = Mapping[str, Any]


def gang(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Give all processors to one job after another, by decreasing weight over time (Smith); ties by index."""
    n, m = p.shape
    time = p[:, -1]
    order = np.lexsort((np.arange(n), -weight / time))
    start = np.empty(n)
    start[order] = np.concatenate([[0.0], np.cumsum(time[order])[:-1]])
    return sketch(p, start, np.full(n, m))


def sequential(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Give each job one processor, the longest first (LPT); ties by index."""
    n, m = p.shape
    size = np.ones(n, np.int64)
    return sketch(p, graham(np.lexsort((np.arange(n), -p[:, 0])), p[:, 0].copy(), size, m), size)


def dual(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Return the two shelves themselves, at most 3/2 of the smallest accepted guess long."""
    _, guess = search(p, NO_AREA, values["accuracy"])
    watch.report(0.5)
    used = np.zeros(4, np.int64)
    shelf, size, start, built = build(p, NO_AREA, guess, used)
    if not built:
        raise PolicyError(f"the shelves of the guess {guess:g} could not be built; please report these jobs")
    bands = bands_of([(0.0, guess, 0, SHELF, 1), (guess, HALVES * guess, 0, SHELF, 2)])
    return sketch(p, start, size, shelf, bands=bands)


def list_shelf(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Schedule the list: shelf 0, shelf 1, shelf 2, then the small jobs; each by index."""
    rank = np.empty(4, np.int64)
    rank[[S0, S1, S2, SMALL]] = range(4)
    return _listed(p, values, rng, watch, lambda base: rank[base.shelf])


def list_lptf(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Schedule the list by increasing weight over time, which the paper calls largest processing time first."""
    return _listed(p, values, rng, watch, lambda base: weight / base.time)


def list_saf(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Schedule the list by increasing area, without weights."""
    return _listed(p, values, rng, watch, lambda base: base.size * base.time)


def list_wspt(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Schedule the list by decreasing weight over time (Smith); not in the paper."""
    return _listed(p, values, rng, watch, lambda base: -weight / base.time)


def _listed(p: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch, key: Any) -> Sketch:
    """Schedule the list on the allotments of the shelves, by the key of each job, ties by index."""
    base = dual(p, np.empty(0), values, rng, watch)
    order = np.lexsort((np.arange(len(p)), key(base)))
    return sketch(p, graham(order, base.time, base.size, p.shape[1]), base.size, base.shelf)
