"""DEMT and its rivals on four families of moldable jobs: the claims of Dutot et al. 2004.

The public text of the paper has its claims in words; the points of its plots are lost. `demt_claims` judges them.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.demt_cells import FAMILIES, PROCESSORS, Answers, Cell, run_cell
from shadowtime.workers.papers.demt_claims import claims
from shadowtime.workers.papers.demt_counterparts import counterparts
from shadowtime.workers.papers.demt_figures import MINIMUM_FAMILY, MINIMUM_JOBS, MINIMUMS, figures
from shadowtime.workers.papers.demt_online import online_cells, online_figure, run_online_cell
from shadowtime.workers.papers.demt_time import TRIES, Times, time_figure, time_planning, timings
from shadowtime.workers.papers.report import Report

TITLE = "Bi-criteria scheduling of moldable jobs: DEMT"
SOURCE = "P.-F. Dutot et al., Bi-criteria algorithm for scheduling jobs on cluster platforms, SPAA 2004"

SIZES = (25, 50, 100, 200, 300, 400)
RUNS = {"quick": 8, "full": 40}
"""Workloads at each point; the paper took 40."""


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run all points of the paper and compare its claims with the results."""
    began, runs = time.perf_counter(), RUNS[scale]
    cells = [Cell(family, n, run) for n in reversed(SIZES) for family in FAMILIES for run in range(1, runs + 1)]
    cells += [
        Cell(MINIMUM_FAMILY, MINIMUM_JOBS, run, share) for share in MINIMUMS if share for run in range(1, runs + 1)
    ]
    run_cell(Cell("mixed", 25, 0))  # compiled before the children are forked
    answers = Answers(dict(zip(cells, run_cells(run_cell, cells, tell), strict=True)))
    later = online_cells(FAMILIES, runs)
    arriving = dict(zip(later, run_cells(run_online_cell, later, tell), strict=True))
    timed = timings(FAMILIES, SIZES, runs)
    times = Times(dict(zip(timed, run_cells(time_planning, timed, tell), strict=True)))
    found = claims(answers, times)
    made = [*figures(answers), online_figure(FAMILIES, arriving), time_figure(times)]
    listed = counterparts(found, SIZES, runs)
    return Report("demt", TITLE, SOURCE, scale, _method(scale), found, made, time.perf_counter() - began, listed)


def _method(scale: str) -> list[str]:
    runs = RUNS[scale]
    return [
        f"{PROCESSORS} processors; {runs} workloads for each family and each of n = {', '.join(map(str, SIZES))}; "
        "the paper took 40, the sizes between 25 and 400 are ours. Seed of a workload: 1,000,000 x the number of the "
        "family + 1,000 n + its run. Each workload is an independent draw, hence a block.",
        "Ratios are sums of values over sums of bounds, as in the paper: for the weighted completion the interval "
        "program as the paper has it (first interval charged 0, else it is no bound), for the makespan the dual bound. "
        "Their 95 % intervals are BCa bootstraps of whole workloads; smallest and largest run stand beside them.",
        "The paper keeps the best of several shuffled schedules and does not say by which criterion: weighted "
        "completion, makespan and the product of both are run, and claims about ratios are judged for each.",
        "DEMT against a rival: the geometric mean ratio on the same workloads, a block being one workload a size; "
        "signed-rank tests with Holm's correction for six rivals.",
        "Both criteria at once: the mean ratio over all sizes, with log-t intervals over these blocks.",
        f"Planning times: the shortest of {TRIES} runs of each workload, beside another process on a shared machine.",
        f"Jobs with a minimum number of processors: {MINIMUM_JOBS} {MINIMUM_FAMILY} jobs, a share of which has a "
        "minimum, log-uniform from 2 to all processors; the paper mentions such jobs (section 2.1) but draws none.",
        "Lost in every public text and restored: bounds of the uniform law (1 to 10), the form of the recurrence of "
        "parallelism (as printed it contradicts the text), parameters of Downey's function, redraws; see "
        "[moldable jobs](../moldable.md).",
        "Jobs that arrive over time are scheduled in batches; with the two shelves inside, the end is proved to be at "
        "most 3 × optimal; for DEMT inside nothing is proved.",
        "List-WSPT is not in the paper: list scheduling in Smith's order, a strong baseline.",
        "Of the plots only the sentences about them survive: a claim is judged by the rule below the table. An "
        "independent draft of the same specification gives points to compare with; nothing was tuned to either.",
    ]
