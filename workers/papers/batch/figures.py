"""The tables of the study, by workload, and over all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shadowtime.engine.statistics.intervals import Interval
from shadowtime.workers.papers.batch.anchors import ANCHORS, policy_words
from shadowtime.workers.papers.batch.answers import Answers
from shadowtime.workers.papers.batch.cells import Whole
from shadowtime.workers.papers.batch.growth import TIMED, Growth
from shadowtime.workers.papers.batch.policies import ORDERS, POLICIES, SETTINGS
from shadowtime.workers.papers.report import Figure

MEANS, OVER_EASY, SPREAD, RANKING = "Means over weeks: ", "Over EASY, by week: ", "Weekly ratios to EASY: ", "Ranking: "
ALL = "Mean bounded slowdown over EASY's, all workloads"
SEQUENCES = "Medians over ten sequences of 15 days, "
WHOLE_LOG = "Whole log: "
ANCHORED = "Whole logs beside the simulator of 2007"
GROWTH = "Time of an end against the queue"
QUANTILES = (10, 25, 50, 75, 90)
UNKNOWN = float("nan")
INTERVAL = "95 % interval over weeks or seeds"


def figures(answers: Answers) -> list[Figure]:
    """Return all tables, those that the page draws first."""
    workloads = answers.workloads
    found = [all_ratios(answers), *(ranking(answers, name) for name in workloads)]
    found += [spread(answers, name) for name in workloads]
    found += [sequences(answers, at) for at in range(len(SETTINGS))]
    found += [whole_log(answers, name) for name in workloads if answers.has_whole(name)]
    found += [anchors(answers)] if any(cell.of_2007 for cell in answers.whole) else []
    found += [growth(answers)] if answers.growth else []
    found += [over_easy(answers, name) for name in workloads]
    return found + [means(answers, name) for name in workloads]


def all_ratios(answers: Answers) -> Figure:
    """Return the geometric mean over weeks of the ratio to EASY, policy by workload."""
    rows = [
        (name, [float(np.exp(np.log(answers.ratios(one, name)).mean())) for one in answers.workloads])
        for name in POLICIES
    ]
    return Figure(ALL, "", answers.workloads, rows, blocks=min(map(answers.blocks, answers.workloads)))


def ranking(answers: Answers, workload: str) -> Figure:
    """Return the mean ranks, the best first; ends are half a critical difference away."""
    found = answers.ranking(workload)
    names, half = list(POLICIES), found.critical_difference / 2.0
    ranks = [(names[at], float(found.mean_ranks[at])) for at in found.order]
    rows = [(name, [rank, found.critical_difference, found.friedman_p]) for name, rank in ranks]
    heads = ["mean rank", "critical difference", "p, Friedman"]
    low, high = ([[rank + side * half, UNKNOWN, UNKNOWN] for _, rank in ranks] for side in (-1, 1))
    said = "half of Nemenyi's critical difference on each side"
    return Figure(RANKING + workload, "", heads, rows, low, high, said, found.blocks)


def spread(answers: Answers, workload: str) -> Figure:
    """Return quantiles over weeks of the ratio to EASY."""
    rows = [
        (name, [float(one) for one in np.percentile(answers.ratios(workload, name), QUANTILES)]) for name in POLICIES
    ]
    heads = [f"{q} %" for q in QUANTILES]
    return Figure(SPREAD + workload, "", heads, rows, blocks=answers.blocks(workload))


def over_easy(answers: Answers, workload: str) -> Figure:
    """Return the paired comparisons with EASY."""
    heads = ["geometric mean ratio", "p, signed rank after Holm", "rank-biserial correlation", "weeks better",
             "weeks worse"]  # fmt: skip
    rows, ends = [], []
    for name, one in answers.family(workload).items():
        rows.append((name, [one.ratio.mean, one.p_adjusted, one.rank_biserial, one.smaller, one.larger]))
        ends.append([one.ratio])
    return with_ends(OVER_EASY + workload, heads, rows, ends, answers.blocks(workload))


def means(answers: Answers, workload: str) -> Figure:
    """Return means over weeks, with the bounds."""
    heads = ["slowdown", "wait s", "utilization", "longest wait s", "wait bound s", "utilization bound"]
    bounds = [answers.bound(workload, "wait_bound"), answers.bound(workload, "utilization_bound")]
    rows, ends = [], []
    for name in POLICIES:
        found = [answers.interval(workload, name, what) for what in ("slowdown", "wait", "utilization")]
        longest = float(answers.values(workload, name, "longest").mean())
        rows.append((name, [*(one.mean for one in found), longest, *bounds]))
        ends.append(found)
    return with_ends(MEANS + workload, heads, rows, ends, answers.blocks(workload))


def sequences(answers: Answers, at: int) -> Figure:
    """Return the medians of a setting of SC 2017; ends are the smallest and largest sequence."""
    setting = SETTINGS[at]
    found = {
        workload: [answers.sequence_values(workload, order, setting) for order in ORDERS]
        for workload in answers.workloads
    }
    rows = [(workload, [float(np.median(one)) for one in values]) for workload, values in found.items()]
    low, high = ([[float(of(one)) for one in values] for values in found.values()] for of in (np.min, np.max))
    heads = [name if name != "SJF" else "SPT" for name in ORDERS]
    blocks = len(answers.sequences) // len(answers.workloads)
    return Figure(SEQUENCES + setting.title, "", heads, rows, low, high, "smallest and largest sequence", blocks)


def whole_log(answers: Answers, log: str) -> Figure:
    """Return one run of a whole log by policy."""
    rows = []
    for name in POLICIES:
        if any((cell.log, cell.policy, cell.of_2007) == (log, name, False) for cell in answers.whole):
            one = answers.of_whole(log, name)
            rows.append((name, [one.slowdown, one.wait, one.longest, one.utilization]))
    return Figure(WHOLE_LOG + log, "", ["slowdown", "wait s", "longest wait s", "utilization"], rows, blocks=1)


def anchors(answers: Answers) -> Figure:
    """Return our figures of whole logs beside those of the simulator of 2007."""
    heads = [word for what in ("wait s", "slowdown", "longest wait s") for word in (what, "theirs")]
    rows = []
    for (log, policy), theirs in ANCHORS.items():
        ours = answers.whole.get(Whole(log, policy, of_2007=True))
        if ours:
            both = zip((ours.wait, ours.slowdown, ours.longest), theirs, strict=True)
            rows.append((policy_words(log, policy), [value for pair in both for value in pair]))
    return Figure(ANCHORED, "", heads, rows, blocks=1)


def growth(answers: Answers) -> Figure:
    """Return the processor time of an end, by the mean queue of conservative backfilling."""
    sizes = sorted({cell.jobs for cell in answers.growth})
    rows = []
    for jobs in sizes:
        costs = [answers.growth[Growth(name, jobs)] for name in TIMED]
        rows.append((f"{costs[-1].queue:,.0f}", [1e6 * one.seconds / one.ends for one in costs]))
    return Figure(GROWTH, "microseconds of processor time", list(TIMED), rows, blocks=1)


def with_ends(
    title: str,
    heads: Sequence[str],
    rows: Sequence[tuple[str, Sequence[float]]],
    ends: Sequence[Sequence[Interval]],
    blocks: int,
) -> Figure:
    """Return a figure whose first columns have intervals."""
    low, high = (
        [[getattr(one, end) for one in row] + [UNKNOWN] * (len(heads) - len(row)) for row in ends]
        for end in ("low", "high")
    )
    return Figure(title, "", list(heads), list(rows), low, high, INTERVAL, blocks)
