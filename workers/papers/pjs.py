"""OLB, SJS and PJS on a heterogeneous site: the four studies of Collins and George 2001.

The paper's tables and most of its figures are lost; the claims are its sentences, the tables stand-ins.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from shadowtime.engine.families.classed.entries import SOURCE as PAPER
from shadowtime.workers.papers import pjs_claims as claims
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.pjs_cells import Call, Cell, run
from shadowtime.workers.papers.pjs_claims import (
    CALL_JOBS,
    GROWTH,
    HEAVY,
    LIGHT,
    MIXES,
    PRIORITY_JOBS,
    RATES,
    SHARES,
    SITES,
    Answers,
)
from shadowtime.workers.papers.report import Figure, Report

TITLE = "Heterogeneous clusters: OLB, SJS and PJS"
SOURCE = PAPER

JOBS_ONLINE = 500
"""The paper's number of jobs in study 4."""
SEEDS = {"quick": (1, 2, 3, 4, 5), "full": tuple(range(1, 21))}


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run all points of the four studies and compare the paper's claims with the results."""
    began = time.perf_counter()
    cells = _cells(scale)
    points = dict(zip(cells, run_cells(run, cells, tell), strict=True))
    answers = Answers(points, JOBS_ONLINE, SEEDS[scale])
    made = [
        *claims.overhead(answers),
        *claims.parallel_against_sequential(answers),
        *claims.static_priorities(answers),
        *claims.preemptive_priorities(answers),
    ]
    return Report("pjs", TITLE, SOURCE, scale, _method(scale), made, _figures(answers), time.perf_counter() - began)


def _cells(scale: str) -> list[Call | Cell]:
    cells: list[Call | Cell] = []
    for seed in SEEDS[scale]:
        cells += [Call("sjs", n, m, seed=seed) for n, m in _sizes()]
        cells += [Call("pjs", n, 40, 5, share, seed) for n in CALL_JOBS for share in SHARES]
        cells += [Call("pjs", 1000, 40, 5, 0.5, seed)]
        for site in SITES:
            for rule in ("olb", "sjs", "pjs"):
                cells += [Cell(site, rule, n, seed) for n in (*LIGHT, *HEAVY, *PRIORITY_JOBS)]
                cells += [Cell(site, rule, n, seed, mix) for n in PRIORITY_JOBS for mix in MIXES if rule != "olb"]
            cells += [Cell(site, "pjs", JOBS_ONLINE, seed, mix, rate) for mix in ("none", *MIXES) for rate in RATES]
    return list(dict.fromkeys(cells))


def _sizes() -> list[tuple[int, int]]:
    """Jobs and machines of the SJS calls of study 1."""
    return [(n, m) for n in (5, *GROWTH) for m in (5, 25, 50, 100)]


def _figures(answers: Answers) -> list[Figure]:
    machines = (5, 25, 50, 100)
    figures = [
        Figure(
            "One SJS call by jobs and machines (figure 3)", "milliseconds of processor time",
            [f"{m} machines" for m in machines],
            [(f"{n} jobs", [1000 * answers.cost(Call("sjs", n, m)).seconds for m in machines]) for n in (5, *GROWTH)],
        ),
        Figure(
            "SJS calls of one PJS call by share of possibly parallel jobs (figure 4)", "",
            [f"{100 * share:.0f} %" for share in SHARES],
            [(f"{n} jobs", [answers.calls(share, (n,)) for share in SHARES]) for n in CALL_JOBS],
        ),
    ]  # fmt: skip
    for site, name in SITES.items():
        rows = [
            (f"{n} jobs", [*(answers.mean(lambda p: p.total, site, rule, n) for rule in ("olb", "sjs", "pjs")),
                           100 * answers.saving(site, n)])
            for n in (*LIGHT, *HEAVY)
        ]  # fmt: skip
        figures.append(Figure(f"Total job time (figure 5), {name}", "seconds", ["OLB", "SJS", "PJS", "saving %"], rows))
        figures += [_static(answers, site, name, mix) for mix in MIXES]
        figures += [_online(answers, site, name, mix) for mix in MIXES]
        rows = [(f"rate {r:g}", [100 * answers.penalty(site, mix, r) for mix in MIXES]) for r in RATES]
        figures.append(Figure(f"Penalty of priorities in total job time, {name}", "percent", list(MIXES), rows))
    return figures


def _static(answers: Answers, site: str, name: str, mix: str) -> Figure:
    """Study 3: what PJS saves of SJS's job time, by level."""
    rows = [
        (f"{n} jobs", [100 * answers.saving(site, n, mix, level) for level in range(3)]) for n in PRIORITY_JOBS
    ]  # fmt: skip
    return Figure(f"Saving of PJS by level at {mix} (figure 6), {name}", "percent", ["high", "medium", "low"], rows)


def _online(answers: Answers, site: str, name: str, mix: str) -> Figure:
    """Study 4: job time and parallel share by level."""
    rows = [
        (f"rate {r:g}", [*(answers.flow(site, mix, r, k) for k in range(3)),
                         *(100 * answers.parallel(site, mix, r, k) for k in range(3))])
        for r in RATES
    ]  # fmt: skip
    columns = ["high s", "medium s", "low s", "high parallel %", "medium", "low"]
    return Figure(f"Mean job time and parallel share at {mix} (figures 7 to 9), {name}", "", columns, rows)


def _method(scale: str) -> list[str]:
    seeds = SEEDS[scale]
    return [
        "The paper's tables were never printed. A stand-in has its shape: 142 machines in 18 clusters, eight machine "
        "classes, five job classes of which one is sequential; with noise, cluster times get a factor with a deviation "
        "of 5 %, so that equal clusters differ.",
        f"Means over seeds {seeds[0]} to {seeds[-1]}; {JOBS_ONLINE} jobs in study 4, as in the paper. Without "
        "priorities and noise, static workloads have nothing to draw.",
        "Best = earliest completion. The paper's definition read literally (shortest execution) puts every job of a "
        "class on one machine, and its own figure 5 contradicts it.",
        "Study 1 counts processor time of one planning call, the quickest of five, and SJS calls, which no other "
        "program can slow down.",
        "Plans are made at multiples of 10 s, all jobs that have not started are planned anew, and a low job is "
        "stopped when a slot of a high one overlaps it.",
    ]
