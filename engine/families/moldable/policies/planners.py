"""The planners of the registry entries, the algorithms compared with DEMT, and functions that compile their steps.

Gang, sequential, the two shelves of the dual approximation, and lists on the allotments of the shelves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from shadowtime.engine.errors import PolicyError
from shadowtime.engine.families.moldable.entries import DEMT
from shadowtime.engine.families.moldable.policies.demt import demt
from shadowtime.engine.families.moldable.policies.dual import areas_of, has_minimum, minimum, search
from shadowtime.engine.families.moldable.policies.lists import graham
from shadowtime.engine.families.moldable.policies.online import Sketch, plan, sketch
from shadowtime.engine.families.moldable.policies.shelves import HALVES, S0, allot, build
from shadowtime.engine.families.moldable.workload import moldable
from shadowtime.engine.parameters import resolve
from shadowtime.engine.runner.plan import Plan, bands_of
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.tables import SHELF
from shadowtime.engine.workload.job import Workload

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
    """Give each job one processor, or its minimum, the longest first (LPT); ties by index."""
    n, m = p.shape
    size = minimum(p)
    time = p[np.arange(n), size - 1]
    return sketch(p, graham(np.lexsort((np.arange(n), -time)), time, size, m), size)


def dual(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
    """Return the two shelves themselves, at most 3/2 of the smallest accepted guess long.

    If minimums of jobs prevent the shelves: list scheduling on the allotments of the knapsack, at most twice the guess.
    """
    areas = areas_of(p)
    _, guess = search(p, areas, values["accuracy"])
    watch.report(0.5)
    shelf, size, start, built = build(p, areas, guess, np.zeros(4, np.int64))
    if not built:
        if not has_minimum(p):
            raise PolicyError(f"the shelves of the guess {guess:g} could not be built: report these jobs as a fault")
        shelf, size, _ = allot(p, areas, guess)
        made = sketch(p, start, size, shelf, counters={"without_shelves": 1})
        order = np.argsort(_by_shelf(made, made.time), kind="stable")
        return replace(made, start=graham(order, made.time, size, p.shape[1]))
    bands = bands_of([(0.0, guess, 0, SHELF, 1), (guess, HALVES * guess, 0, SHELF, 2)])
    return sketch(p, start, size, shelf, bands=bands)


def _list_by(key: Callable[[Sketch, np.ndarray], np.ndarray]) -> Callable[..., Plan]:
    """Return the planner of list scheduling on the allotments of the shelves, by the key of each job, ties by index."""

    def listed(p: np.ndarray, weight: np.ndarray, values: Values, rng: np.random.Generator, watch: Watch) -> Sketch:
        base = dual(p, weight, values, rng, watch)
        order = np.lexsort((np.arange(len(p)), key(base, weight)))
        return sketch(p, graham(order, base.time, base.size, p.shape[1]), base.size, base.shelf)

    return partial(plan, offline=listed, monotonic=True)


def _by_shelf(base: Sketch, weight: np.ndarray) -> np.ndarray:
    """Return the key of shelf 0, shelf 1, shelf 2, then the small jobs."""
    return (base.shelf - S0) % 4


plan_demt = partial(plan, offline=demt, monotonic=True)
plan_dual = partial(plan, offline=dual, monotonic=True)
plan_gang = partial(plan, offline=gang, monotonic=False)
plan_sequential = partial(plan, offline=sequential, monotonic=False)
plan_list_shelf = _list_by(_by_shelf)
"""Shelf 0, shelf 1, shelf 2, then the small jobs."""
plan_list_lptf = _list_by(lambda base, weight: weight / base.time)
"""By increasing weight over time, which the paper calls largest processing time first."""
plan_list_saf = _list_by(lambda base, weight: base.size * base.time)
"""By increasing area, without weights."""
plan_list_wspt = _list_by(lambda base, weight: -weight / base.time)
"""By decreasing weight over time (Smith); not in the paper."""


def _warm(planner: Callable[..., Plan], values: Values) -> Callable[[Workload, Values], None]:
    """Return a function that compiles or loads the steps of a planner, at its first call: three jobs are planned on two
    processors."""

    @cache
    def once() -> None:
        p = np.array([2.0, 1.0, 3.0, 2.0, 0.5, 0.5])
        three = moldable(np.zeros(3), np.array([0, 2, 4, 6]), p, 2, "")
        planner(three, values, 2, np.random.default_rng(0), Watch())

    return lambda workload, parameters: once()


warm_demt = _warm(plan_demt, resolve(DEMT.parameters, {}, "demt"))
warm_shelves = _warm(plan_list_saf, {"accuracy": 1e-3})
warm_plain = _warm(plan_sequential, {})
