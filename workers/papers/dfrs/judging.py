"""Put a claim together: words and grades by group, and behind a "no" the intervals on which it rests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shadowtime.workers.papers.dfrs.answers import DEFAULT, Answers
from shadowtime.workers.papers.dfrs.instances import REAL
from shadowtime.workers.papers.report import Claim, Grade

Judged = tuple[str, Grade | None]
"""Our values in words, and the grade."""


def no_log(log: str) -> Claim:
    """Return the claim of a study that needs the log, when the log is missing."""
    return Claim(
        "Degradations on HPC2N", "table 5", {REAL: "not run"}, {REAL: None}, f"set SHADOWTIME_TRACES to find {log}"
    )


def judge(
    answers: Answers,
    sentence: str,
    theirs: str,
    rule: str,
    of: Callable[[str], Judged],
    *,
    section: str,
    quote: str = "",
    behind: Sequence[str] = (),
    what: str = "degradation",
    also: str = "",
) -> Claim:
    """Return a claim with a verdict for every group.

    behind
        Algorithms whose means decide it: their intervals and medians stand behind a "no".
    also
        Further words behind a "no".
    """
    groups = answers.groups
    found = {group: of(group) for group in groups}
    grades = {group: one for group, (_, one) in found.items()}
    failing = [group for group, one in grades.items() if one == Grade.NO]
    parts = [f"{group}: {spread(answers, group, behind, what)}" for group in failing if behind]
    sensitivity = "; ".join([*parts, also] if also else parts) if failing else ""
    return Claim(
        sentence, theirs, {group: words for group, (words, _) in found.items()}, grades, rule, section, quote,
        sensitivity, min(map(answers.blocks, groups)),
    )  # fmt: skip


def spread(answers: Answers, group: str, algorithms: Sequence[str], what: str, period: float = DEFAULT) -> str:
    """Return mean, interval and median of some algorithms in words, with the reasons to doubt the intervals."""
    words, warnings = [], []
    for algorithm in algorithms:
        one = answers.interval(what, algorithm, group, period)
        median = float(np.median(answers.values(what, algorithm, group, period)))
        words.append(
            f"{short(algorithm)} {number(one.mean)} ({number(one.low)} to {number(one.high)}, median {number(median)})"
        )
        warnings += [warning for warning in one.warnings if warning not in warnings]
    return ", ".join(words) + f" over {answers.blocks(group)} blocks" + "".join(f"; {one}" for one in warnings)


def means(answers: Answers, group: str, *algorithms: str, what: str = "degradation") -> str:
    """Return the means of some algorithms in words."""
    return ", ".join(f"{short(name)} {number(answers.mean(what, name, group))}" for name in algorithms)


def short(name: str) -> str:
    """Return a name as Figure 1 of the paper writes it: without opt=min, opt=max and the bound of 600 s."""
    return name.replace("/opt=min", "").replace("/opt=max", "").replace("=600", "")


def number(value: float) -> str:
    """Return a value with three digits, or with thousands separated."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
