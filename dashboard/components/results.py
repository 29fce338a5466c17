"""Figures of a run beside their proofs: value, unit, then how far from the proven bound."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shadowtime.dashboard.look import words
from shadowtime.dashboard.look.definitions import known_metric
from shadowtime.engine.registry import look_up_family

HEADLINES = ("mean_flow", "max_bounded_stretch", "weighted_completion", "total_job_time", "makespan")
"""What a run may be judged by, the first that has a bound; families put their own objective first."""

SUMMARY = (
    "mean_flow", "makespan", "mean_bounded_stretch", "max_bounded_stretch", "mean_wait", "weighted_completion",
    "total_job_time", "mean_utilization", "mean_cpu_utilization", "preemptions",
    "migrations", "bandwidth", "kills", "rejected", "unfinished",
)  # fmt: skip
"""Rows of a summary, of those that the run's family has."""

MOVES = ("preemptions", "migrations", "bandwidth", "kills", "swaps", "rejected", "unfinished")
"""Counts that are not worth a line while they are 0."""

COSTS = ("preemptions", "migrations")
"""Counts that are judged by job and by hour of the makespan."""

EXTREMES = ("max_bounded_stretch", "max_stretch", "max_flow", "max_wait")
"""Known for good as soon as one job has ended: their bound holds while the run goes on."""

WEIGHTED = ("weighted_completion", "weighted_flow")
"""Sums of times that have weights: no lengths of time."""
ONLY_OBJECTIVE = ("weighted_completion", "total_job_time")
"""Shown where they are the objective; elsewhere they repeat the mean flow."""

RATIO_WORDS = "×1.5 means at most 1.5 × optimal: the value over a proven lower bound for these jobs."
"""What a ratio beside a value says, once on each page that has some."""

PROOFS = {
    "lp1": "LP1", "lp1_literal": "LP1", "lp1_plus": "LP1", "lp2": "LP2", "lp2_literal": "LP2", "lp2_plus": "LP2",
    "lp3": "LP3", "lp3_cuts": "LP3, cutting planes", "primal_dual": "the dual of LP3",
    "squashed": "one machine as large as all",
}  # fmt: skip
"""What people call the bounds of packed tasks."""


@dataclass(frozen=True)
class Line:
    """One row: what, how much, how many times the bound."""

    name: str
    title: str
    value: str
    ratio: str = ""
    bound: str = ""
    """The bound itself, in words."""
    text: str = ""
    """What the metric is, in a sentence."""


def headline(values: Mapping[str, float], bounds: Mapping[str, float], kind: str = "") -> str | None:
    """The metric that a run is judged by: its family's objective, else the first that has a proven bound."""
    order = [look_up_family(kind).objective, *HEADLINES]
    known = [name for name in order if name in values]
    return next((name for name in known if bounds.get(name)), known[0] if known else None)


def written(name: str, value: float | None) -> str:
    """A metric's value with its unit."""
    known = known_metric(name)
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    match known.unit if known else "":
        case "s" if name in WEIGHTED:
            return f"{words.number(float(value))}{words.GAP}weighted{words.GAP}s"
        case "s":
            return words.duration(float(value))
        case "share":
            return words.percent(float(value))
        case "lane s":
            return f"{words.number(float(value))}{words.GAP}proc.{words.GAP}s"
        case "B/s":
            return f"{words.size(int(value))}/s"
    return words.number(value if isinstance(value, int) else float(value))


def whole(name: str, value: float | None) -> str:
    """The same, which the end of a line never divides."""
    return written(name, value).replace(" ", "\u00a0")


def titled(name: str) -> str:
    """What people call a metric."""
    known = known_metric(name)
    return known.title if known else name.replace("_", " ")


def ratio_of(name: str, values: Mapping[str, float], bounds: Mapping[str, float]) -> float | None:
    """Value over bound; None where nothing is proven."""
    value, bound = values.get(name), bounds.get(name)
    if value is None or not bound or not math.isfinite(value) or not math.isfinite(bound):
        return None
    return float(value) / float(bound)


def often(name: str, values: Mapping[str, Any], jobs: int) -> str:
    """`0.32 per job, 2.08 per hour`: what a run's preemptions or migrations come to; empty for other metrics."""
    count, hours = values.get(name), (values.get("makespan") or 0.0) / 3600.0
    if name not in COSTS or not count or not jobs or not hours:
        return ""
    return f"{words.number(count / jobs)} per job, {words.number(count / hours)} per hour"


def lines(
    values: Mapping[str, Any],
    bounds: Mapping[str, float],
    kind: str = "",
    *,
    is_running: bool = False,
    end: str = "running",
) -> list[Line]:
    """The summary's rows. While a run goes on, a mean over the ended jobs has no ratio: its bound is that of all.

    end: what stands for the makespan of a run that has not reached its end.
    """
    found = []
    judged = headline(values, bounds, kind)
    for name in SUMMARY:
        value = values.get(name)
        if value is None or (name in MOVES and not value) or (name in ONLY_OBJECTIVE and name != judged):
            continue
        if name == "preemptions" and "kills" in values:  # another name for them, see `engine.metrics.summary`
            continue
        known = known_metric(name)
        bound = written(name, bounds.get(name)) if bounds.get(name) else ""
        ratio = "" if is_running and name not in EXTREMES else words.ratio(ratio_of(name, values, bounds))
        text = written(name, value)
        if is_running and name == "makespan":
            text, ratio = end + (f", ≥ {bound}" if bound else ""), ""
        title, said = look_up_family(kind).metric_titles.get(name, ("", ""))
        if known and not title:
            title, said = known.title, known.text
        found.append(Line(name, title or name, text, ratio, bound, said))
    return found
