"""The claims of the paper on SynchPack, judged on our ratios by the rules of `synchpack_rules`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from shadowtime.engine.statistics.intervals import Interval
from shadowtime.workers.papers.report import Claim, Grade, grade
from shadowtime.workers.papers.synchpack_cells import BOUND, JSQ, PSRS, SP2, SP3, TETRIS, WEIGHTS
from shadowtime.workers.papers.synchpack_points import (
    LOADS,
    PRIORITY,
    Case,
    Points,
    offline,
    online,
    online_placed,
    placed,
    remote_factors,
)
from shadowtime.workers.papers.synchpack_rules import (
    DENSE,
    MIDDLE,
    PROVEN,
    THREE,
    TWO,
    better,
    claim_of,
    gains,
    grows,
    listed,
    others,
)


def claims(points: Points) -> list[Claim]:
    """Return all claims, in the order of the paper."""
    return [judge(points) for judge in _JUDGES]


def _near_bound(points: Points) -> Claim:
    found = {}
    for column, own, cases in ((THREE, SP3, offline(points.scale)), (TWO, SP2, placed(points.scale))):
        ratios = points.values(own, cases) / points.values(BOUND, cases)
        most, proven = float(ratios.max()), PROVEN[column]
        words = ", ".join(
            f"{case.label} {value:.2f}" for case, value in zip(cases, ratios.mean(axis=0).tolist(), strict=True)
        )
        found[column] = (f"{words}; largest {most:.2f}", grade(most <= proven, most <= proven / 2.0))
    return claim_of(
        points, "Ratios to the linear program are within 4 and 24, and much smaller", "far below both; Table 1 is lost",
        "every single ratio is at most half of the proven factor (direction: at most the factor)", found,
        "Section 7.1, Table 1", "the approximation ratios are much smaller",
    )  # fmt: skip


def _first_rivals(points: Points) -> Claim:
    found = {}
    for column, own, rival, cases in (
        (THREE, SP3, PSRS, offline(points.scale)), (TWO, SP2, JSQ, placed(points.scale)),
    ):  # fmt: skip
        ratios = points.ratios(rival, own, cases)
        found[column] = (f"{rival}: {listed(ratios, cases)}", better(ratios))
    return claim_of(
        points, "Off-line, PSRS and JSQ-MW are worse with all three weightings", "in all cases; percentages lost",
        "with each weighting the interval of the mean ratio lies above 1 (direction: the mean does)", found,
        "Figures 2(a), 2(b)", "outperforms the other two algorithms in all the cases", _by_size(points, PSRS, JSQ),
    )  # fmt: skip


def _tetris(points: Points) -> Claim:
    found, more = {}, []
    for column, own, cases in ((THREE, SP3, offline(points.scale)), (TWO, SP2, placed(points.scale))):
        ratios = points.ratios(MIDDLE, own, cases)
        found[column] = (f"f = 1: {listed(ratios, cases)}", better(ratios))
        more.append(f"{column}: {others(points, own, cases)}")
    return claim_of(
        points, "Off-line, Tetris is worse with all three weightings", "in all cases; percentages lost",
        "with each weighting the interval of the mean ratio to Tetris with f = 1 lies above 1 (direction: the mean "
        "does); other constants are shown, since the paper's is lost",
        found, "Figures 2(a), 2(b)", "outperforms the other two algorithms in all the cases",
        f"other constants, {'; '.join(more)}; {_by_size(points, MIDDLE, MIDDLE)}",
    )  # fmt: skip


def _by_size(points: Points, rival: str, placed_rival: str) -> str:
    """Return gains with priority weights by number of jobs and machines."""
    scale = points.scale

    def gain(name: str, own: str, cases: Sequence[Case]) -> str:
        (ratio,) = points.ratios(name, own, cases)
        return f"{100 * (ratio.mean - 1):+.0f} %"

    single = [f"{n:,} on {m:,} {gain(rival, SP3, offline(scale, n, m)[PRIORITY])}" for n, m in scale.sizes]
    staying = [
        f"{n:,} on {m:,} {gain(placed_rival, SP2, placed(scale, n, m)[PRIORITY])}" for n, m in scale.placed_sizes
    ]
    return (
        f"with priority weights by jobs and machines, {THREE} over {rival}: {', '.join(single)}; "
        f"{TWO} over {placed_rival}: {', '.join(staying)}"
    )


def _against(points: Points, rivals: tuple[str, str], ours: str, cases: Sequence[Case]) -> tuple[str, list[Interval]]:
    """Return the ratios of both rivals to ours, in words and one after the other."""
    by_rival = {rival: points.ratios(rival, ours, cases) for rival in rivals}
    words = "; ".join(f"{rival}: {listed(ratios, cases)}" for rival, ratios in by_rival.items())
    return words, [one for ratios in by_rival.values() for one in ratios]


def _remote(points: Points) -> Claim:
    cases = remote_factors(points.scale)
    words, judged = _against(points, (JSQ, MIDDLE), SP2, cases)
    return claim_of(
        points, "SynchPack-2 is better at every remote factor", "outperforms both; percentages and factors lost",
        "at each factor the intervals of the mean ratio of JSQ-MW and of Tetris with f = 1 lie above 1 (direction: the "
        "means do)", {TWO: (words, better(judged))}, "Figure 2(c)", "outperforms the other algorithms",
        f"Tetris with other constants: {others(points, SP2, cases)}",
    )  # fmt: skip


def _online(points: Points, rivals: tuple[str, str], what: str) -> Claim:
    """Return a claim of Figures 3(a) and 3(b): every weighting at every load from 1 on."""
    found, more = {}, []
    for column, own, rival, made in (
        (THREE, SP3, rivals[0], online), (TWO, SP2, rivals[1], online_placed),
    ):  # fmt: skip
        at_loads = {w: made(points.scale, w) for w in WEIGHTS}
        ratios = {w: points.ratios(rival, own, cases) for w, cases in at_loads.items()}
        judged = [one for w in WEIGHTS for one, x in zip(ratios[w], LOADS, strict=True) if x in DENSE]
        words = "; ".join(
            f"{w} {', '.join(f'{100 * (one.mean - 1):+.0f}' for one in ratios[w])} %" for w in WEIGHTS
        )  # fmt: skip
        found[column] = (f"{rival}: {words} (loads {', '.join(f'{x:g}' for x in LOADS)})", better(judged))
        more.append(f"{column}: {_failing(ratios)}")
        if rival == MIDDLE:
            every = [one for cases in at_loads.values() for one in cases if float(one.label) in DENSE]
            more.append(f"other constants at loads from 1 on, {column}: {others(points, own, every)}")
    return claim_of(
        points, f"On-line, {what} with all three weightings", "in all cases; percentages and traffic lost",
        "with each weighting at loads 1, 2 and 4 the interval of the mean ratio lies above 1 (direction: the mean "
        "does); load 0.5 is not judged, since the paper took few machines to have reasonable traffic, 'since "
        "otherwise the problem is trivial'", found, "Figures 3(a), 3(b)",
        "outperforms the other two algorithms in all the cases", "; ".join(more),
    )  # fmt: skip


def _failing(ratios: Mapping[str, Sequence[Interval]]) -> str:
    """Return at which loads and weightings an interval is not above 1, and the worst of them from load 1 on."""
    lost = {x: [w for w in WEIGHTS if ratios[w][at].low <= 1.0] for at, x in enumerate(LOADS)}
    words = "; ".join(
        f"load {x:g}: {'all' if len(names) == 3 else ', '.join(names)}" for x, names in lost.items() if names
    )
    dense = [(one.low, w, x, one) for w in WEIGHTS for one, x in zip(ratios[w], LOADS, strict=True) if x in DENSE]
    _, weights, load, one = min(dense, key=lambda found: found[0])
    worst = f"{weights} at {load:g}, {100 * (one.low - 1):+.1f} to {100 * (one.high - 1):+.1f} %"
    return f"not above 1 at {words or 'no load'} (worst from load 1 on: {worst})"


def _online_first(points: Points) -> Claim:
    return _online(points, (PSRS, JSQ), "PSRS and JSQ-MW are worse")


def _online_tetris(points: Points) -> Claim:
    return _online(points, (MIDDLE, MIDDLE), "Tetris is worse")


def _poorest(points: Points) -> Claim:
    """Figure 3(a): one of PSRS and Tetris is the poorest; which one is lost."""
    words, loads = [], []
    for x in DENSE:
        cases = [online(points.scale, w)[LOADS.index(x)] for w in WEIGHTS]
        theirs = points.means(PSRS, cases).mean, points.means(MIDDLE, cases).mean
        poorest = {PSRS if one > other else MIDDLE for one, other in zip(*theirs, strict=True)}
        loads.append(len(poorest) == 1)
        words.append(f"load {x:g}: {' or '.join(sorted(poorest))}")
    return claim_of(
        points, "On-line, the same rival is the poorest with all three weightings", "one of PSRS and Tetris; name lost",
        "at each load from 1 on, the same of PSRS and Tetris with f = 1 has the largest mean delay with all three "
        "weightings", {THREE: ("; ".join(words), grade(all(loads)))}, "Figure 3(a)",
        "presents the poorest performance", "" if all(loads) else "the order of PSRS and Tetris changes with weights",
    )  # fmt: skip


def _traffic_better(points: Points) -> Claim:
    cases = online(points.scale, "equal")
    words, judged = _against(points, (PSRS, MIDDLE), SP3, cases)
    return claim_of(
        points, "SynchPack-3 is better at every traffic intensity", "outperforms the others; percentages lost",
        "with equal weights, at each load from 0.5 to 4, the intervals of the mean ratio of PSRS and of Tetris with "
        "f = 1 lie above 1 (direction: the means do)", {THREE: (words, better(judged))}, "Figure 3(c)",
        "outperforms the other algorithms", f"Tetris with other constants: {others(points, SP3, cases)}",
    )  # fmt: skip


def _traffic_grows(points: Points) -> Claim:
    cases = online(points.scale, "equal")
    rivals = (PSRS, MIDDLE)
    words = "; ".join(
        f"{rival} {', '.join(f'{100 * (one.mean - 1):+.0f} %' for one in points.ratios(rival, SP3, cases))}"
        for rival in rivals
    )
    worst = min(
        (grows(points, rival, SP3, cases) for rival in rivals), key=[Grade.NO, Grade.DIRECTION, Grade.SIZE].index
    )
    staying = online_placed(points.scale, "equal")
    other = "; ".join(
        f"{rival} {', '.join(f'{100 * (one.mean - 1):+.0f} %' for one in points.ratios(rival, SP2, staying))}"
        for rival in (JSQ, MIDDLE)
    )
    return claim_of(
        points, "Gains grow with the traffic intensity", "in words",
        "over PSRS and over Tetris with f = 1, the gain rises from each of the loads 0.5, 1, 2, 4 to the next, beyond "
        "noise (direction: from the first to the last)", {THREE: (words, worst), TWO: (other, None)}, "Figure 3(c)",
        "the performance gain increases as traffic intensity grows",
        f"over Tetris with f = 10: {gains(points.ratios(TETRIS[10.0], SP3, cases))}",
    )  # fmt: skip


def largest_gains(points: Points) -> dict[str, dict[str, float]]:
    """Return the largest mean gain over each rival [%], by SynchPack-3 (priority weights) and SynchPack-2 (all)."""
    scale = points.scale
    cases = {
        SP3: [offline(scale)[2], *online(scale, "priority")],
        SP2: [*placed(scale), *remote_factors(scale), *(one for w in WEIGHTS for one in online_placed(scale, w))],
    }
    rivals = {SP3: (PSRS, *TETRIS.values()), SP2: (JSQ, *TETRIS.values())}
    return {
        own: {
            name: float(np.nanmax([100.0 * (one.mean - 1.0) for one in points.ratios(name, own, cases[own])]))
            for name in names
        }
        for own, names in rivals.items()
    }


def _largest(points: Points) -> Claim:
    gains_of = largest_gains(points)
    words = {own: ", ".join(f"{rival} {gain:.0f} %" for rival, gain in gains_of[own].items()) for own in gains_of}
    return claim_of(
        points, "How much worse the rivals are, at most", "PSRS 69 %, Tetris 79 %; JSQ-MW 81 %, Tetris 175 % "
        "(remembered, uncertain)", "shown, not judged: the numbers are remembered, and Tetris' constant is lost",
        {THREE: (words[SP3], None), TWO: (words[SP2], None)}, "Section 1.2", "by up to",
    )  # fmt: skip


_JUDGES: tuple[Callable[[Points], Claim], ...] = (
    _near_bound, _first_rivals, _tetris, _remote, _online_first, _online_tetris, _poorest, _traffic_better,
    _traffic_grows, _largest,
)  # fmt: skip
