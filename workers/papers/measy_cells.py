"""Runs of the MEASY study: two workload models at each load, and the shapes of their jobs.

A block is a model and a seed: the loads, parameters and algorithms of a seed see the same jobs, rescaled in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.metrics.jobs import bounded_stretch, flow
from shadowtime.engine.simulation import simulate
from shadowtime.engine.statistics.batches import batch_means
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate

LOADS = (0.5, 0.6, 0.7, 0.8, 0.9)
COSTS = (20.0, 480.0, 900.0, 1500.0, 3000.0)
"""Cost of a migration [s]: the paper's default, the three that it names, and twice the largest."""
ALGORITHMS = ("easy", "keasy", "reasy", "measy")
PROCESSORS = 320
STUDY_LOAD = 0.8
"""Load of the runs that vary what the paper leaves open."""
WARM_UP = 0.1
"""Share of the jobs that is left out at the start of a run."""

JOBS = {
    "quick": {"feitelson": 10_000, "jann": 5_000},
    "full": {"feitelson": 200_000, "jann": 100_000},
}
"""The paper's sizes at full scale."""
SEEDS = (1, 2, 3, 4, 5)
"""The first ones; more are added while the intervals are wide and the budget allows."""
BUDGET = {"quick": 5, "full": 12}
"""Largest number of seeds."""
WIDTH = 0.05
"""Largest width of the intervals of MEASY's ratios to EASY at which no seeds are added, as a share."""
NAMES = {"feitelson": "Feitelson-like", "jann": "Jann-like"}

Parameters = tuple[tuple[str, Any], ...]
BLIND: Parameters = (("usage_known", False),)
CONTINUE: Parameters = (("refusal", "continue"),)
FULL: Parameters = (("usage", "full"),)
"""All processes use 100 % of their processor."""
EXACT: Parameters = (("estimates", "exact"),)
MIDDLE: Parameters = (("mu", 0.482), ("sigma", 0.142))
"""The law of phi that the middle of its range suggests."""
BINS = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 128), (129, PROCESSORS))
"""Sizes of jobs, first and last."""


@dataclass(frozen=True)
class Cell:
    """One workload at one load under one algorithm."""

    model: str
    jobs: int
    load: float
    seed: int
    algorithm: str
    parameters: Parameters = ()
    """Of the algorithm."""
    drawn: Parameters = ()
    """Of the conversion to two tiers."""

    @property
    def size(self) -> float:
        """Order of its run time."""
        return self.jobs * self.load

    def workload(self) -> Any:
        """Return the jobs: model, Tsafrir estimates, usages; the same for every algorithm of the point."""
        model = generate(self.model, {"jobs": self.jobs, "processors": PROCESSORS}, self.seed)
        loaded = convert(model, "load", {"rho": self.load}, self.seed)
        return convert(loaded, "two_tier", dict(self.drawn), self.seed)


@dataclass(frozen=True)
class Point:
    """Means of one run over its jobs after warm-up, and counts of the whole run."""

    flow: float
    """Mean response [s]."""
    stretch: float
    """Mean bounded slowdown, with 10 s."""
    migrations: int
    kills: int
    correlation: float
    """Lag-one correlation of 20 batches, the larger of both metrics."""


def run_cell(cell: Cell) -> Point:
    """Simulate one cell and return batch means (20 batches after a tenth) of response and bounded slowdown."""
    schedule = simulate(cell.workload(), cell.algorithm, dict(cell.parameters))
    means = [batch_means(of(schedule.jobs), warm_up=WARM_UP) for of in (flow, bounded_stretch)]
    counts = schedule.counters
    lag = max(mean.lag_one for mean in means)
    return Point(means[0].mean, means[1].mean, int(counts["migrations"]), int(counts["kills"]), lag)


@dataclass(frozen=True)
class ShapeCell:
    """The jobs that a model draws."""

    model: str
    jobs: int
    seed: int


@dataclass(frozen=True)
class Shape:
    """Sizes and runtimes of the jobs of one draw."""

    shares: tuple[float, ...]
    """Share of the jobs in each of BINS."""
    processors: float
    """Mean size."""
    runtime: float
    """Mean runtime [s]."""


def run_shape(cell: ShapeCell) -> Shape:
    """Draw the jobs of a model and count them by size."""
    jobs = generate(cell.model, {"jobs": cell.jobs, "processors": PROCESSORS}, cell.seed).jobs
    size = jobs["processors"]
    shares = tuple(float(np.mean((size >= low) & (size <= high))) for low, high in BINS)
    return Shape(shares, float(size.mean()), float(jobs["runtime"].mean()))


def cells_of(scale: str, seeds: Sequence[int] = SEEDS) -> list[Cell]:
    """Return the runs of a scale, a seed after the other."""
    found = []
    for seed in seeds:
        for model, jobs in JOBS[scale].items():
            for load in LOADS:
                found += _at_load(model, jobs, load, seed)
            found += _variants(model, jobs, seed)
    return list(dict.fromkeys(found))


def shapes_of(scale: str, seeds: Sequence[int] = SEEDS) -> list[ShapeCell]:
    """Return the draws of a scale."""
    return [ShapeCell(model, jobs, seed) for model, jobs in JOBS[scale].items() for seed in seeds]


def _at_load(model: str, jobs: int, load: float, seed: int) -> list[Cell]:
    """Return the runs behind the paper's figures at one load; EASY, with one tier, depends on no usage."""

    def at(algorithm: str, parameters: Parameters = (), drawn: Parameters = ()) -> Cell:
        return Cell(model, jobs, load, seed, algorithm, parameters, drawn)

    return [
        *(at(name) for name in ALGORITHMS),
        at("reasy", CONTINUE),
        *(at(name, BLIND) for name in ("keasy", "measy")),
        *(at(name, (), FULL) for name in ("keasy", "measy")),
        *(at("measy", (("migration_cost", cost),)) for cost in COSTS[1:]),
    ]


def _variants(model: str, jobs: int, seed: int) -> list[Cell]:
    """Return runs at the study's load with another law of phi, and with exact estimates."""

    def at(algorithm: str, parameters: Parameters, drawn: Parameters) -> Cell:
        return Cell(model, jobs, STUDY_LOAD, seed, algorithm, parameters, drawn)

    return [
        *(at(name, (), MIDDLE) for name in ("keasy", "reasy", "measy")),
        *(at(name, BLIND, MIDDLE) for name in ("keasy", "measy")),
        *(at(name, (), EXACT) for name in ALGORITHMS),
        *(at(name, BLIND, EXACT) for name in ("keasy", "measy")),
    ]
