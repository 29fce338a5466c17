"""Run every family on one workload: weeks of two real logs on batch, two-tier, fractional and moldable schedulers.

No paper has published this, so there are no numbers to compare with: the claims of each paper about its own workload
are tested on the logs. Conversions make the other kinds of workload; the page states their assumptions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.statistics.blocks import weeks
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.one_workload_cells import ALGORITHMS, LOGS, SEED, Answers, Cell, has_log, log, run_cell
from shadowtime.workers.papers.one_workload_claims import claims
from shadowtime.workers.papers.report import Figure, Report

TITLE = "Every family on one workload"
SOURCE = "Parallel Workloads Archive: KTH-SP2-1996-2.1-cln and HPC2N-2002-2.2-cln; one question of our own"

WEEKS = {
    "quick": {"KTH": tuple(range(4, 48, 8)), "HPC2N": tuple(range(11, 182, 22))},
    "full": {"KTH": tuple(range(48)), "HPC2N": tuple(range(182))},
}


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run the weeks of the logs that are available.

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
    return bool((weeks(whole.jobs["release"]) == week).any())


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
