"""Define the workloads of the DEMT study, run all algorithms on each, and compute their ratios to the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.metrics import run as run_metrics
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.statistics.batches import ratio_of_sums
from shadowtime.engine.statistics.bootstrap import RESAMPLES, SEED, bca
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload

PROCESSORS = 200
FAMILIES = {"weak": "Weakly parallel", "high": "Highly parallel", "mixed": "Mixed", "cirne": "Cirne"}

RIVALS: dict[str, tuple[str, dict[str, str]]] = {
    "Gang": ("gang", {}),
    "Sequential": ("sequential", {}),
    "List-shelf": ("list-shelf", {}),
    "List-LPTF": ("list-lptf", {}),
    "List-SAF": ("list-saf", {}),
    "List-WSPT": ("list-wspt", {}),
}
ALGORITHMS: dict[str, tuple[str, dict[str, str]]] = {
    "DEMT": ("demt", {}),
    "DEMT by makespan": ("demt", {"criterion": "makespan"}),
    "DEMT by product": ("demt", {"criterion": "product"}),
    "DEMT by area": ("demt", {"local_order": "area"}),
    "DEMT basic": ("demt", {"final": "basic"}),
    **RIVALS,
}
"""Columns of the tables. "by makespan", "by product": the criterion that selects among shuffles, "DEMT" being by
weighted completion; "by area": the order inside a batch."""
CRITERIA = ("DEMT", "DEMT by makespan", "DEMT by product")
SHUFFLES: dict[str, tuple[str, dict[str, str]]] = {
    "none": ("demt", {"final": "compaction"}),
    "neighbours": ("demt", {"final": "shuffled"}),
    "batches": ("demt", {"final": "shuffled", "shuffle": "batches"}),
    "jobs": ("demt", {"final": "shuffled", "shuffle": "jobs"}),
}
"""List scheduling of the batches in their order, and the best of ten shuffled orders of each kind."""
RUN_ON_EACH = {**ALGORITHMS, **{f"shuffle {name}": entry for name, entry in SHUFFLES.items()}}


@dataclass(frozen=True)
class Cell:
    """One workload: all algorithms are run on it."""

    family: str
    jobs: int
    run: int
    minimum: float = 0.0
    """Share of the jobs with a minimum number of processors."""

    @property
    def seed(self) -> int:
        """One for each family, number of jobs and run."""
        return 1_000_000 * (1 + list(FAMILIES).index(self.family)) + 1_000 * self.jobs + self.run

    def workload(self) -> Workload:
        """The jobs of this cell."""
        drawn = {"family": self.family, "jobs": self.jobs, "processors": PROCESSORS, "minimum": self.minimum}
        return generate("moldable", drawn, self.seed)


@dataclass(frozen=True)
class Outcome:
    """Result of one cell: figures by algorithm, and bounds."""

    minsum: Mapping[str, float]
    makespan: Mapping[str, float]
    plain: float
    """Interval program with the coefficients of the paper: the denominator of its ratios."""
    best: float
    """The best proven bound on the weighted completion."""
    dual: float


def run_cell(cell: Cell) -> Outcome:
    """Run all algorithms on the workload of a cell; a figure below its bound is an error."""
    workload = cell.workload()
    bounds = lower_bounds(workload, Platform(processors=PROCESSORS))
    minsum, makespan = {}, {}
    for name, (slug, parameters) in RUN_ON_EACH.items():
        jobs = simulate(workload, slug, parameters, seed=cell.seed).jobs
        minsum[name] = run_metrics.weighted_completion(jobs)
        makespan[name] = run_metrics.makespan(jobs)
        check({"weighted_completion": minsum[name], "makespan": makespan[name]}, bounds)
    return Outcome(
        minsum,
        makespan,
        bounds.all["weighted_completion"]["lp_plain"],
        bounds.values["weighted_completion"],
        bounds.values["makespan"],
    )


class Answers:
    """The outcomes of all cells, as ratios to bounds. A workload is an independent draw: a block."""

    def __init__(self, outcomes: Mapping[Cell, Outcome]):
        self._of: dict[tuple[str, int, float], list[Outcome]] = {}
        for cell, outcome in sorted(outcomes.items(), key=lambda one: one[0].run):
            self._of.setdefault((cell.family, cell.jobs, cell.minimum), []).append(outcome)
        self.sizes = sorted({cell.jobs for cell in outcomes})
        self.blocks = len({cell.run for cell in outcomes})
        """Number of independent draws at each point."""

    def ratios(
        self, criterion: str, name: str, family: str, jobs: int, bound: str = "", minimum: float = 0.0
    ) -> np.ndarray:
        """Return value over bound of each run; `bound` is a field of the outcome, the paper's own by default."""
        values, bounds = self._pairs(criterion, name, family, jobs, bound, minimum)
        return values / bounds

    def average(
        self, criterion: str, name: str, family: str, jobs: int, bound: str = "", minimum: float = 0.0
    ) -> float:
        """Return the sum of values over the sum of bounds, as the paper averages."""
        return ratio_of_sums(*self._pairs(criterion, name, family, jobs, bound, minimum))

    def interval(
        self, criterion: str, name: str, family: str, jobs: int, bound: str = "", minimum: float = 0.0
    ) -> tuple[float, float]:
        """Return the 95 % interval of `average`: BCa bootstrap of whole workloads."""
        return ratio_interval(*self._pairs(criterion, name, family, jobs, bound, minimum))

    def line(self, criterion: str, name: str, family: str) -> np.ndarray:
        """Return the averages at all sizes."""
        return np.array([self.average(criterion, name, family, jobs) for jobs in self.sizes])

    def singles(self, criterion: str, name: str, family: str) -> np.ndarray:
        """Return the ratio of every single run: one row a run, one column a size."""
        return np.array([self.ratios(criterion, name, family, jobs) for jobs in self.sizes]).T

    def _pairs(
        self, criterion: str, name: str, family: str, jobs: int, bound: str, minimum: float
    ) -> tuple[np.ndarray, np.ndarray]:
        found = self._of[family, jobs, minimum]
        bound = bound or {"minsum": "plain", "makespan": "dual"}[criterion]
        values = np.array([getattr(outcome, criterion)[name] for outcome in found])
        return values, np.array([getattr(outcome, bound) for outcome in found])


def ratio_interval(values: np.ndarray, bounds: np.ndarray) -> tuple[float, float]:
    """Return the BCa interval of sum of values over sum of bounds, one block a pair; NaN for fewer than two."""
    n = len(values)
    if n < 2:
        return float("nan"), float("nan")
    counts = np.random.default_rng(SEED).multinomial(n, np.full(n, 1.0 / n), size=RESAMPLES)
    resampled = (counts @ values) / (counts @ bounds)
    left_out = (values.sum() - values) / (bounds.sum() - bounds)
    low, high = bca(resampled[:, None], np.array([values.sum() / bounds.sum()]), left_out[:, None])
    return float(low[0]), float(high[0])
