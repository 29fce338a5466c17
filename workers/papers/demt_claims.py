"""The eleven claims of the DEMT paper that survive in its text, judged on our ratios."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from shadowtime.workers.papers.demt_cells import ALGORITHMS, FAMILIES, Answers
from shadowtime.workers.papers.report import Claim

PAPERS = tuple(name for name in ALGORITHMS if name not in ("DEMT basic", "List-WSPT"))
"""Algorithms that the paper compares; without its intermediate schedule and our addition, for claims of "best"."""
LISTS = ("List-shelf", "List-LPTF", "List-SAF")


def claims(answers: Answers) -> list[Claim]:
    """Return all claims in the order of the specification."""
    return [judge(answers) for judge in _JUDGES]


def _claim(claim: str, theirs: str, rule: str, found: Mapping[str, tuple[str, bool]]) -> Claim:
    """Return a claim about some families; it has no verdict for the others."""
    ours = {name: found[family][0] if family in found else "" for family, name in FAMILIES.items()}
    agrees = {name: found[family][1] if family in found else None for family, name in FAMILIES.items()}
    return Claim(claim, theirs, ours, agrees, rule)


def _range(values: np.ndarray) -> str:
    return f"{values.min():.2f} to {values.max():.2f}"


def _path(values: np.ndarray) -> str:
    """First and last value of a line over n."""
    return f"{values[0]:.2f} to {values[-1]:.2f}"


def _count(good: np.ndarray) -> str:
    return f"at {int(good.sum())} of {len(good)} sizes"


def _others(answers: Answers, criterion: str, family: str, names: tuple[str, ...]) -> np.ndarray:
    """Lines of several algorithms, one a row."""
    return np.array([answers.line(criterion, name, family) for name in names])


def _gang_on_weak(answers: Answers) -> Claim:
    gang = answers.line("minsum", "Gang", "weak")
    rest = _others(answers, "minsum", "weak", tuple(name for name in PAPERS if name != "Gang")).max(axis=0)
    good = gang > 2 * rest
    return _claim(
        "Gang is out of scale on weakly parallel jobs", "out of scale",
        "its weighted completion is more than twice the next worst's at every size",
        {"weak": (f"{_path(gang)} against {_path(rest)}", bool(good.all()))},
    )  # fmt: skip


def _makespan_on_weak(answers: Answers) -> Claim:
    demt = answers.line("makespan", "DEMT", "weak")
    rest = _others(answers, "makespan", "weak", ("Sequential", *LISTS))
    good = demt > rest.max(axis=0)
    return _claim(
        "DEMT's makespan is the worst but Gang's on weakly parallel jobs", "about 2, the others between 1 and 1.5",
        "DEMT's ratio is above those of Sequential and the lists at every size, and theirs are below 1.6",
        {"weak": (f"{_range(demt)}, the others {_range(rest)}", bool(good.all() and rest.max() < 1.6))},
    )  # fmt: skip


def _minsum_on_weak(answers: Answers) -> Claim:
    demt = answers.line("minsum", "DEMT", "weak")
    good = _others(answers, "minsum", "weak", ("Sequential", *LISTS)).min(axis=0) < demt
    return _claim(
        "Others are better than DEMT on weakly parallel jobs", "its worst family, others are better",
        "Sequential or a list has a smaller weighted completion at every size",
        {"weak": (f"{_count(good)}; DEMT {_path(demt)}", bool(good.all()))},
    )  # fmt: skip


def _best_on(answers: Answers, family: str) -> tuple[str, bool]:
    """Return, as text and as a verdict at all sizes, where DEMT has the smallest weighted completion of the paper's
    algorithms."""
    demt = answers.line("minsum", "DEMT", family)
    rest = _others(answers, "minsum", family, tuple(name for name in PAPERS if name != "DEMT")).min(axis=0)
    return f"{_count(demt < rest)}; {_range(demt)}, next best {_range(rest)}", bool((demt < rest).all())


def _best_on_high(answers: Answers) -> Claim:
    return _claim(
        "DEMT is clearly the best on highly parallel jobs",
        "clearly the best on minsum",
        "smallest weighted completion of those in the paper at every size",
        {"high": _best_on(answers, "high")},
    )


def _gang_and_sequential_on_high(answers: Answers) -> Claim:
    gang, sequential = (answers.line("minsum", name, "high") for name in ("Gang", "Sequential"))
    good = gang[-1] > 1.3 * gang[0] and sequential[0] > 2 * sequential[-1]
    return _claim(
        "Gang is good for few highly parallel jobs, Sequential for many only", "in words",
        "Gang's weighted completion grows by more than 30 % from the fewest to the most jobs, Sequential's halves",
        {"high": (f"Gang {_path(gang)}, Sequential {_path(sequential)}", bool(good))},
    )  # fmt: skip


def _lists_on_high(answers: Answers) -> Claim:
    lists = _others(answers, "makespan", "high", LISTS)
    return _claim(
        "List allotments are good on highly parallel jobs", "makespan always below 2", "average below 2 at every size",
        {"high": (f"makespan {_range(lists)}", bool(lists.max() < 2))},
    )  # fmt: skip


def _mixed(answers: Answers) -> Claim:
    demt, saf = (answers.line("minsum", name, "mixed") for name in ("DEMT", "List-SAF"))
    growing = _others(answers, "minsum", "mixed", ("List-shelf", "List-LPTF"))
    many = np.array(answers.sizes) >= 100
    stable = demt.max() < 1.25 * demt.min()
    good = stable and (saf < demt)[many].all() and (growing[:, -1] > 1.5 * growing[:, 0]).all()
    said = f"DEMT {_path(demt)}, SAF {_path(saf)}, the other lists {growing.min():.2f} to {growing.max():.2f}"
    return _claim(
        "On mixed jobs DEMT is stable, SAF better, the other two lists grow with n", "in words",
        "DEMT's weighted completion varies by less than a quarter, SAF's is smaller from 100 jobs on, those of the "
        "other two grow by more than half",
        {"mixed": (said, bool(good))},
    )  # fmt: skip


def _cirne(answers: Answers) -> Claim:
    said, best = _best_on(answers, "cirne")
    lines = {name: answers.line("minsum", name, "cirne") for name in PAPERS}
    spread = {name: float(line.max() / line.min()) for name, line in lines.items()}
    least = min(value for name, value in spread.items() if name != "DEMT")
    stable = spread["DEMT"] < 1.2 < least
    return _claim(
        "DEMT is clearly the best on Cirne's jobs, and the only stable one",
        "clearly the best on minsum",
        "smallest weighted completion of those in the paper at every size; its largest average is below 1.2 times its "
        "smallest, those of all others are above",
        {"cirne": (f"{said}; varies by {spread['DEMT']:.2f}, others from {least:.2f}", best and stable)},
    )


def _about_two(answers: Answers) -> Claim:
    found = {}
    for family in FAMILIES:
        line = answers.line("minsum", "DEMT", family)
        single = max(float(answers.ratios("minsum", "DEMT", family, n).max()) for n in answers.sizes)
        found[family] = f"{_range(line)}, largest {single:.2f}", bool(1.5 < line.mean() < 3.0 and single < 4.0)
    return _claim(
        "DEMT's weighted completion is about 2 on average, bounded by a small constant", "about 2 on average",
        "mean of the averages between 1.5 and 3, no single ratio of 4 or more", found,
    )  # fmt: skip


def _below_two(answers: Answers) -> Claim:
    found = {}
    for family in FAMILIES:
        single = np.concatenate([answers.ratios("makespan", "DEMT", family, n) for n in answers.sizes])
        share = float((single < 2).mean())
        found[family] = f"{100 * share:.0f} % of the runs, {_range(single)}", share >= 0.9
    return _claim("DEMT's makespan is almost always below 2", "almost always", "in at least 9 of 10 runs", found)


def _quick(answers: Answers) -> Claim:
    slow = {family: answers.slowest(family) for family in FAMILIES}
    return _claim(
        "DEMT takes less than 2 s", "under 2 s in 2004", "longest planning of all runs below 2 s",
        {family: (f"{1000 * seconds:.0f} ms at most", seconds < 2.0) for family, seconds in slow.items()},
    )  # fmt: skip


_JUDGES: tuple[Callable[[Answers], Claim], ...] = (
    _gang_on_weak,
    _makespan_on_weak,
    _minsum_on_weak,
    _best_on_high,
    _gang_and_sequential_on_high,
    _lists_on_high,
    _mixed,
    _cirne,
    _about_two,
    _below_two,
    _quick,
)
