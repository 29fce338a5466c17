"""The tables of the study of SynchPack: each figure and table of the paper, and how the ranking depends on size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shadowtime.engine.metrics.nature import MEAN
from shadowtime.engine.statistics.intervals import Means, means
from shadowtime.workers.papers.report import Figure
from shadowtime.workers.papers.synchpack_cells import (
    BOUND,
    JSQ,
    LP3,
    PSRS,
    SP2,
    SP3,
    SP3_CUTS,
    TETRIS,
    VARIANTS,
    WEIGHTS,
)
from shadowtime.workers.papers.synchpack_claims import largest_gains
from shadowtime.workers.papers.synchpack_points import (
    Case,
    Points,
    offline,
    online,
    online_on,
    online_placed,
    placed,
    remote_factors,
    steep,
    waiting,
)
from shadowtime.workers.papers.synchpack_rules import REMEMBERED

SPREAD = "95 % interval over seeds"
MOVING = (SP3, PSRS, *TETRIS.values())
STANDING = (SP2, *TETRIS.values(), JSQ)
DELAY = "seconds, weighted mean"
TABLE_1 = "Table 1: weighted completion over the linear program"
FIGURE_2A = "Figure 2(a): weighted mean completion, one machine a task"
FIGURE_2B = "Figure 2(b): weighted mean completion, placement"
FIGURE_2C = "Figure 2(c): weighted mean completion by remote factor"
FIGURE_3A = "Figure 3(a): weighted mean delay on-line, one machine a task"
FIGURE_3B = "Figure 3(b): weighted mean delay on-line, placement"
FIGURE_3C = "Figure 3(c): mean delay by traffic, equal weights"
BY_SIZE = "Off-line by jobs and machines: rivals over SynchPack-3, priority weights"
BY_SIZE_PLACED = "Off-line by jobs and machines: rivals over SynchPack-2, priority weights"
BY_CLUSTER = "On-line by machines: rivals over SynchPack-3, equal weights"
WAITS = "On-line by planning interval: mean delay of SynchPack-3, equal weights"
STEEP_WEIGHTS = "Weights from 1 down to 1/512, which are not the paper's: weighted mean completion"
SHIFT = "What the left shift of SynchPack-2 gains: weighted mean completion"
TESTS = "Rivals against SynchPack over blocks: ratio, Wilcoxon's p after Holm, rank-biserial correlation"
LARGEST = "Largest mean gains over rivals, beside the remembered ones"
TIMES = "Processor time of one run and one program"


def tables(points: Points) -> list[Figure]:
    """Return all tables."""
    scale = points.scale
    return [
        _near(points),
        _values(points, FIGURE_2A, [(one.label, one) for one in offline(scale)], MOVING),
        _values(points, FIGURE_2B, [(one.label, one) for one in placed(scale)], STANDING),
        _values(points, FIGURE_2C, [(f"factor {one.label}", one) for one in remote_factors(scale)], STANDING),
        _values(points, FIGURE_3A, _by_weights({w: online(scale, w) for w in WEIGHTS}), MOVING),
        _values(points, FIGURE_3B, _by_weights({w: online_placed(scale, w) for w in WEIGHTS}), STANDING),
        _values(points, FIGURE_3C, [(f"load {one.label}", one) for one in online(scale, "equal")], MOVING),
        _ratios(points, BY_SIZE, _sizes(points), MOVING),
        _ratios(points, BY_SIZE_PLACED, _placed_sizes(points), STANDING),
        _ratios(
            points, BY_CLUSTER,
            [(f"{m:,} machines, load {one.label}", one) for m in scale.machines for one in online_on(scale, m)],
            MOVING,
        ),
        _values(points, WAITS, [(f"load {one.label}", one) for one in waiting(scale)], tuple(VARIANTS)),
        _values(points, STEEP_WEIGHTS, [(one.label, one) for one in steep(scale)], MOVING),
        _values(points, SHIFT, [(one.label, one) for one in placed(scale)], (SP2, "SP-2 without left shift")),
        _tests(points),
        _largest(points),
        _times(points),
    ]  # fmt: skip


Rows = Sequence[tuple[str, Case]]


def _by_weights(found: Mapping[str, Sequence[Case]]) -> Rows:
    return [(f"{w}, load {one.label}", one) for w, cases in found.items() for one in cases]


def _sizes(points: Points) -> Rows:
    scale = points.scale
    return [(f"{m:,} machines, {n:,} jobs", offline(scale, n, m)[2]) for n, m in scale.sizes]


def _placed_sizes(points: Points) -> Rows:
    scale = points.scale
    return [(f"{m:,} machines, {n:,} jobs", placed(scale, n, m)[2]) for n, m in scale.placed_sizes]


def _figure(
    points: Points, title: str, unit: str, names: Sequence[str], labels: Sequence[str], columns: Sequence[Means]
) -> Figure:
    """Return a table from one `Means` a column, with a row for each case."""
    rows = [(label, [float(one.mean[at]) for one in columns]) for at, label in enumerate(labels)]
    low = [[float(one.low[at]) for one in columns] for at in range(len(labels))]
    high = [[float(one.high[at]) for one in columns] for at in range(len(labels))]
    return Figure(title, unit, list(names), rows, low, high, SPREAD, points.blocks)


def _values(points: Points, title: str, rows: Rows, names: Sequence[str]) -> Figure:
    cases = [one for _, one in rows]
    columns = [points.means(name, cases) for name in names]
    return _figure(points, title, DELAY, names, [label for label, _ in rows], columns)


def _near(points: Points) -> Figure:
    """Return ratios of the SynchPack algorithms to their programs, by weighting; missing where LP3 is not solved."""
    scale = points.scale
    large, small = offline(scale), offline(scale, scale.jobs[0])
    columns: dict[str, Means] = {f"SP-3 over the dual bound, {scale.main:,} jobs": points.means(SP3, large, BOUND)}
    if LP3 in points.names(small[0]):
        columns[f"SP-3 by LP3 over LP3, {scale.jobs[0]:,} jobs"] = points.means(SP3_CUTS, small, LP3)
    columns[f"SP-2 over LP2, {scale.placed_main:,} jobs"] = points.means(SP2, placed(scale), BOUND)
    return _figure(points, TABLE_1, "", list(columns), list(WEIGHTS), list(columns.values()))


def _ratios(points: Points, title: str, rows: Rows, names: Sequence[str]) -> Figure:
    """Return rivals over SynchPack, the first of `names`."""
    own, *rivals = names
    found = [points.ratios(rival, own, [one for _, one in rows]) for rival in rivals]
    low, high = ([[getattr(column[at], end) for column in found] for at in range(len(rows))] for end in ("low", "high"))
    values = [(label, [column[at].mean for column in found]) for at, (label, _) in enumerate(rows)]
    return Figure(
        title, "geometric mean; above 1: the rival is worse", rivals, values, low, high, SPREAD, points.blocks
    )


def _tests(points: Points) -> Figure:
    """Return tests of each rival over blocks: weightings and loads are factors within a block."""
    scale = points.scale
    plots = {
        "Figure 2(a)": (SP3, MOVING[1:], offline(scale)),
        "Figure 2(b)": (SP2, STANDING[1:], placed(scale)),
        "Figure 2(c)": (SP2, STANDING[1:], remote_factors(scale)),
        "Figure 3(a)": (SP3, MOVING[1:], [one for w in WEIGHTS for one in online(scale, w)]),
        "Figure 3(b)": (SP2, STANDING[1:], [one for w in WEIGHTS for one in online_placed(scale, w)]),
    }
    rows, low, high = [], [], []
    for plot, (own, rivals, cases) in plots.items():
        for rival, one in zip(rivals, points.tests(rivals, own, cases), strict=True):
            rows.append((f"{plot}, {rival}", [one.ratio.mean, one.p_adjusted, one.rank_biserial]))
            low.append([one.ratio.low, one.p_adjusted, one.rank_biserial_low])
            high.append([one.ratio.high, one.p_adjusted, one.rank_biserial_high])
    return Figure(TESTS, "", ["rival / SynchPack", "p", "r"], rows, low, high, SPREAD, points.blocks)


def _largest(points: Points) -> Figure:
    rows = [
        (f"{rival} over {own}", [gain, REMEMBERED[own, rival.partition(" ")[0]]])
        for own, rivals in largest_gains(points).items()
        for rival, gain in rivals.items()
    ]
    return Figure(LARGEST, "per cent", ["ours", "remembered"], rows, blocks=points.blocks)


def _times(points: Points) -> Figure:
    scale = points.scale
    single, staying, small = offline(scale)[2:], placed(scale)[2:], offline(scale, scale.jobs[0])[2:]
    found = {
        f"SP-3, {scale.main:,} jobs": points.seconds(SP3, single),
        f"primal-dual order alone, {scale.main:,} jobs": points.seconds(BOUND, single),
        f"SP-2 after LP2, {scale.placed_main:,} jobs": points.seconds(SP2, staying),
        f"LP2, {scale.placed_main:,} jobs": points.seconds(BOUND, staying),
    }
    if LP3 in points.names(small[0]):
        found[f"LP3 by cutting planes, {scale.jobs[0]:,} jobs"] = points.seconds(LP3, small)
    by_row = [means(values[:, 0], MEAN) for values in found.values()]
    rows = [(name, [float(one.mean)]) for name, one in zip(found, by_row, strict=True)]
    low, high = [[float(one.low)] for one in by_row], [[float(one.high)] for one in by_row]
    return Figure(
        TIMES, "seconds, priority weights; measured", ["processor time"], rows, low, high, SPREAD, points.blocks
    )
