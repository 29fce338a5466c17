"""OLB, SJS and PJS on a heterogeneous site: the four studies of Collins and George 2001.

The paper's tables and the values of most of its figures are lost; the claims are its sentences, the tables stand-ins.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from shadowtime.engine.families.classed.entries import SOURCE as PAPER
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.pjs_answers import HIGH, JOBS_ONLINE, Answers, cells
from shadowtime.workers.papers.pjs_axes import Fit, fits, middle
from shadowtime.workers.papers.pjs_cells import TIME_SCALE, run
from shadowtime.workers.papers.pjs_claims import overhead, parallel_against_sequential
from shadowtime.workers.papers.pjs_counterparts import counterparts
from shadowtime.workers.papers.pjs_figures import figures
from shadowtime.workers.papers.pjs_priority_claims import preemptive_priorities, static_priorities
from shadowtime.workers.papers.report import Report

TITLE = "Heterogeneous clusters: OLB, SJS and PJS"
SOURCE = PAPER

SEEDS = {"quick": (1, 2, 3, 4, 5), "full": tuple(range(1, 11))}
"""Of jobs that arrive."""
FEW = {"quick": (1, 2), "full": tuple(range(1, 6))}
"""Of planning calls, and of priorities without arrivals."""


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run all points of the four studies and compare the paper's claims with the results."""
    began = time.perf_counter()
    seeds, few = SEEDS[scale], FEW[scale]
    asked = cells(seeds, few)
    answers = Answers(dict(zip(asked, run_cells(run, asked, tell), strict=True)), seeds, few)
    made = [
        *overhead(answers),
        *parallel_against_sequential(answers),
        *static_priorities(answers),
        *preemptive_priorities(answers),
    ]
    method = _method(scale, fits(answers), float(answers.flow("standin", "10/10/80", 1.0, HIGH).mean()))
    taken = time.perf_counter() - began
    return Report("pjs", TITLE, SOURCE, scale, method, made, figures(answers), taken, counterparts(made, seeds, few))


def _method(scale: str, found: list[Fit], high: float) -> list[str]:
    seeds, few = SEEDS[scale], FEW[scale]
    within = [f"{fit.axis.figure}" for fit in found if fit.fits]
    return [
        "The paper's tables were never printed. A stand-in has its shape: 142 machines in 18 clusters, eight machine "
        "classes, five job classes of which one is sequential; with noise, cluster times get a factor with a deviation "
        "of 5 %, so that equal clusters differ.",
        f"All times of the site are multiplied by {TIME_SCALE:g}. A program that draws figures ends an axis at the "
        "first tick above the data, so each axis whose ticks survive in the text gives a range of factors: "
        + ", ".join(f"{fit.low:.1f} to {fit.high:.1f} (Figure {fit.axis.figure})" for fit in found)
        + f". The median of their middles is {middle(found):.1f}; {TIME_SCALE:g} is in the range of {len(within)} of "
        f"{len(found)} axes ({', '.join(within) or 'none'}), and with it high jobs take {high:.0f} s at 10/10/80 "
        f"and rate "
        "1, where the paper has slightly over 100 s.",
        f"Means over seeds {seeds[0]} to {seeds[-1]} for jobs that arrive ({JOBS_ONLINE}, as in the paper), "
        f"{few[0]} to {few[-1]} for the rest, with 95 % intervals; a seed is an independent block, and rates, mixes "
        f"and "
        "numbers of jobs are factors within it. Jobs that are all there at second 0 have nothing to draw without "
        "priorities and noise.",
        "Best = earliest completion. The paper's definition read literally (shortest execution) puts every job of a "
        "class on one machine, and its own Figure 5 contradicts it.",
        "Study 1 measures processor time of one planning call, the quickest of five, and counts SJS calls, which no "
        "other program can slow down.",
        "Without arrivals the shares of priorities are exact, as in the paper's example; which jobs have which is "
        "drawn. Plans are made at multiples of 10 s, all jobs that have not started are planned again, and a low job "
        "is stopped when a slot of a high one overlaps it.",
    ]
