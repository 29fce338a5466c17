"""Measure the planning time of DEMT (Figure 7 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.metrics.nature import MEAN
from shadowtime.engine.simulation import simulate
from shadowtime.engine.statistics.intervals import interval
from shadowtime.workers.papers.demt_cells import FAMILIES, Cell
from shadowtime.workers.papers.report import Figure

TRIES = 3
"""Runs of each workload, the shortest of which counts: other processes share the machine."""
TITLE = "Planning time of DEMT"
INTERVAL = "95 % interval"


@dataclass(frozen=True)
class Timing:
    """One workload whose planning is timed."""

    family: str
    jobs: int
    run: int


def time_planning(cell: Timing) -> float:
    """Return the planning time of DEMT on the workload of a cell [s]: dual approximation, batches and shuffles."""
    workload = Cell(cell.family, cell.jobs, cell.run).workload()
    return min(float(simulate(workload, "demt", seed=cell.run).timing["plan_s"]) for _ in range(TRIES))


time_planning.is_measured = True  # type: ignore[attr-defined]


class Times:
    """Planning times of all cells [s]."""

    def __init__(self, seconds: Mapping[Timing, float]):
        self._seconds = seconds
        self.sizes = sorted({cell.jobs for cell in seconds})

    def of(self, family: str, jobs: int) -> np.ndarray:
        """Return the time of each run at a point [s]."""
        return np.array([s for cell, s in self._seconds.items() if (cell.family, cell.jobs) == (family, jobs)])

    def slowest(self, family: str) -> float:
        """Return the longest time on a family [s]."""
        return max(float(self.of(family, jobs).max()) for jobs in self.sizes)


def timings(families: Mapping[str, str], sizes: tuple[int, ...], runs: int) -> list[Timing]:
    """Return all cells."""
    return [Timing(family, jobs, run) for family in families for jobs in sizes for run in range(1, runs + 1)]


def time_figure(times: Times) -> Figure:
    """Return mean planning times with their 95 % intervals: rows numbers of jobs, columns families."""
    rows, low, high = [], [], []
    for jobs in times.sizes:
        found = [interval(1e3 * times.of(family, jobs), MEAN) for family in FAMILIES]
        rows.append((f"n = {jobs}", [one.mean for one in found]))
        low.append([one.low for one in found])
        high.append([one.high for one in found])
    blocks = len(times.of(next(iter(FAMILIES)), times.sizes[0]))
    return Figure(TITLE, "ms", list(FAMILIES.values()), rows, low, high, INTERVAL, blocks)
