"""Tables of the MEASY study, and what stands for each figure and table of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from shadowtime.engine.metrics.nature import MEAN, SHARE, Nature
from shadowtime.engine.statistics.comparison import as_family
from shadowtime.engine.statistics.intervals import Interval
from shadowtime.workers.papers import measy_examples as examples
from shadowtime.workers.papers.measy_cells import (
    ALGORITHMS,
    BINS,
    CONTINUE,
    COSTS,
    JOBS,
    LOADS,
    NAMES,
    PROCESSORS,
    SEEDS,
    Shape,
)
from shadowtime.workers.papers.measy_points import (
    AT_FULL,
    BOTH,
    DRAWN,
    METRICS,
    NATURES,
    SETTINGS,
    UNKNOWN,
    Answers,
    Both,
    ends,
    pair,
)
from shadowtime.workers.papers.report import Claim, Counterpart, Figure, Grade, grade

INTERVAL = "95 % interval over seeds"
THEIRS = {"feitelson": (23.4, 2606.6, 18.0), "jann": (10.5, 11267.0, 40.8)}
"""Mean size, mean runtime [s] and serial jobs [%] that the paper states ("less than 18.0 %" for Feitelson)."""
TITLES = {"flow": "Mean response", "stretch": "Mean bounded slowdown"}
ROWS = [f"load {load}" for load in LOADS]


def figure(
    title: str, unit: str, rows: Sequence[str], columns: Mapping[str, np.ndarray], nature: Nature, factor: float = 1.0
) -> Figure:
    """Return a table of means over seeds with their intervals; each column is an array of seeds by rows."""
    found = {name: ends(values, nature) for name, values in columns.items()}

    def part(of: str) -> list[list[float]]:
        return [[factor * getattr(column[at], of) for column in found.values()] for at in range(len(rows))]

    blocks = len(next(iter(columns.values())))
    values = list(zip(rows, part("mean"), strict=True))
    return Figure(title, unit, list(columns), values, part("low"), part("high"), INTERVAL, blocks)


def shape_tables(shapes: Mapping[str, Sequence[Shape]]) -> list[Figure]:
    """Return Table 1, job sizes, and the means that the paper states beside ours."""
    shares = {NAMES[model]: np.array([one.shares for one in found]) for model, found in shapes.items()}
    rows = [f"{low}" if low == high else f"{low} to {high}" for low, high in BINS]
    means = {
        model: np.array([(one.processors, one.runtime, 100 * one.shares[0]) for one in found]).mean(axis=0)
        for model, found in shapes.items()
    }
    names = ("mean size [processors]", "mean runtime [s]", "serial jobs [%]")
    beside = [
        (name, [value for model in NAMES for value in (means[model][at], THEIRS[model][at])])
        for at, name in enumerate(names)
    ]
    heads = [f"{name}, {whose}" for name in NAMES.values() for whose in ("ours", "paper")]
    blocks = len(next(iter(shapes.values())))
    return [
        figure("Table 1: jobs by size", "percent of the jobs", rows, shares, SHARE, 100.0),
        Figure("The workloads beside the paper's", "", heads, beside, blocks=blocks),
    ]


def metric_tables(one: Answers) -> list[Figure]:
    """Return response and slowdown by load in each setting, and by the cost of a migration."""
    made = []
    for what, title in TITLES.items():
        for setting in SETTINGS:
            names = ALGORITHMS if setting is DRAWN else ("easy", "keasy", "measy")
            columns = {name.upper(): one.of(what, name, setting) for name in names}
            if setting is DRAWN:
                columns["REASY, step 1 continues"] = one.values(what, "reasy", CONTINUE)
            apart = "" if setting is DRAWN else f", {setting.name}"
            made.append(figure(f"{title}{apart}, {one.name}", _unit(what), ROWS, columns, NATURES[what]))
        costs = {f"MEASY, {cost:g} s": one.costly(what, cost) for cost in COSTS}
        columns = {**costs, "KEASY": one.of(what, "keasy"), "EASY": one.of(what, "easy")}
        made.append(
            figure(f"{title} by the cost of a migration, {one.name}", _unit(what), ROWS, columns, NATURES[what])
        )
    return made


def _unit(what: str) -> str:
    return "seconds" if what == "flow" else ""


def gain_tables(one: Answers) -> list[Figure]:
    """Return improvements in percent: over EASY by algorithm, and of MEASY over KEASY by the cost of a migration."""
    made = []
    for what, word in METRICS.items():
        gains = {name.upper(): one.gains(what, name) for name in ALGORITHMS[1:]}
        gains["REASY, step 1 continues"] = 1.0 - one.values(what, "reasy", CONTINUE) / one.of(what, "easy")
        costs = {f"{cost:g} s": 1.0 - one.costly(what, cost) / one.of(what, "keasy") for cost in COSTS}
        made.append(figure(f"Improvement over EASY in {word}, {one.name}", "percent", ROWS, gains, BELOW_ONE, 100.0))
        made.append(figure(f"MEASY over KEASY in {word}, {one.name}", "percent", ROWS, costs, BELOW_ONE, 100.0))
    return made


BELOW_ONE = Nature()
"""Of a mean improvement: a t interval."""


def move_tables(answers: Both) -> list[Figure]:
    """Return MEASY's migrations for each thousand jobs, and in all."""
    each = {one.name: one.per_job() for one in answers.values()}
    raw = {one.name: one.of("migrations", "measy") for one in answers.values()}
    return [
        figure("Migrations of MEASY for 1,000 jobs", "", ROWS, each, MEAN, 1000.0),
        figure("Migrations of MEASY in a run", "", ROWS, raw, NATURES["migrations"]),
    ]


def pair_table(answers: Both) -> Figure:
    """Return the paired comparisons over blocks, with p-values after Holm over the whole table."""
    pairs = [("measy", "easy"), ("measy", "keasy"), ("keasy", "easy"), ("reasy", "easy")]
    cases = [(one, what, a, b) for one in answers.values() for what in METRICS for a, b in pairs]
    found = as_family([pair(one, what, a, b) for one, what, a, b in cases])
    rows = []
    for (one, what, a, b), test in zip(cases, found, strict=True):
        ratio: Interval = test.ratio
        numbers = [ratio.mean, ratio.low, ratio.high, test.rank_biserial, test.p, test.p_adjusted]
        rows.append((f"{a.upper()} / {b.upper()}, {METRICS[what]}, {one.name}", numbers))
    heads = ["ratio", "from", "to", "rank biserial", "p", "p after Holm"]
    least = f"smallest p of {found[0].blocks} blocks: {found[0].smallest_p:.2g} after Holm for {len(found)} comparisons"
    return Figure(f"Pairs over seeds, loads as factors ({least})", "", heads, rows, blocks=found[0].blocks)


def counterparts(scale: str, claims: Sequence[Claim], seeds: Sequence[int] = SEEDS) -> list[Counterpart]:
    """Return every figure and table of the paper with ours."""
    judged = {claim.claim: claim for claim in claims}
    jobs = JOBS[scale]
    size = f"{jobs['feitelson']:,} and {jobs['jann']:,} jobs on {PROCESSORS} processors (theirs: 200,000 and 100,000)"

    def example(number: str, shows: str, key: str, verdict: Grade | None, why: str = "") -> Counterpart:
        return Counterpart(f"Figure {number}", shows, [key], "the example itself", (), None, verdict, why)

    def measured(number: str, shows: str, key: str, names: Sequence[str], column: str) -> Counterpart:
        found = {name: verdict for name in names if (verdict := judged[name].grades.get(column)) is not None}
        verdict = worst(list(found.values()))
        apart = [f"{verdict}: {name}" for name, one in found.items() if one == verdict != Grade.SIZE]
        why = "; ".join(["its points are lost, so the text is judged", *apart])
        return Counterpart(number, shows, [key], size, list(seeds), len(seeds), verdict, why)

    smallest = "its jobs are lost; these are the smallest with the same effect: mean response {} % below EASY's"
    gain = [f"MEASY improves on EASY in {word}" for word in METRICS.values()]
    always = "MEASY is always better than KEASY"
    made = [
        Counterpart("Table 1", "Job sizes of both workloads", ["sizes"], size, list(seeds), len(seeds), None,
                    "its rows are lost; three numbers of each workload survive in the text and stand beside ours"),
        example("1(a)", "KEASY on twelve jobs", "figure-1a", grade(examples.meets_figure_1a()),
                "ends of jobs 1 to 9 and both kills as narrated"),
        example("1(b)", "REASY on the same jobs", "figure-1b", grade(examples.meets_figure_1b()),
                "jobs 6 and 9 stay on their processors, as narrated"),
        *(example(number, "KEASY before EASY at 100 % usage", f"figure-{number}", None,
                  smallest.format(f"{100 * examples.gains(one):.0f}"))
          for number, one in (("2", examples.FIGURE_2), ("3", examples.FIGURE_3), ("4", examples.FIGURE_4))),
        example("5", "REASY's reservation for a job in the background", "figure-5", grade(examples.meets_figure_5()),
                "shadow time 10 and the extra processor P1, as stated; its other jobs are ours"),
    ]  # fmt: skip
    for number, model in (("Figure 6", "feitelson"), ("Figure 7", "jann")):
        names = [*gain, always, "REASY is the worst of the three", "REASY is worse than EASY on Jann"]
        made.append(measured(number, f"Response and slowdown by load, {NAMES[model]}", "results", names, NAMES[model]))
    names = ["More migrations on Jann than on Feitelson at high load, fewer at low load"]
    made.append(measured("Figure 8", "Average number of migrations by load", "migrations", names, BOTH))
    for setting, numbers, key in ((UNKNOWN, (9, 10), "no-usages"), (AT_FULL, (11, 12), "full-usages")):
        names = [f"KEASY and MEASY are better than EASY with {setting.name}", f"{always} with {setting.name}"]
        for count, model in zip(numbers, NAMES, strict=True):
            shows = f"Response and slowdown with {setting.name}, {NAMES[model]}"
            made.append(measured(f"Figure {count}", shows, key, names, NAMES[model]))
    names = [
        "MEASY is better than KEASY while a migration costs less than a limit",
        "MEASY is a little worse than KEASY from a second limit on",
    ]
    for number, model in (("Figure 13", "feitelson"), ("Figure 14", "jann")):
        shows = f"Response and slowdown by the cost of a migration, {NAMES[model]}"
        made.append(measured(number, shows, "migration-cost", names, NAMES[model]))
    return made


def worst(found: Sequence[Grade]) -> Grade | None:
    """Return the worst of some grades; None without one."""
    return max(found, key=[Grade.SIZE, Grade.DIRECTION, Grade.NO].index, default=None)
