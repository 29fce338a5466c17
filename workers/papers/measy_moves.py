"""The claims about migrations: how many there are, and what one may cost."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.statistics.intervals import interval
from shadowtime.workers.papers.measy_cells import COSTS, LOADS, NAMES
from shadowtime.workers.papers.measy_points import BOTH, METRICS, Answers, Both, blocks_of, per_workload, percent, ratio
from shadowtime.workers.papers.report import Claim, Grade, grade, grades

LIMITS = {"feitelson": (900.0, 1500.0), "jann": (480.0, 900.0)}
"""Migration costs [s] below which MEASY is better than KEASY, and above which it is comparable, a little worse."""
A_LITTLE = 0.1
"""Relative excess that counts as "comparable (a little worse)"."""
ENDS = (0, len(LOADS) - 1)
"""Lowest and highest load."""


def more_migrations(answers: Both) -> Claim:
    """Judge migrations for each job: fewer on Jann at the lowest load, more at the highest."""
    each = {model: one.per_job().mean(axis=0) for model, one in answers.items()}
    raw = {model: one.of("migrations", "measy").mean(axis=0) for model, one in answers.items()}
    agree = bool(each["jann"][0] < each["feitelson"][0] and each["jann"][-1] > each["feitelson"][-1])
    crossed = [load for load, one, other in zip(LOADS, each["jann"], each["feitelson"], strict=True) if one > other]
    return Claim(
        "More migrations on Jann than on Feitelson at high load, fewer at low load",
        "in words; Figure 8 shows “the average number of migration”",
        {
            **{one.name: _migrations(one) for one in answers.values()},
            BOTH: f"more for each job on Jann at load {', '.join(map(str, crossed)) or 'none'}",
        },
        {**dict.fromkeys(NAMES.values()), BOTH: grade(agree)},
        "the average number for each job is smaller on Jann at the lowest load and larger at the highest; a raw count "
        "would set 100,000 jobs against 200,000, and is shown beside it",
        "Section 3.4, Figure 8",
        "greater than in FWload when the system load is high",
        "for each job, Jann over Feitelson by load: "
        + ", ".join(f"{each['jann'][at] / each['feitelson'][at]:.2f}" for at in range(len(LOADS)))
        + "; raw counts, of half as many jobs: "
        + ", ".join(f"{raw['jann'][at] / raw['feitelson'][at]:.2f}" for at in range(len(LOADS))),
        blocks_of(answers),
    )


def _migrations(one: Answers) -> str:
    """Return migrations for each job with their interval, and in all, at the lowest and the highest load."""
    parts = []
    for at in ENDS:
        mean = interval(one.per_job()[:, at])
        raw = one.of("migrations", "measy")[:, at].mean()
        parts.append(
            f"{mean.mean:.3f} ({mean.low:.3f} to {mean.high:.3f}) for each job at load {LOADS[at]}, {raw:,.0f} in all"
        )
    return "; ".join(parts)


def better_up_to(one: Answers, what: str, load: int) -> float:
    """Return the largest tested cost up to which MEASY's mean is below KEASY's at every tested cost; 0 if none is."""
    keasy = one.of(what, "keasy").mean(axis=0)[load]
    found = 0.0
    for cost in COSTS:
        if one.costly(what, cost).mean(axis=0)[load] >= keasy:
            break
        found = cost
    return found


def limits(one: Answers) -> np.ndarray:
    """Return `better_up_to`, metrics by loads."""
    return np.array([[better_up_to(one, what, at) for at in range(len(LOADS))] for what in METRICS])


def bears(answers: Both) -> Claim:
    """Judge whether MEASY is better than KEASY at each cost up to the paper's, at each load, in both metrics."""
    found = {one.name: limits(one) for one in answers.values()}
    theirs = {one.name: LIMITS[model][0] for model, one in answers.items()}
    return Claim(
        "MEASY is better than KEASY while a migration costs less than a limit",
        "900 s on Feitelson, 480 s on Jann",
        per_workload(answers, lambda one: _limits(found[one.name])),
        {**{name: borne(one, theirs[name]) for name, one in found.items()}, BOTH: None},
        f"MEASY's mean is below KEASY's in response and bounded slowdown, at every load, at {COSTS[0]:g} s (direction) "
        "and at each tested cost up to the paper's limit, which stands for the costs just below it (size)",
        "Section 3.5.3, Figures 13 and 14",
        "better performance than KEASY can always be obtained by MEASY",
        "; ".join(_borne(name, one, theirs[name]) for name, one in found.items()),
        blocks_of(answers),
    )


def borne(found: np.ndarray, limit: float) -> Grade:
    """Grade the largest costs that are borne, metrics by loads, against the paper's limit."""
    return grade(bool((found >= COSTS[0]).all()), bool((found >= limit).all()))


def _limits(found: np.ndarray) -> str:
    """Return the range of the largest costs that are borne, over the loads."""
    parts = []
    for word, row in zip(METRICS.values(), found, strict=True):
        low, high = row.min(), row.max()
        span = f"{low:,.0f} s" if low == high else f"{low:,.0f} to {high:,.0f} s by load"
        parts.append(f"{word}: up to {span}")
    return "; ".join(parts)


def _borne(name: str, found: np.ndarray, limit: float) -> str:
    """Return how many points bear each tested cost up to the limit."""
    counts = [f"{int((found >= cost).sum())} bear {cost:,.0f} s" for cost in COSTS if cost <= limit]
    return f"of {found.size} points on {name} {', '.join(counts)}"


def comparable(answers: Both) -> Claim:
    """Judge whether MEASY is worse than KEASY, by a little, from the second cost of the paper on."""
    found = {one.name: [_ratio(one, what, LIMITS[model][1]) for what in METRICS] for model, one in answers.items()}
    return Claim(
        "MEASY is a little worse than KEASY from a second limit on",
        "above 1,500 s on Feitelson, 900 s on Jann",
        per_workload(answers, lambda one: " / ".join(_worse(value) for value in found[one.name]) + " at that cost"),
        {**{name: little_worse(ratios) for name, ratios in found.items()}, BOTH: None},
        "at that cost MEASY's mean is above KEASY's in response and bounded slowdown, means over loads and seeds "
        f"(direction), and by at most {100 * A_LITTLE:.0f} % (size)",
        "Section 3.5.3, Figures 13 and 14",
        "can only produce comparable (a little worse than KEASY) performance",
        "response / bounded slowdown against KEASY: "
        + "; ".join(
            f"{one.name} " + ", ".join(f"{' / '.join(_ratios(one, cost))} at {cost:,.0f} s" for cost in LIMITS[model])
            for model, one in answers.items()
        ),
        blocks_of(answers),
    )


def little_worse(ratios: list[float]) -> Grade:
    """Grade MEASY's means over KEASY's, one a metric."""
    return grade(min(ratios) > 1.0, max(ratios) <= 1.0 + A_LITTLE)


def _ratio(one: Answers, what: str, cost: float) -> float:
    """Return the geometric mean over loads and seeds of MEASY's mean over KEASY's."""
    return ratio(one.costly(what, cost), one.of(what, "keasy"))


def _ratios(one: Answers, cost: float) -> list[str]:
    """Return MEASY's mean over KEASY's in both metrics."""
    return [f"{_ratio(one, what, cost):.2f}" for what in METRICS]


def _worse(value: float) -> str:
    return f"{percent(abs(value - 1.0))} {'worse' if value > 1.0 else 'better'}"


def lower_limit(answers: Both) -> Claim:
    """Judge whether MEASY bears less on Jann than on Feitelson."""
    found = {model: limits(one) for model, one in answers.items()}
    means = {model: one.mean(axis=1) for model, one in found.items()}
    holds = bool((means["jann"] < means["feitelson"]).all())
    return Claim(
        "A migration may cost less on Jann than on Feitelson",
        "480 s against 900 s, since Jann has more migrations",
        {
            **{one.name: _limits(found[model]) for model, one in answers.items()},
            BOTH: "less on Jann" if holds else "not less on Jann",
        },
        {**dict.fromkeys(NAMES.values()), **grades({BOTH: holds})},
        "the largest tested cost that MEASY bears, as a mean over the loads, is smaller on Jann in both metrics",
        "Section 3.5.3, Figures 13 and 14",
        "due to the number of migration in JWload is greater",
        "mean over the loads, response / bounded slowdown: "
        + "; ".join(f"{NAMES[model]} {' / '.join(f'{value:,.0f} s' for value in one)}" for model, one in means.items())
        + "; KEASY's kills for each job at the highest load, which MEASY saves: "
        + ", ".join(f"{one.name} {one.of('kills', 'keasy')[:, -1].mean() / one.jobs:.2f}" for one in answers.values()),
        blocks_of(answers),
    )
