"""KEASY, REASY and MEASY against EASY: the figures and claims of Liu et al. 2012 on two workload models.

The points of the paper's curves are lost in every public text, so the claims are its sentences.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from shadowtime.engine.statistics.sequential import Decision, decide
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.measy_cells import (
    BUDGET,
    COSTS,
    JOBS,
    LOADS,
    NAMES,
    PROCESSORS,
    SEEDS,
    WARM_UP,
    WIDTH,
    Cell,
    Point,
    cells_of,
    run_cell,
    run_shape,
    shapes_of,
)
from shadowtime.workers.papers.measy_claims import (
    always_better,
    better_than_easy,
    gain,
    worse_than_easy,
    worst_of_three,
)
from shadowtime.workers.papers.measy_moves import bears, comparable, lower_limit, more_migrations
from shadowtime.workers.papers.measy_points import AT_FULL, DRAWN, METRICS, UNKNOWN, Answers, Both
from shadowtime.workers.papers.measy_tables import (
    counterparts,
    gain_tables,
    metric_tables,
    move_tables,
    pair_table,
    shape_tables,
)
from shadowtime.workers.papers.report import Claim, Report

TITLE = "Migration and consolidation: KEASY, REASY and MEASY"
SOURCE = "X. Liu et al., Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud, MPE 2012, 695757"


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run all points of the paper and compare its claims with the results."""
    began = time.perf_counter()
    answers, decision = sampled(scale, tell)
    seeds = answers["feitelson"].seeds
    draws = shapes_of(scale, seeds)
    drawn = list(zip(draws, run_cells(run_shape, draws, tell), strict=True))
    claims = claims_of(answers)
    figures = [
        *shape_tables({model: [shape for cell, shape in drawn if cell.model == model] for model in NAMES}),
        *(table for one in answers.values() for table in metric_tables(one)),
        *(table for one in answers.values() for table in gain_tables(one)),
        *move_tables(answers),
        pair_table(answers),
    ]
    seconds = time.perf_counter() - began
    found = counterparts(scale, claims, seeds)
    return Report("measy", TITLE, SOURCE, scale, method(scale, seeds, decision), claims, figures, seconds, found)


def sampled(scale: str, tell: Callable[[str], None]) -> tuple[Both, Decision]:
    """Run seeds until the intervals of MEASY's ratios to EASY are narrow, or the budget is spent."""
    seeds: Sequence[int] = SEEDS
    points: dict[Cell, Point] = {}
    while True:
        cells = [cell for cell in cells_of(scale, seeds) if cell not in points]
        points |= zip(cells, run_cells(run_cell, cells, tell), strict=True)
        answers = {model: Answers(model, scale, points, seeds) for model in NAMES}
        ratios = [
            np.log(one.of(what, "measy") / one.of(what, "easy")).mean(axis=1)
            for one in answers.values()
            for what in METRICS
        ]
        decision = decide(ratios, width=WIDTH, budget=BUDGET[scale])
        if not decision.goes_on:
            return answers, decision
        seeds = range(1, decision.next_blocks + 1)


def claims_of(answers: Both) -> list[Claim]:
    """Return all claims, in the paper's order."""
    always = "MEASY is always better than KEASY"
    return [
        *(gain(answers, what) for what in METRICS),
        always_better(answers, DRAWN, "Sections 3.4 and 4", always),
        worst_of_three(answers),
        worse_than_easy(answers),
        more_migrations(answers),
        better_than_easy(answers, UNKNOWN, "Section 3.5.1", "even without any CPU usage information"),
        always_better(answers, UNKNOWN, "Section 3.5.1", always),
        better_than_easy(answers, AT_FULL, "Section 3.5.2", "our algorithms perform better than EASY"),
        always_better(answers, AT_FULL, "Section 3.5.2", f"{always} as well"),
        bears(answers),
        comparable(answers),
        lower_limit(answers),
    ]


def method(scale: str, seeds: Sequence[int], decision: Decision) -> list[str]:
    """Return how ours were computed, a sentence each."""
    jobs = JOBS[scale]
    return [
        f"{PROCESSORS} processors; {jobs['feitelson']:,} jobs of a Feitelson-1996-like and {jobs['jann']:,} of a "
        f"Jann-1997-like model, seeds {', '.join(map(str, seeds))}; the paper took 200,000 and 100,000.",
        "The original programs are not public: the first model is a reconstruction, the second a re-fit to the "
        "archive's CTC-SP2 log. Estimates are drawn by Tsafrir's model.",
        "The law of phi is lost in every public text; mean 0.43 and deviation 0.14 are remembered values, unverified.",
        f"A run's mean is over its jobs after dropping the first {100 * WARM_UP:.0f} %; improvement is 1 - mean / mean "
        "of EASY on the same jobs; ours are means over seeds.",
        f"A block is a seed: its five loads ({', '.join(map(str, LOADS))}) are the same jobs, rescaled, and count as "
        f"factors. Intervals are 95 % over {len(seeds)} blocks: log-t for times and counts, logit-t for shares, t for "
        "improvements; p-values are Wilcoxon's signed-rank test, exact, with Holm's correction.",
        "Seeds are added while the interval of a mean ratio of MEASY to EASY (response, bounded slowdown) is wider "
        f"than {WIDTH:.0%}, up to {BUDGET[scale]} seeds: {decision.reason}.",
        f"A migration costs {COSTS[0]:g} s unless stated. The paper does not say which loads its averages cover.",
    ]
