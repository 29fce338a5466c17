"""The study: its cells at a scale, run, and put together."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from shadowtime.workers.papers.batch import growth
from shadowtime.workers.papers.batch.anchors import ANCHORS
from shadowtime.workers.papers.batch.answers import Answers
from shadowtime.workers.papers.batch.cells import Sequence, Week, Whole, run_sequence, run_week, run_whole
from shadowtime.workers.papers.batch.claims import claims
from shadowtime.workers.papers.batch.figures import figures
from shadowtime.workers.papers.batch.policies import POLICIES, WHOLE
from shadowtime.workers.papers.batch.workloads import LOGS, LUBLIN, SEQUENCES, available, week_numbers
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.report import Report

TITLE = "Batch policies"
SOURCE = (
    "D. Carastan-Santos and R. Y. de Camargo, Obtaining dynamic scheduling policies, SC 2017; D. Tsafrir, Y. Etsion "
    "and D. G. Feitelson, Backfilling using system-generated predictions, TPDS 18(6), 2007; A. W. Mu'alem and "
    "D. G. Feitelson, Utilization, predictability, workloads, and user runtime estimates, TPDS 12(6), 2001; Parallel "
    "Workloads Archive"
)
WEEKS = {"quick": 8, "full": 10_000}
"""Most weeks of a log, evenly spaced."""
SEEDS = {"quick": 8, "full": 50}


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run what is available: each log that is here, and generated jobs."""
    began = time.perf_counter()
    names = available()
    weeks = [Week(name, number) for name in names for number in _numbers(name, scale)]
    sequences = [Sequence(name, number) for name in names for number in range(SEQUENCES)]
    logs = [name for name in names if name != LUBLIN]
    whole = [Whole(name, policy) for name in logs for policy in WHOLE[scale]]
    anchors = [Whole(name, policy, of_2007=True) for name, policy in ANCHORS if name in logs]
    timed = [growth.Growth(name, jobs) for name in growth.TIMED for jobs in growth.SIZES[scale]]
    run_week(weeks[-1])  # compiled before the children are forked
    ran = run_cells(run_week, weeks, tell)
    by_sequence = run_cells(run_sequence, sequences, tell)
    whole_runs = run_cells(run_whole, [*whole, *anchors], tell) if logs else []
    costs = run_cells(growth.time_growth, timed, tell)
    answers = Answers(
        dict(zip(weeks, ran, strict=True)),
        dict(zip(sequences, by_sequence, strict=True)),
        dict(zip([*whole, *anchors], whole_runs, strict=True)),
        dict(zip(timed, costs, strict=True)),
    )
    seconds = time.perf_counter() - began
    return Report("batch", TITLE, SOURCE, scale, _method(answers), claims(answers), figures(answers), seconds)


def _numbers(name: str, scale: str) -> list[int]:
    """Return the weeks of a log at a scale, or the seeds of generated jobs."""
    if name == LUBLIN:
        return list(range(1, SEEDS[scale] + 1))
    known = week_numbers(name)
    chosen = np.linspace(0, len(known) - 1, min(WEEKS[scale], len(known)) + 2)[1:-1] if scale == "quick" else ()
    return [known[round(at)] for at in chosen] if scale == "quick" else known


def _method(answers: Answers) -> list[str]:
    said = ", ".join(
        f"{answers.blocks(name)} {'seeds' if name == LUBLIN else 'weeks'} of {name}" for name in answers.workloads
    )
    missing = [file for name, file in LOGS.items() if name not in answers.workloads]
    found = [
        f"{len(POLICIES)} policies on {said}; each week begins on an empty machine, and its jobs run to their end.",
        "Bounded slowdown of a job with wait w and run time p: max(1, (w + p) / max(p, 10 s)); its mean over jobs, "
        "then over weeks. Utilization: work over processors times the time from the first submission to the last end.",
        "Reading of the logs: requested processors (field 8), else allocated ones (field 5); records without size or "
        "run time are left out; a job that would exceed its requested time ends there. One decision an instant.",
        "Orders by request r, processors n, wait w and seconds since the first submission + 1 s', smallest first: SJF "
        "r; SAF r n; SRF r / n; LXF -(w + r) / r; WFP3 -(w / r)^3 n; UNICEF -w / (log2(max(n, 2)) r); F1 log10(r) n + "
        "870 log10(s'); F2 sqrt(r) n + 25600 log10(s'); F3 r n + 6.86e6 log10(s'); F4 r sqrt(n) + 5.3e5 log10(s'). All "
        "with EASY backfilling, but those called alone.",
        "A week is a pair of values: geometric mean ratio to EASY with the log-t interval at 95 %, Wilcoxon's "
        "signed-rank test after Holm, ranks with Friedman's test and Nemenyi's critical difference.",
        "Lublin: 1,000 jobs of Lublin and Feitelson on 256 processors at an offered load of 0.9, requested times after "
        "Tsafrir et al.; 3,000 jobs in place of a sequence. These have no users, so that EASY++ is EASY-SJBF there.",
        "SC 2017: ten disjoint sequences of 15 days, evenly spaced over a log, each on an empty machine; the median of "
        "their mean bounded slowdowns. SPT is SJF; with actual run times keys use the run time.",
        "Whole logs are one run of all jobs. The check against the simulator of 2007 reads a log as it does: allocated "
        "processors, all records, run times cut to the request, estimates the longer of both, run times of 0 and "
        "those without a request as 1 s, and submissions before ends in an instant (event_order=submissions-first).",
        "Bounds: the mean wait is at least the bound of the mean turnaround less the mean run time; utilization is at "
        "most the work over what the machine could do within the bound of the makespan.",
        "Times of ends are those of the computer that made this result, beside other work.",
    ]
    if missing:
        found.append(f"Not here, and left out: {', '.join(missing)} (SHADOWTIME_TRACES).")
    return found
