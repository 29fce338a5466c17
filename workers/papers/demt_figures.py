"""The tables of the DEMT study: averages, extremes, both criteria at once, paired comparisons, shuffles, minimums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shadowtime.engine.metrics.nature import RATIO
from shadowtime.engine.statistics.comparison import Comparison, as_family, compare
from shadowtime.engine.statistics.intervals import interval
from shadowtime.workers.papers.demt_cells import ALGORITHMS, FAMILIES, RIVALS, SHUFFLES, Answers
from shadowtime.workers.papers.demt_draft import COMPARED, DRAFT, DRAFTED
from shadowtime.workers.papers.demt_time import INTERVAL
from shadowtime.workers.papers.report import Figure

MEASURES = {"minsum": "weighted completion", "makespan": "makespan"}
OVER = {"minsum": "plain interval program", "makespan": "dual bound"}
MINIMUMS = (0.0, 0.25, 0.5, 1.0)
"""Shares of jobs with a minimum number of processors."""
MINIMUM_FAMILY, MINIMUM_JOBS = "mixed", 100


def figures(answers: Answers) -> list[Figure]:
    """Return all tables of the off-line study."""
    return [
        *(averages(answers, family, criterion) for family in FAMILIES for criterion in MEASURES),
        *(extremes(answers, criterion) for criterion in MEASURES),
        *(both(answers, family) for family in FAMILIES),
        *(paired(answers, criterion) for criterion in MEASURES),
        adjusted(answers),
        best_bound(answers),
        shuffles(answers),
        *(minimums(answers, criterion) for criterion in MEASURES),
        *differences(answers),
    ]


def averages(answers: Answers, family: str, criterion: str) -> Figure:
    """Return ratios of sums at each size with their intervals."""
    rows, low, high = [], [], []
    for jobs in answers.sizes:
        rows.append((f"n = {jobs}", [answers.average(criterion, name, family, jobs) for name in ALGORITHMS]))
        ends = [answers.interval(criterion, name, family, jobs) for name in ALGORITHMS]
        low.append([end[0] for end in ends])
        high.append([end[1] for end in ends])
    title = f"{FAMILIES[family]}: {MEASURES[criterion]} over the {OVER[criterion]}, ratio of sums"
    return Figure(title, "", list(ALGORITHMS), rows, low, high, INTERVAL, answers.blocks)


def extremes(answers: Answers, criterion: str) -> Figure:
    """Return the smallest and the largest single ratio at each point, which the paper's figures show too."""
    rows = []
    for family in FAMILIES:
        for jobs in answers.sizes:
            single = [answers.ratios(criterion, name, family, jobs) for name in ALGORITHMS]
            ends = [float(end) for ratios in single for end in (ratios.min(), ratios.max())]
            rows.append((f"{FAMILIES[family]}, n = {jobs}", ends))
    columns = [f"{name}, {end}" for name in ALGORITHMS for end in ("smallest", "largest")]
    title = f"Smallest and largest run: {MEASURES[criterion]} over the {OVER[criterion]}"
    return Figure(title, "", columns, rows, blocks=answers.blocks)


def both(answers: Answers, family: str) -> Figure:
    """Return both mean ratios of each algorithm over all sizes; a block is one workload of each size."""
    rows, low, high = [], [], []
    for name in ALGORITHMS:
        found = [interval(answers.singles(criterion, name, family).mean(axis=1), RATIO) for criterion in MEASURES]
        rows.append((name, [one.mean for one in found]))
        low.append([one.low for one in found])
        high.append([one.high for one in found])
    title = f"{FAMILIES[family]}: both criteria at once, mean ratios over all sizes"
    return Figure(title, "", list(MEASURES.values()), rows, low, high, INTERVAL, answers.blocks)


def comparisons(
    answers: Answers, criterion: str, family: str, others: Sequence[str] = tuple(RIVALS)
) -> list[Comparison]:
    """Return DEMT against each other algorithm on the same workloads, p-values after Holm over these."""
    mine = answers.singles(criterion, "DEMT", family)
    return as_family([compare(mine, answers.singles(criterion, name, family)) for name in others])


def paired(answers: Answers, criterion: str) -> Figure:
    """Return DEMT's value over that of each rival on the same workloads, geometric means with intervals."""
    rows, low, high = [], [], []
    for family, title in FAMILIES.items():
        found = [one.ratio for one in comparisons(answers, criterion, family)]
        rows.append((title, [one.mean for one in found]))
        low.append([one.low for one in found])
        high.append([one.high for one in found])
    title = f"DEMT over each rival, {MEASURES[criterion]}: geometric mean over all sizes; below 1 DEMT is better"
    return Figure(title, "", list(RIVALS), rows, low, high, INTERVAL, answers.blocks)


def adjusted(answers: Answers) -> Figure:
    """Return the p-values of these comparisons: Wilcoxon's signed-rank test, after Holm over the six rivals."""
    rows = [
        (f"{title}, {MEASURES[criterion]}", [one.p_adjusted for one in comparisons(answers, criterion, family)])
        for family, title in FAMILIES.items()
        for criterion in MEASURES
    ]
    title = "DEMT against each rival: p of the signed-rank test after Holm"
    return Figure(title, "", list(RIVALS), rows, blocks=answers.blocks)


def best_bound(answers: Answers) -> Figure:
    """Return weighted completions over the best bound instead of the paper's."""
    rows, low, high = [], [], []
    for family, title in FAMILIES.items():
        for jobs in answers.sizes:
            values = [answers.average("minsum", name, family, jobs, "best") for name in ALGORITHMS]
            rows.append((f"{title}, n = {jobs}", values))
            ends = [answers.interval("minsum", name, family, jobs, "best") for name in ALGORITHMS]
            low.append([end[0] for end in ends])
            high.append([end[1] for end in ends])
    title = "Weighted completion over the best proven bound"
    return Figure(title, "", list(ALGORITHMS), rows, low, high, INTERVAL, answers.blocks)


def gains(answers: Answers, shuffle: str, family: str, jobs: int) -> np.ndarray:
    """Return what the best of ten shuffles saves of the weighted completion of each run [%], 0 if none is better."""
    plain = answers.ratios("minsum", "shuffle none", family, jobs)
    return 100.0 * (1.0 - np.minimum(answers.ratios("minsum", f"shuffle {shuffle}", family, jobs) / plain, 1.0))


def shuffles(answers: Answers) -> Figure:
    """Return mean gains of ten shuffles over list scheduling in the order of the batches."""
    names = [name for name in SHUFFLES if name != "none"]
    rows = [
        (f"{title}, n = {jobs}", [float(gains(answers, name, family, jobs).mean()) for name in names])
        for family, title in FAMILIES.items()
        for jobs in answers.sizes
    ]
    return Figure("Gain of ten shuffles in weighted completion", "per cent", names, rows, blocks=answers.blocks)


def minimums(answers: Answers, criterion: str) -> Figure:
    """Return ratios of jobs with a minimum number of processors, over the best proven bounds."""
    names = ["DEMT", *RIVALS]
    bound = {"minsum": "best", "makespan": "dual"}[criterion]
    rows, low, high = [], [], []
    for share in MINIMUMS:
        point = (MINIMUM_FAMILY, MINIMUM_JOBS, bound, share)
        rows.append((f"{share:.0%}", [answers.average(criterion, name, *point) for name in names]))
        ends = [answers.interval(criterion, name, *point) for name in names]
        low.append([end[0] for end in ends])
        high.append([end[1] for end in ends])
    title = f"Share of the jobs with a minimum: {MEASURES[criterion]} over the best proven bound"
    return Figure(title, "", names, rows, low, high, INTERVAL, answers.blocks)


def differences(answers: Answers) -> list[Figure]:
    """Return our averages less those of an independent draft, in per cent."""
    made = []
    for criterion, at in (("minsum", 0), ("makespan", 1)):
        rows = []
        for (family, jobs), numbers in DRAFT.items():
            if jobs in answers.sizes:
                ours = [answers.average(criterion, name, family, jobs) for name in COMPARED]
                theirs = [numbers[DRAFTED.index(name)][at] for name in COMPARED]
                rows.append((f"{FAMILIES[family]}, n = {jobs}", _percents(ours, theirs)))
        title = f"{MEASURES[criterion].capitalize()}: difference of the ratios from an independent draft"
        made.append(Figure(title, "per cent", list(COMPARED), rows, blocks=answers.blocks))
    return made


def _percents(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    return [100.0 * (one / other - 1.0) for one, other in zip(ours, theirs, strict=True)]
