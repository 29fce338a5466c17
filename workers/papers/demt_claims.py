"""The claims of the DEMT paper that survive in its text, judged on our ratios; claims on ratios per criterion.

The paper keeps "the best" of several shuffled schedules and does not name the criterion; so what it says of DEMT's
ratios is judged for each criterion that may select: weighted completion, makespan, and the product of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from shadowtime.workers.papers.demt_cells import CRITERIA, FAMILIES, RIVALS, Answers
from shadowtime.workers.papers.demt_figures import gains
from shadowtime.workers.papers.demt_time import Times
from shadowtime.workers.papers.report import Claim, Grade, grade

PAPERS = tuple(name for name in RIVALS if name != "List-WSPT")
"""The rivals of the paper; List-WSPT is ours."""
LISTS = ("List-shelf", "List-LPTF", "List-SAF")
ALL = "all"
WORKLOADS = {**FAMILIES, ALL: "All four"}
SELECTED = {"DEMT": "weighted completion", "DEMT by makespan": "makespan", "DEMT by product": "the product of both"}
"""What selects among shuffles, by column."""
STABLE = 1.25
"""Largest average over smallest that counts as stable."""
SECTION = "Section 4.2"

Found = Mapping[str, tuple[str, Grade]]


def claims(answers: Answers, times: Times) -> list[Claim]:
    """Return all claims in the order of the paper."""
    return [
        shuffles_help_little(answers),
        gang_on_weak(answers),
        *(makespan_on_weak(answers, name) for name in CRITERIA),
        minsum_on_weak(answers),
        best_on(
            answers, "high", "DEMT is clearly the best on highly parallel jobs", "our algorithm is clearly the best"
        ),
        gang_and_sequential_on_high(answers),
        lists_on_high(answers),
        lists_stable_on_high(answers),
        demt_on_mixed(answers),
        saf_on_mixed(answers),
        lists_on_mixed(answers),
        best_on(answers, "cirne", "DEMT is clearly the best on Cirne's jobs", "clearly outperforms the other ones"),
        only_stable_on_cirne(answers),
        *(about_two(answers, name) for name in CRITERIA),
        *(below_two(answers, name) for name in CRITERIA),
        better_if_parallel(answers),
        insensitive(answers),
        quick(answers, times),
    ]


def _claim(
    answers: Answers, claim: str, theirs: str, rule: str, found: Found, *, quote: str, sensitivity: str = "",
    section: str = SECTION,
) -> Claim:  # fmt: skip
    """Return a claim about some families; it has no verdict for the others."""
    ours = {name: found[family][0] if family in found else "" for family, name in WORKLOADS.items()}
    given = {name: found[family][1] if family in found else None for family, name in WORKLOADS.items()}
    return Claim(claim, theirs, ours, given, rule, section, quote, sensitivity, answers.blocks)


def _range(values: np.ndarray) -> str:
    return f"{values.min():.2f} to {values.max():.2f}"


def _path(values: np.ndarray) -> str:
    """First and last value of a line over n."""
    return f"{values[0]:.2f} to {values[-1]:.2f}"


def _count(good: np.ndarray) -> str:
    return f"at {int(good.sum())} of {len(good)} sizes"


def _where(answers: Answers, good: np.ndarray) -> str:
    """Return the sizes at which a rule is broken."""
    broken = [str(n) for n, fine in zip(answers.sizes, good, strict=True) if not fine]
    return f"not with {', '.join(broken)} jobs" if broken else "at all sizes"


def _lines(answers: Answers, criterion: str, family: str, names: Sequence[str]) -> np.ndarray:
    """Return the averages of several algorithms, one a row."""
    return np.array([answers.line(criterion, name, family) for name in names])


def _spread(line: np.ndarray) -> float:
    return float(line.max() / line.min())


def shuffles_help_little(answers: Answers) -> Claim:
    """Judge what random orders save in weighted completion."""
    found, others = {}, []
    for family in FAMILIES:
        by_size = np.array([gains(answers, "neighbours", family, n).mean() for n in answers.sizes])
        permuted = np.mean([gains(answers, "batches", family, n).mean() for n in answers.sizes])
        others.append(f"{FAMILIES[family]} {permuted:.1f} %")
        found[family] = (
            f"{by_size.min():.1f} to {by_size.max():.1f} %",
            grade(by_size.max() < 10.0, by_size.max() < 5.0),
        )
    return _claim(
        answers, "Shuffles of the batches lead to small improvements only", "small",
        "ten random orders, of swapped neighbours, save on average less than 10 % of the weighted completion at every "
        "size; size: less than 5 %", found,
        section="Section 3.2", quote="This only leads to small improvements",
        sensitivity=f"random orders of all batches instead of swaps save on average {', '.join(others)}",
    )  # fmt: skip


def gang_on_weak(answers: Answers) -> Claim:
    """Judge Gang's weighted completion on weakly parallel jobs."""
    gang = answers.line("minsum", "Gang", "weak")
    names = ("DEMT", *(name for name in PAPERS if name != "Gang"))
    rest = _lines(answers, "minsum", "weak", names).max(axis=0)
    good = gang > 2.0 * rest
    return _claim(
        answers, "Gang is out of scale on weakly parallel jobs", "always a very big ratio",
        "its weighted completion is above the next worst's at every size; size: more than twice",
        {"weak": (f"{_path(gang)} against {_path(rest)}", grade(bool((gang > rest).all()), bool(good.all())))},
        quote="Gang always has a very big ratio",
        sensitivity=f"its ratio over the next worst's grows with the jobs: {_path(gang / rest)}",
    )  # fmt: skip


def makespan_on_weak(answers: Answers, name: str) -> Claim:
    """Judge DEMT's makespan on weakly parallel jobs, with the criterion `name`."""
    demt = answers.line("makespan", name, "weak")
    rest = _lines(answers, "makespan", "weak", ("Sequential", *LISTS))
    worst = demt > rest.max(axis=0)
    close = bool(demt.max() <= 2.0 and rest.max() < 1.6)
    return _claim(
        answers, f"DEMT's makespan is the worst but Gang's on weakly parallel jobs ({SELECTED[name]} selects)",
        "no more than about 2, the others between 1 and 1.5 (digits restored)",
        "DEMT's average is above those of Sequential and the lists at every size; size: at most 2, theirs below 1.6",
        {"weak": (f"{_range(demt)}, the others {_range(rest)}", grade(bool(worst.all()), close))},
        quote="worse than all other algorithms except Gang",
        sensitivity=f"{_count(worst)} the worst, {_count(demt <= 2.0)} at most 2; largest single run "
        f"{answers.singles('makespan', name, 'weak').max():.2f}",
    )  # fmt: skip


def minsum_on_weak(answers: Answers) -> Claim:
    """Judge whether others have a smaller weighted completion than DEMT on weakly parallel jobs."""
    demt = answers.line("minsum", "DEMT", "weak")
    rest = _lines(answers, "minsum", "weak", ("Sequential", *LISTS)).min(axis=0)
    area = answers.line("minsum", "DEMT by area", "weak")
    good = rest < demt
    return _claim(
        answers, "Others have smaller weighted completions than DEMT on weakly parallel jobs", "its worst family",
        "Sequential or a list has a smaller weighted completion at every size",
        {"weak": (f"{_count(good)}; DEMT {_path(demt)}, best of them {_path(rest)}", grade(bool(good.all())))},
        quote="to influence also the results for the minsum",
        sensitivity=f"{_where(answers, good)}; with the order by area DEMT has {_path(area)}, others are better "
        f"{_count(rest < area)}",
    )  # fmt: skip


def best_on(answers: Answers, family: str, claim: str, quote: str) -> Claim:
    """Judge whether DEMT has the smallest weighted completion of the paper on a family."""
    demt = answers.line("minsum", "DEMT", family)
    rest = _lines(answers, "minsum", family, PAPERS)
    best, clear = demt < rest.min(axis=0), demt < 0.95 * rest.min(axis=0)
    nearest = [PAPERS[at] for at in rest.argmin(axis=0)]
    closest = int(np.argmin(rest.min(axis=0) / demt))
    return _claim(
        answers, claim, "clearly the best in weighted completion",
        "smallest weighted completion of the paper's algorithms at every size; size: at least 5 % below the next",
        {family: (f"{_count(best)}; {_range(demt)}, next best {_range(rest.min(axis=0))}",
                  grade(bool(best.all()), bool(clear.all())))},
        quote=quote,
        sensitivity=f"{_where(answers, best)}; nearest with {answers.sizes[closest]} jobs: {nearest[closest]} "
        f"{rest.min(axis=0)[closest]:.2f}, DEMT {demt[closest]:.2f}",
    )  # fmt: skip


def gang_and_sequential_on_high(answers: Answers) -> Claim:
    """Judge how Gang and Sequential change with the number of highly parallel jobs."""
    lines = {c: _lines(answers, c, "high", ("Gang", "Sequential")) for c in ("minsum", "makespan")}
    opposite = all(gang[-1] > gang[0] and sequential[-1] < sequential[0] for gang, sequential in lines.values())
    few = lines["minsum"][0, 0] / _lines(answers, "minsum", "high", ("DEMT", *PAPERS))[:, 0].min()
    many = lines["makespan"][1, -1] / _lines(answers, "makespan", "high", ("DEMT", *PAPERS))[:, -1].min()
    said = "; ".join(
        f"{word}: Gang {_path(lines[c][0])}, Sequential {_path(lines[c][1])}"
        for c, word in (("minsum", "weighted completion"), ("makespan", "makespan"))
    )
    return _claim(
        answers, "Gang is good for few highly parallel jobs, Sequential for many only", "opposite on both criteria",
        "from the fewest to the most jobs Gang's ratios grow and Sequential's fall, in both criteria; size: with the "
        "fewest Gang is within 10 % of the best weighted completion, with the most Sequential of the best makespan",
        {"high": (said, grade(bool(opposite), bool(few <= 1.1 and many <= 1.1)))},
        quote="Gang and sequential have opposite behavior",
        sensitivity=f"Gang with the fewest jobs: {few:.2f} times the best; Sequential with the most: {many:.2f} times",
    )  # fmt: skip


def lists_on_high(answers: Answers) -> Claim:
    """Judge the lists' makespan on highly parallel jobs."""
    lists = _lines(answers, "makespan", "high", LISTS)
    single = max(float(answers.singles("makespan", name, "high").max()) for name in LISTS)
    return _claim(
        answers, "The list algorithms' makespan is always below 2 on highly parallel jobs", "always below 2",
        "averages below 2 at every size; size: every single run",
        {"high": (f"averages {_range(lists)}, largest run {single:.2f}", grade(bool(lists.max() < 2), single < 2))},
        quote="allotment computed for list algorithms is quite good",
        sensitivity="averages: " + ", ".join(f"{name} {_range(line)}" for name, line in zip(LISTS, lists, strict=True)),
    )  # fmt: skip


def lists_stable_on_high(answers: Answers) -> Claim:
    """Judge how the lists' weighted completion changes on highly parallel jobs."""
    demt, lists = answers.line("minsum", "DEMT", "high"), _lines(answers, "minsum", "high", LISTS)
    spreads = [_spread(line) for line in lists]
    return _claim(
        answers, "The lists are stable on highly parallel jobs, with a larger weighted completion",
        "stable, but larger",
        f"larger than DEMT's at every size; size: largest average at most {STABLE} times the smallest",
        {"high": (f"{_range(lists)}, DEMT {_range(demt)}; vary by {min(spreads):.2f} to {max(spreads):.2f}",
                  grade(bool((lists > demt).all()), max(spreads) <= STABLE))},
        quote="stable (with respect to the number of tasks)",
        sensitivity="they fall with the jobs, SAF most: " + ", ".join(
            f"{name} {_path(line)}" for name, line in zip(LISTS, lists, strict=True)),
    )  # fmt: skip


def demt_on_mixed(answers: Answers) -> Claim:
    """Judge how DEMT's weighted completion changes on mixed jobs."""
    minsum, makespan = (answers.line(c, "DEMT", "mixed") for c in ("minsum", "makespan"))
    stable = max(_spread(minsum), _spread(makespan)) <= STABLE
    near = bool(minsum.max() <= 2.5 and makespan.max() <= 2.5 and min(minsum.min(), makespan.min()) >= 1.5)
    return _claim(
        answers, "On mixed jobs DEMT is stable, at about 2 in both criteria", "around 2 (digit restored)",
        f"the largest average of both criteria is at most {STABLE} times the smallest; size: all between 1.5 and 2.5",
        {"mixed": (f"weighted completion {_range(minsum)}, makespan {_range(makespan)}", grade(stable, near))},
        quote="still quite stable with a performance ratio",
        sensitivity="over the best bound instead of the paper's the weighted completion is at "
        + _range(np.array([answers.average("minsum", "DEMT", "mixed", n, "best") for n in answers.sizes])),
    )  # fmt: skip


def saf_on_mixed(answers: Answers) -> Claim:
    """Judge List-SAF against DEMT on mixed jobs."""
    demt, saf = (answers.line("minsum", name, "mixed") for name in ("DEMT", "List-SAF"))
    good = saf < demt
    return _claim(
        answers, "On mixed jobs SAF is better than DEMT", "better",
        "smaller weighted completion at every size",
        {"mixed": (f"{_count(good)}; SAF {_path(saf)}, DEMT {_path(demt)}", grade(bool(good.all())))},
        quote="SAF is better than our algorithm",
        sensitivity="SAF over DEMT by jobs: "
        + ", ".join(f"{n}: {ratio:.2f}" for n, ratio in zip(answers.sizes, saf / demt, strict=True)),
    )  # fmt: skip


def lists_on_mixed(answers: Answers) -> Claim:
    """Judge how the other two lists grow with the number of mixed jobs."""
    lines = _lines(answers, "minsum", "mixed", ("List-shelf", "List-LPTF"))
    growth = lines[:, -1] / lines[:, 0]
    return _claim(
        answers, "On mixed jobs the two other lists grow greatly with the jobs", "greatly increase",
        "both averages rise from the fewest to the most jobs; size: by more than half",
        {"mixed": (f"shelf {_path(lines[0])}, LPTF {_path(lines[1])}",
                   grade(bool((growth > 1).all()), bool((growth > 1.5).all())))},
        quote="greatly increase with the number of tasks",
        sensitivity=f"with {answers.sizes[-1]} jobs {growth[0]:.2f} and {growth[1]:.2f} times as large as with "
        f"{answers.sizes[0]}",
    )  # fmt: skip


def only_stable_on_cirne(answers: Answers) -> Claim:
    """Judge whether DEMT alone is stable on Cirne's jobs."""
    spread = {name: _spread(answers.line("minsum", name, "cirne")) for name in ("DEMT", *PAPERS)}
    least = min(value for name, value in spread.items() if name != "DEMT")
    return _claim(
        answers, "DEMT is the only stable one on Cirne's jobs", "the only one",
        f"its averages vary least; size: at most {STABLE} times from the smallest to the largest, all others more",
        {"cirne": (f"varies by {spread['DEMT']:.2f}, others from {least:.2f}",
                   grade(spread["DEMT"] < least, spread["DEMT"] <= STABLE < least))},
        quote="the only one to keep a stable ratio",
        sensitivity="largest average over smallest: "
        + ", ".join(f"{name} {value:.2f}" for name, value in spread.items()),
    )  # fmt: skip


def about_two(answers: Answers, name: str) -> Claim:
    """Judge the mean and the largest ratio of DEMT's weighted completion, with the criterion `name`."""
    found, best = {}, []
    for family in FAMILIES:
        line, single = answers.line("minsum", name, family), answers.singles("minsum", name, family).max()
        said = f"{line.mean():.2f} on average, {_range(line)}, largest run {single:.2f}"
        found[family] = said, grade(bool(line.mean() < 3.0 and single < 4.0), bool(1.5 <= line.mean() < 2.5))
        tight = [answers.average("minsum", name, family, n, "best") for n in answers.sizes]
        best.append(f"{FAMILIES[family]} {np.mean(tight):.2f}")
    return _claim(
        answers, f"DEMT's weighted completion is about 2 on average ({SELECTED[name]} selects)",
        "around 2, never more than a constant (both digits lost)",
        "mean of the averages below 3, and no single ratio of 4 or more; size: the mean rounds to 2", found,
        quote="on average around",
        sensitivity=f"over the best proven bound instead of the paper's program: {', '.join(best)}",
    )  # fmt: skip


def below_two(answers: Answers, name: str) -> Claim:
    """Judge how often DEMT's makespan is below twice the bound, with the criterion `name`."""
    found, price = {}, []
    for family in FAMILIES:
        single = answers.singles("makespan", name, family)
        share = float((single < 2.0).mean())
        said = f"{single.mean():.2f} on average, {100 * share:.0f} % of the runs below 2, {_range(single)}"
        found[family] = said, grade(float(answers.line("makespan", name, family).mean()) < 2.0, share >= 0.9)
        more = answers.singles("minsum", name, family) / answers.singles("minsum", "DEMT", family)
        price.append(f"{FAMILIES[family]} {100 * (np.exp(np.log(more).mean()) - 1):.1f} %")
    costs = f"weighted completion lost to that of the first criterion: {', '.join(price)}; " if name != "DEMT" else ""
    return _claim(
        answers, f"DEMT's makespan is almost always below 2 ({SELECTED[name]} selects)", "almost always",
        "the mean of the averages is below 2; size: at least 9 of 10 single runs are", found,
        quote="almost always below",
        sensitivity=f"{costs}the batches as they are (basic) are at "
        + _range(np.array([answers.line("makespan", "DEMT basic", family) for family in FAMILIES])),
    )  # fmt: skip


def better_if_parallel(answers: Answers) -> Claim:
    """Judge DEMT's ratios on highly against weakly parallel jobs."""
    weak, high = ({c: answers.line(c, "DEMT", f) for c in ("minsum", "makespan")} for f in ("weak", "high"))
    good = np.array([high[c] < weak[c] for c in ("minsum", "makespan")])
    means = all(high[c].mean() < weak[c].mean() for c in high)
    said = f"weighted completion {_path(high['minsum'])} against {_path(weak['minsum'])}, makespan "
    said += f"{_path(high['makespan'])} against {_path(weak['makespan'])}"
    return _claim(
        answers, "DEMT performs better when jobs are more parallel", "better",
        "both mean ratios over the sizes are smaller on highly than on weakly parallel jobs; size: at every size",
        {"high": (said, grade(means, bool(good.all())))},
        quote="performs better when tasks are more parallel",
        sensitivity=f"weighted completion {_where(answers, good[0])}, makespan {_where(answers, good[1])}",
    )  # fmt: skip


def insensitive(answers: Answers) -> Claim:
    """Judge how far DEMT's ratios differ between families."""
    every = {
        name: np.array([answers.line("minsum", name, family) for family in FAMILIES]) for name in ("DEMT", *PAPERS)
    }
    spread = {name: _spread(values) for name, values in every.items()}
    least = min((value, name) for name, value in spread.items() if name != "DEMT")
    return _claim(
        answers, "DEMT's weighted completion is insensitive to the behaviour of jobs", "insensitive",
        f"over all families and sizes its averages vary least; size: the largest at most {STABLE} times the smallest",
        {ALL: (f"varies by {spread['DEMT']:.2f}; next {least[1]} by {least[0]:.2f}",
               grade(spread["DEMT"] < least[0], spread["DEMT"] <= STABLE))},
        quote="is insensitive to jobs behavior",
        sensitivity="by families: "
        + ", ".join(f"{FAMILIES[f]} {_range(line)}" for f, line in zip(FAMILIES, every["DEMT"], strict=True)),
    )  # fmt: skip


def quick(answers: Answers, times: Times) -> Claim:
    """Judge DEMT's planning time."""
    slow = {family: times.slowest(family) for family in FAMILIES}
    return _claim(
        answers, "DEMT takes less than 2 s", "under 2 s in 2004", "longest planning of all runs below 2 s",
        {family: (f"{1000 * seconds:.0f} ms at most", grade(seconds < 2.0)) for family, seconds in slow.items()},
        quote="less than 2 seconds for the largest instances",
        sensitivity="on today's machine, beside another process",
    )  # fmt: skip
