"""Tables behind the figures of the study of PJS: means over draws with 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shadowtime.engine.metrics.nature import ANY, MEAN, SHARE, Nature
from shadowtime.engine.statistics.intervals import means
from shadowtime.workers.papers.pjs_answers import (
    ALL_MIXES,
    AT,
    CALL_JOBS,
    LEVELS,
    LOW,
    MIXES,
    OPTIONS,
    PRIORITY_JOBS,
    RATES,
    SHARES,
    SITES,
    SJS_JOBS,
    SJS_MACHINES,
    STATIC_JOBS,
    Answers,
    total,
)
from shadowtime.workers.papers.pjs_axes import fits
from shadowtime.workers.papers.report import Figure

SPREAD = "95 % interval of the mean"
NAMES = {"none": "no priorities", **{mix: mix for mix in MIXES}}
Rows = Sequence[tuple[str, Sequence[np.ndarray]]]


def table(
    title: str, unit: str, columns: Sequence[str], rows: Rows, nature: Nature = MEAN, factor: float = 1.0
) -> Figure:
    """Return a table of means of draws; rows are labels with the draws of each column, multiplied by `factor`.

    A single draw has no interval.
    """
    shown, low, high, blocks = [], [], [], []
    for label, draws in rows:
        found = [means(np.asarray(one, float), nature) for one in draws]
        shown.append((label, [factor * float(one.mean) for one in found]))
        low.append([factor * float(one.low) for one in found])
        high.append([factor * float(one.high) for one in found])
        blocks.append(max(len(one) for one in draws))
    return Figure(title, unit, columns, shown, low, high, SPREAD, max(blocks))


def figures(answers: Answers) -> list[Figure]:
    """Return all tables, in the order of the paper's figures."""
    made = [axes(answers), *overhead(answers)]
    parts: list[Callable[[Answers, str], list[Figure]]] = [job_time, priorities, arrivals]
    for part in parts:
        made += [figure for site in SITES for figure in part(answers, site)]
    return [*made, options(answers)]


def axes(answers: Answers) -> Figure:
    """Return the factors on times with which our largest values end in the last step of the paper's axes."""
    rows = [
        (f"Figure {fit.axis.figure}: {fit.axis.shows}", [fit.axis.top, fit.axis.step, fit.ours, fit.low, fit.high])
        for fit in fits(answers)
    ]
    columns = ["axis ends at", "distance of ticks", "our largest value at 3", "smallest factor", "largest factor"]
    return Figure("Factor on times from the axes of the paper, Stand-in site", "seconds, and factors", columns, rows)


def overhead(answers: Answers) -> list[Figure]:
    """Return Figures 3 and 4."""
    calls = {share: [answers.pjs_costs(share, (n,)) for n in CALL_JOBS] for share in SHARES}
    base = answers.pjs_costs(0.0)[0]
    shares = [f"{100 * share:.0f} %" for share in SHARES]
    rows = []
    for share in SHARES:
        seconds, count = answers.pjs_costs(share)
        rows.append((f"{100 * share:.0f} %", [1000.0 * seconds, seconds / base, count]))
    return [
        table("Time of one SJS call by jobs and machines (Figure 3)", "milliseconds of processor time",
              [f"{m} machines" for m in SJS_MACHINES],
              [(f"{n} jobs", [answers.seconds(n, m) for m in SJS_MACHINES]) for n in SJS_JOBS], factor=1000.0),
        table("Time of one PJS call, mean of 5 to 1,000 jobs, by share of possibly parallel jobs (Figure 4)", "",
              ["milliseconds", "times the 0 % case", "SJS calls"], rows),
        table("Time of one PJS call by number of jobs", "milliseconds of processor time, 40 machines", shares,
              [(f"{n} jobs", [calls[share][at][0] for share in SHARES]) for at, n in enumerate(CALL_JOBS)],
              factor=1000.0),
        table("SJS calls of one PJS call by number of jobs", "calls, 40 machines", shares,
              [(f"{n} jobs", [calls[share][at][1] for share in SHARES]) for at, n in enumerate(CALL_JOBS)]),
    ]  # fmt: skip


def job_time(answers: Answers, site: str) -> list[Figure]:
    """Return Figure 5."""
    name = SITES[site]
    rules = ("olb", "sjs", "pjs")
    return [
        table(f"Saving of PJS over SJS (Figure 5a), {name}", "percent of total job time", ["PJS"],
              [(f"{n} jobs", [answers.saving(site, n)]) for n in STATIC_JOBS], ANY, 100.0),
        table(f"Total job time (Figure 5b), {name}", "seconds", ["OLB", "SJS", "PJS"],
              [(f"{n} jobs", [answers.static(total, site, rule, n) for rule in rules]) for n in STATIC_JOBS]),
    ]  # fmt: skip


def priorities(answers: Answers, site: str) -> list[Figure]:
    """Return Figures 6 and 7."""
    name, columns = SITES[site], [f"{rule} {level}" for level in LEVELS for rule in ("SJS", "PJS")]
    made = []
    for mix in MIXES:
        rows = [(f"{n} jobs", [answers.level(site, rule, n, mix, level)
                               for level in range(LOW + 1) for rule in ("sjs", "pjs")])
                for n in PRIORITY_JOBS]  # fmt: skip
        made.append(table(f"Total job time by level at {mix} (Figure 6), {name}", "seconds", columns, rows))
        rows = [(f"{n} jobs", [answers.saving(site, n, mix, level) for level in range(LOW + 1)]) for n in PRIORITY_JOBS]
        made.append(
            table(f"Saving of PJS by level at {mix}, {name}", "percent of SJS's job time", LEVELS, rows, ANY, 100.0)
        )
    rows = [(NAMES[mix], [answers.bar(site, rule, mix) for rule in ("sjs", "pjs")]) for mix in ALL_MIXES]
    title = f"Mean total job time over 5 to 500 jobs (Figure 7), {name}"
    return [*made, table(title, "seconds", ["SJS", "PJS"], rows)]


def arrivals(answers: Answers, site: str) -> list[Figure]:
    """Return Figures 8 and 9, Table 1, and what priorities cost."""
    name, titles = SITES[site], list(NAMES.values())
    levels = range(LOW + 1)
    made = [
        table(f"Mean job time by level at {mix} (Figure 8), {name}", "seconds, PJS, 500 jobs that arrive", LEVELS,
              [(f"rate {r:g}", [answers.flow(site, mix, r, level) for level in levels]) for r in RATES])
        for mix in MIXES
    ]  # fmt: skip
    rows = [(f"{mix} {LEVELS[k]}", [answers.parallel(site, mix, r, k) for r in RATES]) for mix in MIXES for k in levels]
    rows.append(("no priorities, all", [answers.parallel(site, "none", r) for r in RATES]))
    return [
        *made,
        table(f"Mean job time of all jobs (Figure 9a), {name}", "seconds, PJS, 500 jobs that arrive", titles,
              [(f"rate {r:g}", [answers.flow(site, mix, r) for mix in ALL_MIXES]) for r in RATES]),
        table(f"Jobs in parallel (Figure 9b), {name}", "percent of the jobs", titles,
              [(f"rate {r:g}", [answers.parallel(site, mix, r) for mix in ALL_MIXES]) for r in RATES], SHARE, 100.0),
        table(f"Jobs in parallel by level and rate (Table 1), {name}", "percent of the jobs of a level",
              [f"rate {r:g}" for r in RATES], rows, SHARE, 100.0),
        table(f"What priorities cost in total job time, {name}", "percent more than without", list(MIXES),
              [(f"rate {r:g}", [answers.penalty(site, mix, r) for mix in MIXES]) for r in RATES], ANY, 100.0),
        table(f"Stopped runs, {name}", "in a run of 500 jobs", list(MIXES),
              [(f"rate {r:g}", [answers.online(lambda point: point.preemptions, site, mix, r) for mix in MIXES])
               for r in RATES]),
    ]  # fmt: skip


def options(answers: Answers) -> Figure:
    """Return the paper's future work: preemption only above a threshold."""
    columns = [*(f"{level} s" for level in LEVELS), "all s", "stopped runs"]
    rows = []
    for name in OPTIONS:
        draws = [answers.option(lambda point, k=k: point.level_mean[k], name) for k in range(3)]  # type: ignore[misc]
        draws.append(answers.option(total, name) / 500.0)
        draws.append(answers.option(lambda point: point.preemptions, name))
        rows.append((name, draws))
    title = f"Preemption above a threshold, {AT['mix']} at rate {AT['rate']:g}, Stand-in site"
    return table(title, "mean job time", columns, rows)
