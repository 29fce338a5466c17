"""Define the workloads of the DEMT study, run all algorithms on each, and compute their ratios to the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.metrics import run as run_metrics
from shadowtime.engine.metrics.statistics import ratio_of_sums
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload

PROCESSORS = 200
FAMILIES = {"weak": "Weakly parallel", "high": "Highly parallel", "mixed": "Mixed", "cirne": "Cirne"}

ALGORITHMS = {
    "DEMT": ("demt", {}),
    "DEMT basic": ("demt", {"final": "basic"}),
    "Gang": ("gang", {}),
    "Sequential": ("sequential", {}),
    "List-shelf": ("list-shelf", {}),
    "List-LPTF": ("list-lptf", {}),
    "List-SAF": ("list-saf", {}),
    "List-WSPT": ("list-wspt", {}),
}


@dataclass(frozen=True)
class Cell:
    """One workload: all algorithms are run on it."""

    family: str
    jobs: int
    run: int

    @property
    def seed(self) -> int:
        """One for each family, size and run."""
        return 1_000_000 * (1 + list(FAMILIES).index(self.family)) + 1_000 * self.jobs + self.run

    def workload(self) -> Workload:
        """The jobs of this cell."""
        return generate("moldable", {"family": self.family, "jobs": self.jobs, "processors": PROCESSORS}, self.seed)


@dataclass(frozen=True)
class Outcome:
    """Result of one cell: figures by algorithm, bounds, and the longest planning."""

    minsum: Mapping[str, float]
    makespan: Mapping[str, float]
    plain: float
    """Interval program with the coefficients of the paper: the denominator of its ratios."""
    best: float
    """The best proven bound on the weighted completion."""
    dual: float
    slowest: float
    """Longest time that DEMT took [s]."""


def run_cell(cell: Cell) -> Outcome:
    """Run all algorithms on the workload of a cell; a figure below its bound is an error."""
    workload = cell.workload()
    bounds = lower_bounds(workload, Platform(processors=PROCESSORS))
    minsum, makespan, slowest = {}, {}, 0.0
    for name, (slug, parameters) in ALGORITHMS.items():
        schedule = simulate(workload, slug, parameters, seed=cell.seed)
        minsum[name] = run_metrics.weighted_completion(schedule.jobs)
        makespan[name] = run_metrics.makespan(schedule.jobs)
        check({"weighted_completion": minsum[name], "makespan": makespan[name]}, bounds)
        if slug == "demt":
            slowest = max(slowest, schedule.timing["plan_s"])
    return Outcome(
        minsum,
        makespan,
        bounds.all["weighted_completion"]["lp_plain"],
        bounds.values["weighted_completion"],
        bounds.values["makespan"],
        slowest,
    )


class Answers:
    """The outcomes of all cells, as ratios to bounds."""

    def __init__(self, outcomes: Mapping[Cell, Outcome]):
        self._outcomes = outcomes
        self.sizes = sorted({cell.jobs for cell in outcomes})

    def _of(self, family: str, jobs: int) -> list[Outcome]:
        return [outcome for cell, outcome in self._outcomes.items() if (cell.family, cell.jobs) == (family, jobs)]

    def ratios(self, criterion: str, name: str, family: str, jobs: int, bound: str = "") -> np.ndarray:
        """Value over bound of each run; `bound` is a field of the outcome, the paper's own by default."""
        values, bounds = self._pairs(criterion, name, family, jobs, bound)
        return values / bounds

    def average(self, criterion: str, name: str, family: str, jobs: int, bound: str = "") -> float:
        """Sum of values over sum of bounds, as the paper averages."""
        return ratio_of_sums(*self._pairs(criterion, name, family, jobs, bound))

    def line(self, criterion: str, name: str, family: str) -> np.ndarray:
        """The averages at all sizes."""
        return np.array([self.average(criterion, name, family, jobs) for jobs in self.sizes])

    def slowest(self, family: str) -> float:
        """Longest planning of DEMT on a family [s]."""
        return max(outcome.slowest for cell, outcome in self._outcomes.items() if cell.family == family)

    def _pairs(self, criterion: str, name: str, family: str, jobs: int, bound: str) -> tuple[np.ndarray, np.ndarray]:
        found = self._of(family, jobs)
        bound = bound or {"minsum": "plain", "makespan": "dual"}[criterion]
        values = np.array([getattr(outcome, criterion)[name] for outcome in found])
        return values, np.array([getattr(outcome, bound) for outcome in found])
