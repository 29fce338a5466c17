"""Compare the claims of the study with our results, each with the rule of its verdict."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from shadowtime.workers.papers.dfrs.answers import BEST, Answers, algorithms_of
from shadowtime.workers.papers.dfrs.instances import REAL, UNSCALED
from shadowtime.workers.papers.report import Claim

TWIN = "GreedyP*/per/opt=min/minvt=600"


def nothing(log: str) -> Claim:
    """Return the claim of a study that needs the log, when the log is missing."""
    return Claim(
        "Degradations on HPC2N", "table 5", {REAL: "not run"}, {REAL: None}, f"set SHADOWTIME_TRACES to find {log}"
    )


def _claim(
    answers: Answers, sentence: str, said: str, rule: str, words: Callable[[str], str], holds: Callable[[str], bool]
) -> Claim:
    """Return one claim with a verdict for every group of the study."""
    groups = answers.groups
    return Claim(sentence, said, {g: words(g) for g in groups}, {g: bool(holds(g)) for g in groups}, rule)


def _means(answers: Answers, *algorithms: str) -> Callable[[str], str]:
    def words(group: str) -> str:
        return ", ".join(f"{a} {answers.mean('degradation', a, group):,.1f}" for a in algorithms)

    return words


def of_degradations(answers: Answers) -> list[Claim]:
    """Claims 1 to 5 and 8 of the specification, on table 2."""

    def mean(algorithm: str, group: str) -> float:
        return answers.mean("degradation", algorithm, group)

    def worst(algorithm: str, group: str) -> float:
        return float(answers.values("degradation", algorithm, group).max())

    greedy, per, stretch = "Greedy*/opt=min", "/per/opt=min/minvt=600", "/stretch-per/opt=max/minvt=600"
    fractional = [a for a in _names(answers) if a not in ("FCFS", "EASY", greedy)]
    return [
        _claim(answers, "FCFS and EASY are two to three orders of magnitude above the bound, Greedy* not much better",
               "3,578, 3,042 and 950 on HPC2N", "each mean is above 100",
               _means(answers, "FCFS", "EASY", greedy),
               lambda g: min(mean(a, g) for a in ("FCFS", "EASY", greedy)) > 100),
        _claim(answers, "EASY is better than FCFS, but not by much", "3,042 against 3,578 on HPC2N",
               "EASY's mean is the smaller; by how much is shown, not judged",
               _means(answers, "EASY", "FCFS"), lambda g: mean("EASY", g) <= mean("FCFS", g)),
        _claim(answers, "Preemption alone brings an order of magnitude or more", "GreedyP* 13.5 on HPC2N",
               "the mean of GreedyP* is at most a tenth of that of Greedy*",
               _means(answers, greedy, "GreedyP*/opt=min"),
               lambda g: 10 * mean("GreedyP*/opt=min", g) <= mean(greedy, g)),
        _claim(answers, "A period caps the worst case", "at most 819 without one, 214 with one on HPC2N",
               "the maximum of GreedyP*/per is below that of GreedyP*",
               lambda g: f"{worst('GreedyP*/per/opt=min', g):,.0f} against {worst('GreedyP*/opt=min', g):,.0f}",
               lambda g: worst("GreedyP*/per/opt=min", g) <= worst("GreedyP*/opt=min", g)),
        _claim(answers, "minvt=600 then brings the degradation below 10 on average", "4.9 as drawn",
               "the mean of GreedyP*/per/opt=min/minvt=600 is below 10",
               _means(answers, TWIN), lambda g: mean(TWIN, g) < 10),
        _claim(answers, "/per and /stretch-per agree", "within a percent",
               "their means differ by at most 15 %",
               _means(answers, per, stretch), lambda g: abs(mean(stretch, g) / mean(per, g) - 1) <= 0.15),
        _claim(answers, "The best algorithm is GreedyPM*/per/opt=min/minvt=600 or its GreedyP twin",
               "4.8 and 4.9 as drawn", "no other algorithm of the table has a smaller mean",
               lambda g: f"smallest: {min(fractional, key=lambda a: mean(a, g))}",
               lambda g: min(fractional, key=lambda a: mean(a, g)) in (BEST, TWIN)),
    ]  # fmt: skip


def of_costs(answers: Answers) -> list[Claim]:
    """What section 6.3 says of table 3."""

    def per_hour(what: str, algorithm: str, group: str) -> float:
        return float(np.mean([getattr(p, what) / p.hours for p in answers.of(algorithm, group)]))

    def bandwidth(algorithm: str, group: str) -> float:
        return float(np.mean([(p.preempted + p.migrated) / (3600 * p.hours) for p in answers.of(algorithm, group)]))

    return [
        _claim(answers, "MCB8* without limit migrates most", "490 an hour",
               "no other algorithm of the table has more migrations an hour",
               lambda g: f"{per_hour('migrations', 'MCB8*/opt=min', g):,.0f} an hour",
               lambda g: max(_names(answers), key=lambda a: per_hour("migrations", a, g)).startswith("MCB8*")),
        _claim(answers, "The best algorithm needs less than 1 GB/s", "0.80 GB/s",
               "the mean of saved and carried memory is below 1 GB/s",
               lambda g: f"{bandwidth(BEST, g):.2f} GB/s", lambda g: bandwidth(BEST, g) < 1.0),
        _claim(answers, "Without a period preemptions are few", "GreedyP* 5.7 an hour",
               "GreedyP* preempts at most a third as often as GreedyP*/per",
               lambda g: f"{per_hour('preemptions', 'GreedyP*/opt=min', g):.1f} against "
                         f"{per_hour('preemptions', 'GreedyP*/per/opt=min', g):.1f} an hour",
               lambda g: 3 * per_hour("preemptions", "GreedyP*/opt=min", g)
                         <= per_hour("preemptions", "GreedyP*/per/opt=min", g)),
    ]  # fmt: skip


def of_idle(answers: Answers) -> list[Claim]:
    """What section 6.4 says of table 4."""

    def idle(algorithm: str, group: str) -> float:
        return answers.mean("underutilization", algorithm, group)

    return [
        _claim(answers, "EASY leaves less idle than the best algorithms at a period of 600 s",
               "0.064 against 0.344 on HPC2N", "EASY's mean is the smaller",
               lambda g: f"{idle('EASY', g):.3f} against {idle(BEST, g):.3f}",
               lambda g: idle("EASY", g) < idle(BEST, g)),
        _claim(answers, "GreedyP and GreedyPM are alike here", "0.344 and 0.344 on HPC2N",
               "their means differ by at most 10 %",
               lambda g: f"{idle(TWIN, g):.3f} and {idle(BEST, g):.3f}",
               lambda g: abs(idle(TWIN, g) / idle(BEST, g) - 1) <= 0.1),
    ]  # fmt: skip


def of_variants(answers: Answers) -> list[Claim]:
    """Claims 4 to 6 of the specification, on table 5."""

    def mean(algorithm: str) -> float:
        return answers.mean("degradation", algorithm, REAL)

    names = [a for a in _names(answers) if "opt=" in a]
    rules = [(a, a.replace("opt=min", "opt=avg")) for a in names if "opt=min" in a]
    limits = [(a, a.replace("minvt", "minft")) for a in names if "minvt" in a]
    better = {what: sum(mean(a) <= mean(b) for a, b in pairs) for what, pairs in (("rule", rules), ("limit", limits))}
    thrash, held = "MCB8*/opt=min", "MCB8*/opt=min/minvt=600"
    return [
        _claim(answers, "MCB8* without limit thrashes", "345.6; 12.0 with minvt=600",
               "its mean is at least five times that with minvt=600",
               _means(answers, thrash, held), lambda g: mean(thrash) >= 5 * mean(held)),
        _claim(answers, "opt=min is no worse than opt=avg", "for nearly all",
               "in at least two thirds of the pairs", lambda g: f"in {better['rule']} of {len(rules)} pairs",
               lambda g: 3 * better["rule"] >= 2 * len(rules)),
        _claim(answers, "minvt is no worse than minft", "for nearly all",
               "in at least two thirds of the pairs", lambda g: f"in {better['limit']} of {len(limits)} pairs",
               lambda g: 3 * better["limit"] >= 2 * len(limits)),
        _claim(answers, "The limit does not matter for /per", "within a percent", "means differ by at most 5 %",
               _means(answers, "/per/opt=min", "/per/opt=min/minvt=600"),
               lambda g: abs(mean("/per/opt=min/minvt=600") / mean("/per/opt=min") - 1) <= 0.05),
    ]  # fmt: skip


def of_periods(answers: Answers) -> list[Claim]:
    """Claim 7 of the specification, on the sweep of the period."""
    periods = (600.0, 900.0, 1800.0, 3600.0, 6000.0, 12_000.0)

    def mean(what: str) -> list[float]:
        return [answers.mean(what, BEST, UNSCALED, period) for period in periods]

    easy = answers.mean("underutilization", "EASY", UNSCALED)
    idle, worst = mean("underutilization"), mean("degradation")
    return [
        _claim(answers, "Longer periods lower underutilization steadily", "below EASY's from about an hour on",
               "each mean is at most 5 % above the one before",
               lambda g: ", ".join(f"{value:.2f}" for value in idle),
               lambda g: all(b <= 1.05 * a for a, b in pairwise(idle))),
        _claim(answers, "... and pass below EASY's", "from about an hour on", "the last mean is below EASY's",
               lambda g: f"{idle[-1]:.2f} against EASY's {easy:.2f}", lambda g: idle[-1] < easy),
        _claim(answers, "The stretch rises slowly", "in a figure",
               "the last mean is at most three times the first",
               lambda g: ", ".join(f"{value:.1f}" for value in worst), lambda g: worst[-1] <= 3 * worst[0]),
    ]  # fmt: skip


def _names(answers: Answers) -> tuple[str, ...]:
    return algorithms_of(answers.table)
