"""The on-line part of the study: jobs that arrive over time, in batches, against a bound that counts releases.

With the two shelves inside, the end is proved to be at most 2 x 3/2 x optimal; DEMT inside has no proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.errors import SimulationError
from shadowtime.engine.metrics import run as run_metrics
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.papers.report import Figure

PROCESSORS = 200
JOBS = 200
LOADS = (0.5, 1.0, 2.0)
INSIDE = {"Two shelves": "dual", "DEMT": "demt"}
PROVEN = 3.0
"""Twice 3/2, the accuracy of the search aside."""


@dataclass(frozen=True)
class OnlineCell:
    """One workload with releases."""

    family: str
    load: float
    run: int

    @property
    def seed(self) -> int:
        """One for each load and run; the family draws other numbers anyway."""
        return int(100_000 * self.load) + self.run


@dataclass(frozen=True)
class OnlineOutcome:
    """Ratios to the best proven bound, by what is inside the batches."""

    makespan: Mapping[str, float]
    minsum: Mapping[str, float]


def run_online_cell(cell: OnlineCell) -> OnlineOutcome:
    """Run both algorithms on the workload of a cell; the makespan counts from second 0, as in the proof."""
    asked = {"family": cell.family, "jobs": JOBS, "processors": PROCESSORS, "load": cell.load}
    workload = generate("moldable", asked, cell.seed)
    bounds = lower_bounds(workload, Platform(processors=PROCESSORS))
    makespan, minsum = {}, {}
    for name, slug in INSIDE.items():
        jobs = simulate(workload, slug, seed=cell.seed).jobs
        values = {
            "makespan": run_metrics.makespan(jobs),
            "weighted_completion": run_metrics.weighted_completion(jobs),
        }
        check(values, bounds)
        makespan[name] = values["makespan"] / bounds.values["makespan"]
        minsum[name] = values["weighted_completion"] / bounds.values["weighted_completion"]
    return OnlineOutcome(makespan, minsum)


def online_cells(families: Mapping[str, str], runs: int) -> list[OnlineCell]:
    """Return all cells of the on-line study."""
    return [OnlineCell(family, load, run) for family in families for load in LOADS for run in range(1, runs + 1)]


def online_figure(families: Mapping[str, str], outcomes: Mapping[OnlineCell, OnlineOutcome]) -> Figure:
    """Largest ratio of the makespan, mean ratio of the weighted completion; a point above the proof is an error."""
    rows = []
    for family, title in families.items():
        for load in LOADS:
            mine = [outcome for cell, outcome in outcomes.items() if (cell.family, cell.load) == (family, load)]
            worst = [max(outcome.makespan[name] for outcome in mine) for name in INSIDE]
            if worst[0] > PROVEN * 1.01:
                raise SimulationError(
                    f"{title}, load {load}: {worst[0]:.3f} times a bound, above the proven {PROVEN:g}"
                )
            mean = [float(np.mean([outcome.minsum[name] for outcome in mine])) for name in INSIDE]
            rows.append((f"{title}, load {load:g}", [*worst, *mean]))
    columns = [f"{name}, {what}" for what in ("makespan at most", "weighted completion") for name in INSIDE]
    return Figure(f"Jobs that arrive over time ({JOBS} in batches), over the best proven bound", "", columns, rows)
