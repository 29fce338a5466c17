"""Test the claims of each paper on weeks of real logs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shadowtime.workers.papers.one_workload_cells import ALGORITHMS, Answers
from shadowtime.workers.papers.report import Claim, grades


def claims(answers: Answers) -> list[Claim]:
    """Return all claims, on every log that is available."""
    return [make(answers) for make in (_tiers, _worst, _turnaround_shared, _moldable, _moldable_makespan, _first)]


def _claim(
    answers: Answers, claim: str, theirs: str, rule: str, words: Callable[[str], str],
    holds: Callable[[str], bool | None],
) -> Claim:  # fmt: skip
    logs = answers.logs
    verdicts = {log: holds(log) for log in logs}
    return Claim(claim, theirs, {log: words(log) for log in logs}, grades(verdicts), rule)


def _tiers(answers: Answers) -> Claim:
    def gain(log: str) -> float:
        return 1.0 - answers.mean(log, "MEASY", "flow") / answers.mean(log, "EASY", "flow")

    return _claim(
        answers, "Two tiers end jobs sooner than EASY, on average", "MEASY, on two models: 23.1 % on average",
        "MEASY's mean turnaround is below EASY's", lambda log: f"{100 * gain(log):.1f} %", lambda log: gain(log) > 0,
    )  # fmt: skip


def _worst(answers: Answers) -> Claim:
    def times(log: str) -> np.ndarray:
        return answers.values(log, "EASY", "worst") / answers.values(log, "GreedyP*", "worst")

    return _claim(
        answers, "Sharing CPU brings the largest slowdown down by orders of magnitude",
        "DFRS, degradation on HPC2N: EASY 3,042, GreedyP* 13.5",
        "in the median week EASY's largest slowdown is at least ten times that of GreedyP*",
        lambda log: f"{np.median(times(log)):,.0f} times in the median week",
        lambda log: float(np.median(times(log))) >= 10.0,
    )  # fmt: skip


def _turnaround_shared(answers: Answers) -> Claim:
    return _claim(
        answers, "What sharing costs in mean turnaround", "DFRS does not say",
        "shown, not judged: GreedyP* and GreedyPM*/per against EASY",
        lambda log: " and ".join(
            f"{answers.mean(log, name, 'flow') / answers.mean(log, 'EASY', 'flow'):.2f} times EASY's"
            for name in ("GreedyP*", "GreedyPM*/per")
        ),
        lambda log: None,
    )  # fmt: skip


def _moldable(answers: Answers) -> Claim:
    return _claim(
        answers, "What choosing allotments in batches does to mean turnaround", "DEMT is for jobs that are all there",
        "shown, not judged: DEMT in batches against EASY",
        lambda log: f"{answers.mean(log, 'DEMT', 'flow') / answers.mean(log, 'EASY', 'flow'):.2f} times EASY's",
        lambda log: None,
    )  # fmt: skip


def _moldable_makespan(answers: Answers) -> Claim:
    def most(log: str) -> float:
        return float((answers.values(log, "DEMT", "makespan") / answers.values(log, "DEMT", "makespan_bound")).max())

    return _claim(
        answers, "DEMT's makespan is almost always below twice the best", "almost always, off line",
        "in no week above twice the bound", lambda log: f"at most {most(log):.2f} times the bound",
        lambda log: most(log) <= 2.0,
    )  # fmt: skip


def _first(answers: Answers) -> Claim:
    def words(log: str) -> str:
        best = {what: min(ALGORITHMS, key=lambda name: answers.mean(log, name, what)) for what in ("flow", "slowdown")}
        return f"turnaround: {best['flow']}; slowdown: {best['slowdown']}"

    return _claim(
        answers, "Who is best", "no paper compares them", "shown, not judged: smallest mean over weeks", words,
        lambda log: None,
    )  # fmt: skip
