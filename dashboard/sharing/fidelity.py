"""How true a model is to a log, as JSON and in words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing.waits import BY
from shadowtime.engine.fidelity.answer import FITTED, Answer
from shadowtime.engine.fidelity.fit import GRIDS
from shadowtime.engine.fidelity.model import CLOSED
from shadowtime.engine.fidelity.score import EQUAL, HALVED, MIXED, NEARER, WORSE, Score
from shadowtime.engine.metrics.busy import in_use
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find
from shadowtime.engine.workload.job import Workload

SHARES = (*(at / 50 for at in range(1, 50)), 0.99, 0.995, 0.999)
"""Of the jobs, for the quantiles of a figure."""
VERDICTS = {
    HALVED: "Nearer to the record than EASY: at most half of its error of the mean wait, and no smaller rank "
    "correlation.",
    NEARER: "Nearer to the record than EASY, but its error of the mean wait is more than half of EASY's.",
    MIXED: "Neither better nor worse than EASY: one of mean wait and rank correlation is nearer to the record, the "
    "other is not.",
    EQUAL: "The same as EASY: mean wait and rank correlation are the same.",
    WORSE: "Worse than EASY here: neither the mean wait nor the rank correlation is nearer to the record.",
}


def verdict(answer: Answer) -> str:
    """Whether the model is truer than EASY, and where it is not."""
    model, easy = answer.model, answer.easy
    less = []
    if model.error > easy.error:
        less.append("the median absolute error")
    if model.daily_difference > easy.daily_difference:
        less.append("the difference of the utilization per day")
    but = f" {' and '.join(less).capitalize()} {'are' if len(less) > 1 else 'is'} larger than EASY's." if less else ""
    return VERDICTS[answer.verdict] + but


def title(answer: Answer) -> str:
    """What the model is called."""
    return "Fitted" if answer.algorithm == FITTED else find(answer.algorithm).title


def processors_of(log: Workload) -> int:
    """Return the processors of a log's machine: those that it states, else the most that were in use at one time."""
    if {"processors", "nodes"} & log.machine.keys():
        return Platform.of(log).lanes
    if not {"recorded_start", "recorded_end"} <= log.jobs.keys():
        return 1
    used = in_use(log.jobs["recorded_start"], log.jobs["recorded_end"], log.jobs["processors"])
    return max(1, int(used.value.max(initial=1)))


def as_json(answer: Answer) -> dict[str, Any]:
    """Return all of it as JSON values; times in seconds."""
    split, found = answer.split, answer.fit
    return {
        "log": answer.log.name,
        "processors": answer.lanes,
        "jobs": len(answer.log),
        "left_out": answer.left_out,
        "split": {
            part: {"jobs": one.jobs, "warm_up": one.warm_up}
            for part, one in (("fit", split.fit), ("test", split.test))
        },
        "algorithm": answer.algorithm,
        "parameters": dict(answer.parameters),
        "fit": None
        if found is None
        else {
            "values": {**found.values.as_dict(), "closed": CLOSED[found.values.closed]},
            "distance_easy": found.begin,
            "distance": found.end,
            "simulations": found.simulations,
            "steps": [{"parameter": one.name, "said": said(one.name, one.value), "distance": one.distance}
                      for one in found.steps],
        },
        "not_simulated": list(answer.lacking),
        "verdict": answer.verdict,
        "scores": {"easy": score_as_json(answer.easy), "model": score_as_json(answer.model)},
        "mispredicted": {way: [dict(vars(one)) for one in groups] for way, groups in answer.missed.items()},
        "days": None
        if answer.daily is None
        else {"first": answer.daily.days.first, "dated": answer.log.clock is not None,
              "recorded": answer.daily.recorded.tolist(), "simulated": answer.daily.simulated.tolist()},
        "quantiles": quantiles(answer),
    }  # fmt: skip


def quantiles(answer: Answer) -> dict[str, list[float]]:
    """Waits that the same shares of the jobs do not exceed: recorded, under EASY, and under the model."""
    known = np.isfinite(answer.waits) & np.isfinite(answer.waits_easy)
    if not known.any():
        return {"share": [], "recorded": [], "easy": [], "model": []}
    columns = {"recorded": answer.recorded, "easy": answer.waits_easy, "model": answer.waits}
    found = {name: np.quantile(column[known], SHARES).tolist() for name, column in columns.items()}
    return {"share": list(SHARES), **found}


def score_as_json(one: Score) -> dict[str, Any]:
    """Return the figures of a score."""
    known = {name: value if math.isfinite(value) else None for name, value in vars(one).items()}
    return {**known, "distance": one.distance}


def said(name: str, value: Any) -> str:
    """What a value of a fitted parameter means, in words."""
    if value == GRIDS[name][0]:
        return "as in EASY"
    match name:
        case "held_out":
            return f"{words.percent(value)} of the processors take no jobs"
        case "closed":
            share = words.percent(CLOSED[value])
            return f"hours of the week with less than {share} of the usual starts of long jobs are closed to them"
        case "down_time":
            return "nothing starts in outages that the log shows"
        case "user_jobs":
            return f"a user runs at most {words.count(int(value), 'job')} at one time"
        case "user_share":
            return f"a user holds at most {words.percent(value)} of the processors"
        case "queue":
            return f"the queue with the shortest waits goes {words.duration(value)} before that with the longest"
        case "fair_share":
            return f"a user without usage goes {words.duration(value)} before one with much of it"
        case "size":
            which = "twice" if value > 0 else "half"
            return f"a job goes {words.duration(abs(value))} before one of {which} its size"
    return f"a job goes {words.duration(value * 3600)} before one that requests an hour more"


def value_of(one: Score, figure: str) -> str:
    """A figure of a score as text."""
    found = getattr(one, figure)
    if figure == "error":
        return words.duration(found)
    return words.percent(found) if figure == "daily_difference" else words.number(found)


LABELS = {
    "log_ratio": "ln(simulated / recorded)",
    "correlation": "rank correlation of waits",
    "error": "median absolute error",
    "daily_correlation": "utilization per day: correlation",
    "daily_difference": "utilization per day: mean difference",
}


def rows(answer: Answer) -> list[tuple[str, str, str, str]]:
    """A figure each: label, what was recorded, EASY, the model."""
    easy, model = answer.easy, answer.model
    lines = [
        ("mean wait", words.duration(model.recorded), words.duration(easy.simulated), words.duration(model.simulated))
    ]
    if model.draws > 1:
        lines.append(("   spread over draws", "", "", words.duration(model.spread)))
    for figure, label in LABELS.items():
        lines.append((label, "", value_of(easy, figure), value_of(model, figure)))
        if figure == "correlation" and model.draws > 1:
            lines.append(("   spread over draws", "", "", words.number(model.correlation_spread)))
    return lines


def halves(answer: Answer) -> str:
    """Which jobs were fitted and which were tested."""
    fit, test = answer.split.fit, answer.split.test
    kept = f"{words.count(len(answer.log), 'job')} with a recorded start"
    left = f" ({answer.left_out:,} others left out)" if answer.left_out else ""
    sample = "" if fit.end == fit.jobs else f", the last {fit.jobs:,} of the first half"
    fitted = f" Fitted on {fit.jobs:,} of them{sample};" if answer.fit is not None else ""
    return f"{kept}{left}.{fitted} tested on {test.jobs:,}, after a warm-up of {test.warm_up:,}.".replace(
        ". tested", ". Tested"
    )


def fitted(answer: Answer) -> list[str]:
    """What the search changed, a line each."""
    found = answer.fit
    if found is None:
        return ["Nothing was fitted: the algorithm was taken as it is."]
    head = f"{words.count(found.simulations, 'simulation')} of the first half"
    if not found.steps:
        return [f"{head} found nothing better than EASY (distance {words.number(found.begin)})."]
    lines = [f"{head}; distance |ln| + 1 - rank correlation: EASY {words.number(found.begin)}"]
    lines += [f"  {words.number(one.distance)}  {said(one.name, one.value)}" for one in found.steps]
    return lines + [f"  The algorithm does not simulate {what}." for what in answer.lacking]


def missed(answer: Answer, way: str) -> list[tuple[str, ...]]:
    """The groups with the largest errors as rows, with a head."""
    lines: list[tuple[str, ...]] = [(BY[way].lower(), "jobs", "mean recorded", "mean simulated", "share of error")]
    for one in answer.missed[way]:
        recorded, simulated = words.duration(one.recorded), words.duration(one.simulated)
        lines.append((one.name, f"{one.jobs:,}", recorded, simulated, words.percent(one.share)))
    return lines
