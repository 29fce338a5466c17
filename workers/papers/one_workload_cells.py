"""Run schedulers of every family on weeks of real logs, and collect their figures."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.metrics.jobs import bounded_stretch
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import read

LOGS = {"KTH": "KTH-SP2-1996-2.1-cln.swf.gz", "HPC2N": "HPC2N-2002-2.2-cln.swf.gz"}
SEED = 1
"""Seed of the conversions."""

FAMILIES: dict[str, tuple[str, dict[str, str]]] = {
    # conversion, and algorithms: name in the tables -> slug
    "batch": ("", {"FCFS": "fcfs", "EASY": "easy"}),
    "two tiers": ("two_tier", {"KEASY": "keasy", "MEASY": "measy"}),
    "fractional": (
        "fractional",
        {
            "EASY on nodes": "easy",
            "GreedyP*": "greedyp*/opt=min",
            "GreedyPM*/per": "greedypm*/per/opt=min/minvt=600",
        },
    ),
    "moldable": ("moldable", {"DEMT": "demt", "List-SAF": "list-saf"}),
}
ALGORITHMS = tuple(name for _, algorithms in FAMILIES.values() for name in algorithms)


@dataclass(frozen=True)
class Cell:
    """A week of a log, which all schedulers run."""

    log: str
    week: int


@dataclass(frozen=True)
class Outcome:
    """Result of one scheduler on a week, with its bounds."""

    flow: float
    """Mean turnaround [s]."""
    flow_bound: float
    """Proven for the workload that the scheduler was given."""
    slowdown: float
    """Mean bounded slowdown: turnaround over the runtime in the log, at least 10 s and 1."""
    worst: float
    makespan: float
    makespan_bound: float


def has_log(name: str) -> bool:
    """Return whether SHADOWTIME_TRACES names a folder that holds it."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    return folder is not None and (Path(folder) / LOGS[name]).is_file()


@lru_cache(maxsize=len(LOGS))
def log(name: str) -> Workload:
    """Return the whole log, read once and shared with forked children."""
    with (Path(os.environ["SHADOWTIME_TRACES"]) / LOGS[name]).open("rb") as stream:
        return read(stream, name)


def run_cell(cell: Cell) -> dict[str, Outcome]:
    """Run all schedulers on a week; SimulationError when a figure is better than its bound."""
    week = convert(log(cell.log), "week", {"k": cell.week})
    return outcomes(week)


def outcomes(week: Workload) -> dict[str, Outcome]:
    """Run all schedulers on rigid jobs; the slowdown of each is over the runtime in the log."""
    found = {}
    for conversion, algorithms in FAMILIES.values():
        workload = convert(week, conversion, {}, SEED) if conversion else week
        platform = Platform.of(workload)
        bounds = lower_bounds(workload, platform)
        for name, slug in algorithms.items():
            schedule = simulate(workload, slug, {}, seed=SEED)
            metrics = summarize(schedule, workload, platform)
            check(metrics, bounds)
            slowdown = bounded_stretch({**schedule.jobs, "runtime": week.jobs["runtime"]})
            found[name] = Outcome(
                metrics["mean_flow"],
                bounds.values["mean_flow"],
                float(np.mean(slowdown)),
                float(np.max(slowdown)),
                metrics["makespan"],
                bounds.values["makespan"],
            )
    return found


class Answers:
    """Outcomes of all weeks, by log."""

    def __init__(self, outcomes: Mapping[Cell, Mapping[str, Outcome]]):
        self._outcomes = outcomes
        self.logs = list(dict.fromkeys(cell.log for cell in outcomes))

    def weeks(self, log: str) -> list[int]:
        """Those that were run."""
        return [cell.week for cell in self._outcomes if cell.log == log]

    def values(self, log: str, name: str, what: str) -> np.ndarray:
        """A figure of a scheduler in each week."""
        return np.array([getattr(found[name], what) for cell, found in self._outcomes.items() if cell.log == log])

    def mean(self, log: str, name: str, what: str) -> float:
        """Its mean over weeks."""
        return float(np.mean(self.values(log, name, what)))
