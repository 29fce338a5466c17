"""The claims of the MEASY paper as rules over points: each can say no."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shadowtime.engine.statistics.intervals import interval
from shadowtime.workers.papers.measy_cells import CONTINUE, EXACT, LOADS, MIDDLE, NAMES, STUDY_LOAD, Parameters
from shadowtime.workers.papers.measy_points import (
    BOTH,
    DRAWN,
    METRICS,
    UNKNOWN,
    Answers,
    Both,
    Setting,
    below,
    blocks_of,
    pair,
    per_workload,
    percent,
    percents,
    ratio,
)
from shadowtime.workers.papers.report import Claim, Grade, grade

STATED = {"flow": (0.411, 0.231), "stretch": (0.829, 0.693)}
"""Largest and average improvement of MEASY over EASY that the paper states."""
TOLERANCE = 0.25
"""Relative deviation from a stated improvement that counts as the same size."""
ON_AVERAGE = "direction only: not at every point, but on average over loads and seeds, in both"
POINTS = f"at each load from {LOADS[0]} to {LOADS[-1]}, means over seeds"


def gain(answers: Both, what: str) -> Claim:
    """Judge the improvement on EASY in direction at each load, and in size by both numbers that are stated."""
    stated = STATED[what]
    gains = {one.name: one.gains(what, "measy") for one in answers.values()}
    gains[BOTH] = np.concatenate(list(gains.values()), axis=1)
    sizes = {name: (values.mean(axis=0).max(), values.mean()) for name, values in gains.items()}
    tests = [pair(one, what, "measy", "easy") for one in answers.values()]
    return Claim(
        f"MEASY improves on EASY in {METRICS[what]}",
        f"up to {percent(stated[0])}, {percent(stated[1])} on average, over both workloads",
        {name: _sized(values) for name, values in gains.items()},
        {name: sized(values, stated) for name, values in gains.items()},
        f"MEASY's mean is below EASY's {POINTS} (direction), and largest and average improvement are both within "
        f"{100 * TOLERANCE:.0f} % of the paper's (size); the paper does not say which loads its average covers",
        "Section 3.4, Figures 6 and 7",
        "up to 41.1% and an average of 23.1%" if what == "flow" else "up to 82.9% and an average of 69.3%",
        "largest and average over the paper's: "
        + "; ".join(f"{name} {most / stated[0]:.2f} and {mean / stated[1]:.2f}" for name, (most, mean) in sizes.items())
        + "; smaller than EASY's in "
        + ", ".join(
            f"{test.smaller} of {test.blocks} blocks (p = {test.p:.2g}) on {name}"
            for name, test in zip(NAMES.values(), tests, strict=True)
        ),
        blocks_of(answers),
    )


def _sized(values: np.ndarray) -> str:
    """Return largest and average improvement, seeds by loads, the average with its interval over blocks."""
    mean = interval(values.mean(axis=1))
    most = values.mean(axis=0).max()
    return f"up to {percent(most)}, {percent(mean.mean)} on average ({percent(mean.low)} to {percent(mean.high)})"


def sized(gains: np.ndarray, stated: tuple[float, float]) -> Grade:
    """Grade improvements, seeds by loads, against the largest and the average that are stated."""
    means = gains.mean(axis=0)
    found = (float(means.max()), float(means.mean()))
    is_same = all(abs(ours / theirs - 1.0) <= TOLERANCE for ours, theirs in zip(found, stated, strict=True))
    return grade(bool(means.min() > 0.0), is_same)


def always_better(answers: Both, setting: Setting, section: str, quote: str) -> Claim:
    """Judge whether MEASY's means are below KEASY's at each load, in both metrics."""

    def wins(one: Answers) -> np.ndarray:
        return np.array([below(one.of(what, "measy", setting), one.of(what, "keasy", setting)) for what in METRICS])

    found = {one.name: wins(one) for one in answers.values()}
    apart = "" if setting is DRAWN else f" with {setting.name}"
    return Claim(
        f"MEASY is always better than KEASY{apart}",
        "always",
        per_workload(answers, lambda one: f"{_count(found[one.name])}, {_runs(one, setting)}"),
        {**{one.name: by_points(found[one.name], _is_better(one, setting)) for one in answers.values()}, BOTH: None},
        f"MEASY's mean is below KEASY's in response and bounded slowdown {POINTS}: ten points a workload; {ON_AVERAGE}",
        f"{section}, {setting.figures}",
        quote,
        _where_not({one.name: (found[one.name], _excess(one, setting)) for one in answers.values()}),
        blocks_of(answers),
    )


def by_points(holds: np.ndarray, on_average: bool) -> Grade:
    """Grade a claim about all loads: in size at every point, in direction on average over the loads."""
    return grade(on_average or bool(holds.all()), bool(holds.all()))


def _is_better(one: Answers, setting: Setting) -> bool:
    """Return whether MEASY is better than KEASY on average, in both metrics."""
    pairs = ((one.of(what, "measy", setting), one.of(what, "keasy", setting)) for what in METRICS)
    return all(ratio(values, others) < 1.0 for values, others in pairs)


def _count(wins: np.ndarray) -> str:
    return f"at {int(wins.sum())} of {wins.size} points"


def _runs(one: Answers, setting: Setting) -> str:
    """Return in how many single pairs of runs MEASY is better."""
    pairs = [one.of(what, "measy", setting) < one.of(what, "keasy", setting) for what in METRICS]
    return f"{int(np.sum(pairs))} of {np.size(pairs)} pairs of runs"


def _excess(one: Answers, setting: Setting) -> np.ndarray:
    """Return MEASY's mean over KEASY's less 1, metrics by loads."""
    return np.array(
        [
            one.of(what, "measy", setting).mean(axis=0) / one.of(what, "keasy", setting).mean(axis=0) - 1.0
            for what in METRICS
        ]
    )


def _where_not(found: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> str:
    """Return the points that fail with their excess; empty if none does."""
    parts = [
        f"{name}, {word} at load {load}: {percent(excess[row, at])} worse"
        for name, (holds, excess) in found.items()
        for row, word in enumerate(METRICS.values())
        for at, load in enumerate(LOADS)
        if not holds[row, at]
    ]
    return "; ".join(parts)


def better_than_easy(answers: Both, setting: Setting, section: str, quote: str) -> Claim:
    """Judge whether KEASY and MEASY are both below EASY at each load, in both metrics."""
    gains = {
        one.name: {
            (name, what): one.gains(what, name, setting).mean(axis=0) for name in ("keasy", "measy") for what in METRICS
        }
        for one in answers.values()
    }
    return Claim(
        f"KEASY and MEASY are better than EASY with {setting.name}",
        "both",
        per_workload(answers, lambda one: _by_algorithm(gains[one.name])),
        {**{name: by_points(*_above_zero(found)) for name, found in gains.items()}, BOTH: None},
        f"the mean improvement of both over EASY is above 0 in response and bounded slowdown {POINTS}; {ON_AVERAGE}",
        f"{section}, {setting.figures}",
        quote,
        _losses(answers, gains, setting),
        blocks_of(answers),
    )


def _above_zero(gains: Mapping[tuple[str, str], np.ndarray]) -> tuple[np.ndarray, bool]:
    """Return whether each point of some gains is above 0, and whether each mean over the loads is."""
    found = np.array(list(gains.values()))
    return found > 0.0, bool((found.mean(axis=1) > 0.0).all())


def _by_algorithm(gains: Mapping[tuple[str, str], np.ndarray]) -> str:
    """Return the average gains of both algorithms in both metrics, and the points at which they are above 0."""
    parts = []
    for name in ("keasy", "measy"):
        one = [gains[name, what] for what in METRICS]
        wins = sum(int((values > 0).sum()) for values in one)
        means = " / ".join(percent(float(values.mean())) for values in one)
        parts.append(f"{name.upper()} {means}, {wins} of {2 * len(LOADS)} points")
    return "; ".join(parts)


def _losses(answers: Both, gains: Mapping[str, Mapping[tuple[str, str], np.ndarray]], setting: Setting) -> str:
    """Return what a loss depends on: the load, the law of phi and the estimates; empty if nothing is lost."""
    parts = []
    for one in answers.values():
        lost = {key: values for key, values in gains[one.name].items() if values.min() <= 0.0}
        for (name, what), values in lost.items():
            by_load = ", ".join(percent(value) for value in values)
            text = f"{one.name}, {name.upper()}, {METRICS[what]} by load {by_load}"
            if setting is UNKNOWN:
                text += (
                    f"; at load {STUDY_LOAD} with phi around 0.482 {percent(at_study(one, what, name, MIDDLE))}, "
                    f"with exact estimates {percent(at_study(one, what, name, EXACT))}"
                )
            parts.append(text)
    return "; ".join(parts)


def at_study(one: Answers, what: str, name: str, drawn: Parameters, setting: Setting = UNKNOWN) -> float:
    """Return the mean improvement over EASY at the study's load where something else is drawn."""
    values = one.values(what, name, setting.parameters, drawn, (STUDY_LOAD,))
    easy = one.values(what, "easy", (), drawn, (STUDY_LOAD,))
    return float((1.0 - values / easy).mean())


def worst_of_three(answers: Both) -> Claim:
    """Judge whether REASY's means are the largest of the three, in both metrics at each load."""

    def worst(one: Answers, parameters: Parameters = ()) -> np.ndarray:
        rows = []
        for what in METRICS:
            reasy = one.values(what, "reasy", parameters).mean(axis=0)
            rows.append(reasy > np.maximum(*(one.of(what, name).mean(axis=0) for name in ("keasy", "measy"))))
        return np.array(rows)

    found = {one.name: worst(one) for one in answers.values()}
    exceptions = [
        f"{name}, {word} at load {load}"
        for name, holds in found.items()
        for row, word in enumerate(METRICS.values())
        for at, load in enumerate(LOADS)
        if not holds[row, at]
    ]
    printed = ", ".join(f"{_count(worst(one, CONTINUE))} on {one.name}" for one in answers.values())
    return Claim(
        "REASY is the worst of the three",
        "on both workloads",
        per_workload(answers, lambda one: _count(found[one.name])),
        {**{one.name: by_points(found[one.name], _is_worst(one)) for one in answers.values()}, BOTH: None},
        f"REASY's mean is the largest of the three in response and bounded slowdown {POINTS}; {ON_AVERAGE}",
        "Section 3.4, Figures 6 and 7",
        "REASY produces the worst performance among our algorithms",
        f"not so: {'; '.join(exceptions)}; if step 1 continues as printed: {printed}" if exceptions else "",
        blocks_of(answers),
    )


def _is_worst(one: Answers) -> bool:
    """Return whether REASY is worse than both others on average, in both metrics."""
    pairs = [(what, name) for what in METRICS for name in ("keasy", "measy")]
    return all(ratio(one.of(what, "reasy"), one.of(what, name)) > 1.0 for what, name in pairs)


def worse_than_easy(answers: Both) -> Claim:
    """Judge whether REASY loses to EASY on the Jann-like workload, in both metrics at each load."""
    gains = {one.name: [one.gains(what, "reasy").mean(axis=0) for what in METRICS] for one in answers.values()}
    jann = answers["jann"]
    printed = [1.0 - jann.values(what, "reasy", CONTINUE) / jann.of(what, "easy") for what in METRICS]
    losses = np.array(gains[jann.name]) < 0.0
    on_average = all(float(np.mean(values)) < 0.0 for values in gains[jann.name])
    verdict = by_points(losses, on_average)
    return Claim(
        "REASY is worse than EASY on Jann",
        "many serial jobs wait for their own processor",
        per_workload(answers, lambda one: " / ".join(percents(values) for values in gains[one.name]) + ", by load"),
        {**dict.fromkeys([*NAMES.values(), BOTH]), jann.name: verdict},
        f"its improvement over EASY is below 0 in response and in bounded slowdown {POINTS}; {ON_AVERAGE}",
        "Section 3.4, Figure 7",
        "For JWload, it is even worse than EASY",
        ""
        if verdict == Grade.SIZE
        else "if step 1 continues as printed: "
        + " / ".join(percents(values.mean(axis=0)) for values in printed)
        + f"; with exact estimates at load {STUDY_LOAD}: "
        + " / ".join(percent(at_study(jann, what, "reasy", EXACT, DRAWN)) for what in METRICS),
        blocks_of(answers),
    )
