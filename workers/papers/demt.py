"""DEMT and its rivals on four families of moldable jobs: the claims of Dutot et al. 2004.

The public text of the paper has its claims in words; the points of its plots are lost. `demt_claims` judges them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.demt_cells import ALGORITHMS, FAMILIES, PROCESSORS, Answers, Cell, run_cell
from shadowtime.workers.papers.demt_claims import claims
from shadowtime.workers.papers.demt_draft import COMPARED, DRAFT
from shadowtime.workers.papers.demt_online import online_cells, online_figure, run_online_cell
from shadowtime.workers.papers.report import Figure, Report

TITLE = "Bi-criteria scheduling of moldable jobs: DEMT"
SOURCE = "P.-F. Dutot et al., Bi-criteria algorithm for scheduling jobs on cluster platforms, SPAA 2004"

SIZES = (25, 50, 100, 200, 300, 400)
RUNS = {"quick": 8, "full": 40}
"""Workloads at each point; the paper took 40."""

CRITERIA = {"minsum": "weighted completion", "makespan": "makespan"}


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run all points of the paper and compare its claims with the results."""
    began = time.perf_counter()
    cells = [Cell(f, n, run) for n in reversed(SIZES) for f in FAMILIES for run in range(1, RUNS[scale] + 1)]
    run_cell(Cell("mixed", 25, 0))  # compiled before the children are forked
    answers = Answers(dict(zip(cells, run_cells(run_cell, cells, tell), strict=True)))
    later = online_cells(FAMILIES, RUNS[scale])
    arriving = dict(zip(later, run_cells(run_online_cell, later, tell), strict=True))
    made = [*figures(answers), online_figure(FAMILIES, arriving)]
    seconds = time.perf_counter() - began
    return Report("demt", TITLE, SOURCE, scale, _method(scale), claims(answers), made, seconds)


def figures(answers: Answers) -> list[Figure]:
    """Return a table for each family and criterion, one with the best bound, and the comparison with a draft."""
    made = [_ratios(answers, family, criterion) for family in FAMILIES for criterion in CRITERIA]
    rows = [
        (
            f"{FAMILIES[family]}, n = {jobs}",
            [answers.average("minsum", name, family, jobs, "best") for name in ALGORITHMS],
        )
        for family in FAMILIES
        for jobs in answers.sizes
    ]
    made.append(Figure("Weighted completion over the best proven bound", "", list(ALGORITHMS), rows))
    return [*made, *_differences(answers)]


def _ratios(answers: Answers, family: str, criterion: str) -> Figure:
    """Averages at each size, with the smallest and largest single ratio beside each."""
    rows, low, high = [], [], []
    for jobs in answers.sizes:
        single = [answers.ratios(criterion, name, family, jobs) for name in ALGORITHMS]
        rows.append((f"n = {jobs}", [answers.average(criterion, name, family, jobs) for name in ALGORITHMS]))
        low.append([float(ratios.min()) for ratios in single])
        high.append([float(ratios.max()) for ratios in single])
    bound = "plain interval program" if criterion == "minsum" else "dual bound"
    title = f"{FAMILIES[family]}: {CRITERIA[criterion]} over the {bound}, ratio of sums"
    return Figure(title, "", list(ALGORITHMS), rows, low, high)


def _differences(answers: Answers) -> list[Figure]:
    """Return our averages less those of an independent draft, in per cent."""
    made = []
    for criterion, at in (("minsum", 0), ("makespan", 1)):
        rows = []
        for (family, jobs), numbers in DRAFT.items():
            if jobs in answers.sizes:
                ours = [answers.average(criterion, name, family, jobs) for name in COMPARED]
                theirs = [numbers[list(ALGORITHMS).index(name)][at] for name in COMPARED]
                rows.append((f"{FAMILIES[family]}, n = {jobs}", _percents(ours, theirs)))
        title = f"{CRITERIA[criterion].capitalize()}: difference of the ratios from an independent draft"
        made.append(Figure(title, "per cent", list(COMPARED), rows))
    return made


def _percents(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    return [100.0 * (one / other - 1.0) for one, other in zip(ours, theirs, strict=True)]


def _method(scale: str) -> list[str]:
    runs = RUNS[scale]
    return [
        f"{PROCESSORS} processors; {runs} workloads for each family and each of n = {', '.join(map(str, SIZES))}; "
        "the paper took 40, the sizes between 25 and 400 are ours. Seed of a workload: 1,000,000 x the number of the "
        "family + 1,000 n + its run.",
        "Ratios are sums of values over sums of bounds: for the weighted completion the interval program as the paper "
        "has it (first interval charged 0, else it is no bound), for the makespan the dual bound.",
        "Lost in every public text and restored: bounds of the uniform law (1 to 10), the form of the recurrence of "
        "parallelism (as printed it contradicts the text), parameters of Downey's function, redraws; see "
        "[moldable jobs](../moldable.md).",
        "Jobs that arrive over time are scheduled in batches; with the two shelves inside, the end is proved to be at "
        "most 3 times the best possible, for DEMT inside nothing is proved.",
        "List-WSPT is not in the paper: list scheduling in Smith's order, a strong baseline.",
        "Of the plots only the sentences about them survive: a claim is judged by the rule below the table. An "
        "independent draft of the same specification gives points to compare with; nothing was tuned to either.",
    ]
