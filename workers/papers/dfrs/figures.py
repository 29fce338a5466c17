"""The tables of numbers of the studies: those of the paper with theirs beside ours, and the points of its figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shadowtime.engine.statistics.comparison import as_family
from shadowtime.engine.statistics.intervals import Interval
from shadowtime.workers.papers.dfrs.answers import BEST, COLUMN, PERIODS, Answers, algorithms_of
from shadowtime.workers.papers.dfrs.extra import Timing
from shadowtime.workers.papers.dfrs.instances import SCALED
from shadowtime.workers.papers.report import Figure

SPREAD = "95 % interval over weeks or seeds"
DEGRADATION = "Degradation from the bound: "
FIGURE_1 = "Figure 1: mean degradation from the bound by load"
FIGURE_3 = "Figure 3: mean normalized underutilization by period: "
FIGURE_4 = "Figure 4: mean degradation from the bound by period"
MEAN_COSTS = "Table 3: mean costs of preemptions and migrations, loads from 0.7 on"
LARGEST_COSTS = "Table 3: largest costs of preemptions and migrations, loads from 0.7 on"
IDLE = "Table 4: mean normalized underutilization"
AGAINST_BEST = f"Each algorithm over {BEST}: "
WHOLE_LOG = "Normalized underutilization of one run of the whole log"
BANDWIDTH = "Mean bandwidth by period, loads from 0.7 on"
TIMES = "Section 6.2: time of an instant with MCB8"
PLOTTED = (
    "FCFS", "EASY", "Greedy*/opt=min", "GreedyPM*/opt=min", "Greedy*/per/opt=min", "GreedyPM*/per/opt=min",
    "GreedyPM/per/opt=min/minvt=600", BEST, "MCB8*/opt=min/minvt=600", "MCB8/per/opt=min/minvt=600",
    "/per/opt=min/minvt=600", "/stretch-per/opt=max/minvt=600",
)  # fmt: skip
"""Algorithms of Figure 1: "only the Greedy and GreedyPM versions"."""
COSTS = {
    "GB/s saved": ("saved_rate", "pmtn_gb_per_s"),
    "GB/s carried": ("carried_rate", "mig_gb_per_s"),
    "preemptions/h": ("preemptions_per_hour", "pmtn_per_hour"),
    "migrations/h": ("migrations_per_hour", "mig_per_hour"),
    "preemptions/job": ("preemptions_per_job", "pmtn_per_job"),
    "migrations/job": ("migrations_per_job", "mig_per_job"),
}
"""Columns of Table 3: the field of a point, and the paper's name."""
UNKNOWN = float("nan")


def degradations(answers: Answers) -> list[Figure]:
    """Return mean, deviation (ddof 1) and maximum of the degradation beside the paper's, by group."""
    heads = ["mean", "deviation", "maximum", "theirs: mean", "deviation", "maximum"]
    made = []
    for group in answers.groups:
        rows: list[tuple[str, Sequence[float]]] = []
        ends = []
        for algorithm in algorithms_of(answers.table):
            ours = answers.values("degradation", algorithm, group)
            spread = float(ours.std(ddof=1)) if len(ours) > 1 else UNKNOWN
            paper = [answers.theirs(algorithm, f"{COLUMN[group]}_{what}") for what in ("avg", "std", "max")]
            rows.append((algorithm, [float(ours.mean()), spread, float(ours.max()), *paper]))
            ends.append([answers.interval("degradation", algorithm, group)])
        made.append(_figure(DEGRADATION + group, heads, rows, ends, answers.blocks(group)))
    return made


def stretch_figures(answers: Answers) -> list[Figure]:
    """Return Table 2, and Figure 1 from its scaled workloads."""
    by_load = [(f"load {load:g}", answers.at(load)) for load in answers.loads]
    ends = [[at.interval("degradation", name, SCALED) for name in PLOTTED] for _, at in by_load]
    rows = [(label, [one.mean for one in intervals]) for (label, _), intervals in zip(by_load, ends, strict=True)]
    figure = _figure(FIGURE_1, PLOTTED, rows, ends, answers.blocks(SCALED))
    return [*degradations(answers), figure, *(_against_best(answers, group) for group in answers.groups)]


def _against_best(answers: Answers, group: str) -> Figure:
    """Return the ratio of each algorithm to the best one over blocks, with the tests of section 6.1's comparisons."""
    names = [name for name in algorithms_of(answers.table) if name != BEST]
    compared = as_family(answers.against(names, BEST, group))
    heads = ["geometric mean ratio", "p, signed rank after Holm", "rank-biserial correlation"]
    rows = [
        (name, [one.ratio.mean, one.p_adjusted, one.rank_biserial]) for name, one in zip(names, compared, strict=True)
    ]
    ends = [[one.ratio] for one in compared]
    return _figure(AGAINST_BEST + group, heads, rows, ends, answers.blocks(group))


def cost_figures(answers: Answers) -> list[Figure]:
    """Return Table 3: means and maxima over workloads, beside the paper's."""
    heads = [word for name in COSTS for word in (name, "theirs")]
    made = []
    for title, of, suffix in ((MEAN_COSTS, np.mean, "avg"), (LARGEST_COSTS, np.max, "max")):
        rows = []
        for algorithm in algorithms_of(answers.table):
            values: list[float] = []
            for field, column in COSTS.values():
                ours = float(of(answers.values(field, algorithm, SCALED)))
                values += [ours, answers.theirs(algorithm, f"{column}_{suffix}")]
            rows.append((algorithm, values))
        made.append(Figure(title, "", heads, rows, blocks=answers.blocks(SCALED)))
    return made


def idle_figures(answers: Answers) -> list[Figure]:
    """Return Table 4, and the run of the whole log where there is one."""
    heads = [word for group in answers.groups for word in (group, "theirs")]
    rows, ends = [], []
    for algorithm in algorithms_of(answers.table):
        found = [answers.interval("underutilization", algorithm, group) for group in answers.groups]
        paper = [answers.theirs(algorithm, COLUMN[group]) for group in answers.groups]
        rows.append((algorithm, [
            value for one, group, theirs in zip(found, answers.groups, paper, strict=True)
            for value in (answers.mean("underutilization", algorithm, group), theirs)
        ]))  # fmt: skip
        ends.append([one for interval in found for one in (interval, None)])
    made = [_figure(IDLE, heads, rows, ends, min(answers.blocks(group) for group in answers.groups))]
    if answers.whole_log:
        theirs = {"EASY": 0.08, BEST: 0.10}
        whole = [(name, [value, theirs[name]]) for name, value in answers.whole_log.items()]
        made.append(Figure(WHOLE_LOG, "", ["ours", "theirs"], whole, blocks=1))
    return made


def period_figures(answers: Answers) -> list[Figure]:
    """Return Figures 3 and 4 on each group, and the bandwidth at high load by period."""
    made, labels = [], [f"{period:,.0f} s" for period in PERIODS]
    for group in answers.groups:
        ends = [[answers.interval("underutilization", BEST, group, period)] for period in PERIODS]
        ends = [[*row, answers.interval("underutilization", "EASY", group)] for row in ends]
        idle = [(label, [one.mean for one in row]) for label, row in zip(labels, ends, strict=True)]
        made.append(_figure(FIGURE_3 + group, ["GreedyPM*", "EASY"], idle, ends, answers.blocks(group)))
    ends = [[answers.interval("degradation", BEST, group, period) for group in answers.groups] for period in PERIODS]
    rows = [(label, [one.mean for one in row]) for label, row in zip(labels, ends, strict=True)]
    made.append(_figure(FIGURE_4, answers.groups, rows, ends, min(map(answers.blocks, answers.groups))))
    busy = answers.where(lambda one: one.load >= 0.7)
    fields = ("bandwidth", "saved_rate", "carried_rate")
    ends = [[busy.interval(field, BEST, SCALED, period) for field in fields] for period in PERIODS]
    rows = [(label, [one.mean for one in row]) for label, row in zip(labels, ends, strict=True)]
    made.append(_figure(BANDWIDTH, ["GB/s", "saved", "carried"], rows, ends, busy.blocks(SCALED)))
    return made


def time_figures(timings: Sequence[Timing]) -> list[Figure]:
    """Return the statistics of section 6.2 beside the paper's."""
    total = sum(one.observations for one in timings)
    few = sum(one.few for one in timings)
    rows: list[tuple[str, Sequence[float]]] = [
        ("instants", [total, 197_808]),
        ("share with 10 or fewer jobs", [few / total, 0.6725]),
        ("of these, below 1 ms", [sum(one.fast for one in timings) / max(1, few), 1.0]),
        ("largest number of jobs", [max(one.jobs for one in timings), 102]),
        ("mean time [ms]", [1e3 * sum(one.seconds for one in timings) / total, 250.0]),
        ("longest time [ms]", [1e3 * max(one.longest for one in timings), 4500.0]),
    ]
    return [Figure(TIMES, "", ["ours", "theirs"], rows, blocks=len(timings))]


def _figure(
    title: str,
    heads: Sequence[str],
    rows: Sequence[tuple[str, Sequence[float]]],
    ends: Sequence[Sequence[Interval | None]],
    blocks: int,
) -> Figure:
    """Return a figure whose first columns have intervals; None where a column has none."""
    low, high = (
        [
            [getattr(one, end) if one else UNKNOWN for one in row] + [UNKNOWN] * (len(heads) - len(row))
            for row in ends
        ]
        for end in ("low", "high")
    )  # fmt: skip
    return Figure(title, "", list(heads), list(rows), low, high, SPREAD, blocks)
