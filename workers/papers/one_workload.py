"""Every family on one workload: weeks of two real logs through batch, two-tier, fractional and moldable schedulers.

Nobody published this, so there are no numbers to hold ours against: what each paper says on its own workload is asked
of the logs. Conversions make the other kinds of workload; what each assumes is said on the page.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.metrics.jobs import bounded_stretch
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import read
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.one_workload_claims import claims
from shadowtime.workers.papers.report import Figure, Report

TITLE = "Every family on one workload"
SOURCE = "Parallel Workloads Archive: KTH-SP2-1996-2.1-cln and HPC2N-2002-2.2-cln; one question of our own"

LOGS = {"KTH": "KTH-SP2-1996-2.1-cln.swf.gz", "HPC2N": "HPC2N-2002-2.2-cln.swf.gz"}
WEEKS = {
    "quick": {"KTH": tuple(range(4, 48, 8)), "HPC2N": tuple(range(11, 182, 22))},
    "full": {"KTH": tuple(range(48)), "HPC2N": tuple(range(182))},
}
SEED = 1
"""Of what conversions draw."""

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
    """A week of a log: all schedulers are run on it."""

    log: str
    week: int


@dataclass(frozen=True)
class Outcome:
    """What one scheduler made of a week, its bounds beside it."""

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
    """Whether SHADOWTIME_TRACES names a folder that holds it."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    return folder is not None and (Path(folder) / LOGS[name]).is_file()


@lru_cache(maxsize=len(LOGS))
def log(name: str) -> Workload:
    """The whole log, read once and shared with forked children."""
    with (Path(os.environ["SHADOWTIME_TRACES"]) / LOGS[name]).open("rb") as stream:
        return read(stream, name)


def run_cell(cell: Cell) -> dict[str, Outcome]:
    """All schedulers on a week; SimulationError when a figure comes out better than is possible."""
    week = convert(log(cell.log), "week", {"k": cell.week})
    return outcomes(week)


def outcomes(week: Workload) -> dict[str, Outcome]:
    """All schedulers on rigid jobs; the slowdown of each is over the runtime in the log."""
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


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run the weeks of the logs that are here.

    Raises
    ------
    InvalidParameter
        When none of them is.
    """
    began = time.perf_counter()
    here = [name for name in LOGS if has_log(name)]
    if not here:
        raise InvalidParameter(f"set SHADOWTIME_TRACES to a folder that holds {' or '.join(LOGS.values())}")
    cells = [Cell(name, week) for name in here for week in WEEKS[scale][name] if _has_jobs(log(name), week)]
    run_cell(cells[0])  # compiled before the children are forked
    answers = Answers(dict(zip(cells, run_cells(run_cell, cells, tell), strict=True)))
    seconds = time.perf_counter() - began
    return Report("one-workload", TITLE, SOURCE, scale, _method(answers), claims(answers), figures(answers), seconds)


def figures(answers: Answers) -> list[Figure]:
    """Means over weeks beside the bounds, and each week."""
    made = []
    for name in answers.logs:
        columns = ["turnaround s", "bound s", "slowdown", "largest slowdown", "makespan s", "makespan bound s"]
        fields = ("flow", "flow_bound", "slowdown", "worst", "makespan", "makespan_bound")
        rows = [(a, [answers.mean(name, a, field) for field in fields]) for a in ALGORITHMS]
        made.append(Figure(f"Means over weeks, {name}", "", columns, rows))
        for field, title, unit in (
            ("slowdown", "Mean bounded slowdown", ""),
            ("flow", "Mean turnaround", "seconds"),
        ):
            lines = [answers.values(name, a, field) for a in ALGORITHMS]
            rows = [(f"week {week}", [float(x[at]) for x in lines]) for at, week in enumerate(answers.weeks(name))]
            made.append(Figure(f"{title} by week, {name}", unit, list(ALGORITHMS), rows))
    return made


def _has_jobs(whole: Workload, week: int) -> bool:
    begins = np.floor(whole.jobs["release"] / 604_800.0)
    return bool((begins == week).any())


def _method(answers: Answers) -> list[str]:
    said = ", ".join(f"{len(answers.weeks(name))} weeks of {name}" for name in answers.logs)
    missing = [file for name, file in LOGS.items() if name not in answers.logs]
    found: list[Any] = [
        f"{said}; each begins on an empty machine, and its jobs run to their end.",
        "The same jobs for all: slowdown is turnaround over the runtime in the log (at least 10 s), whatever a "
        "scheduler made of the job.",
        "A bound is proven for the workload that the scheduler was given, conversion and all: bounds of different "
        "families may differ.",
        f"Conversions: two_tier, fractional, moldable with their defaults, seed {SEED}; algorithms with theirs.",
        "Mean over jobs, then over weeks.",
    ]
    if missing:
        found.append(f"Not here, and left out: {', '.join(missing)} (SHADOWTIME_TRACES).")
    return found
