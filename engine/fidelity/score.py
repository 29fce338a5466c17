"""How near simulated waits are to recorded ones, in figures, and who is mispredicted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.metrics.busy import Days, Steps, Wall, days, in_use
from shadowtime.engine.metrics.usage_by import Grouping, likeness

HALVED, NEARER, MIXED, EQUAL, WORSE = "halved", "nearer", "mixed", "equal", "worse"


@dataclass(frozen=True)
class Score:
    """How true waits are, over the jobs that count; with several draws each figure is a mean over them."""

    jobs: int
    recorded: float
    """Mean recorded wait [s]."""
    simulated: float
    """Mean simulated wait [s]."""
    log_ratio: float
    """ln(simulated / recorded), of the means over all draws."""
    correlation: float
    """Spearman's rank correlation of the waits; 0 where all are equal."""
    error: float
    """Median of the absolute errors [s]."""
    daily_correlation: float
    """Correlation of the utilization per day; NaN where it is undefined."""
    daily_difference: float
    """Mean absolute difference of the utilization per day, as a share of the machine; NaN without days."""
    draws: int = 1
    spread: float = 0.0
    """Standard deviation of the mean wait over draws [s]; 0 for one draw."""
    correlation_spread: float = 0.0

    @property
    def distance(self) -> float:
        """What a fit minimises: |ln(simulated / recorded)| + 1 - rank correlation."""
        return abs(self.log_ratio) + 1.0 - self.correlation


@dataclass(frozen=True, eq=False)
class Daily:
    """The mean share of the machine in use on each day of a span."""

    days: Days
    recorded: np.ndarray
    simulated: np.ndarray


@dataclass(frozen=True)
class Missed:
    """A group of jobs and the errors of their waits."""

    name: str
    jobs: int
    recorded: float
    """Mean wait [s]."""
    simulated: float
    share: float
    """Share of the sum of all absolute errors."""


def log_ratio(recorded: np.ndarray, simulated: np.ndarray) -> float:
    """Return ln(mean simulated / mean recorded); a mean below 1 s counts as 1 s."""
    return math.log(max(1.0, float(simulated.mean())) / max(1.0, float(recorded.mean())))


def correlation(recorded: np.ndarray, simulated: np.ndarray) -> float:
    """Return Spearman's rank correlation; 0 where one side has only equal values."""
    found = likeness(recorded, simulated)
    return found.correlation if found is not None and math.isfinite(found.correlation) else 0.0


def distance(recorded: np.ndarray, simulated: np.ndarray) -> float:
    """Return what a fit minimises; infinite if a job has no simulated wait."""
    if not np.isfinite(simulated).all():
        return math.inf
    return abs(log_ratio(recorded, simulated)) + 1.0 - correlation(recorded, simulated)


def score(recorded: np.ndarray, draws: Sequence[np.ndarray], daily: Sequence[Daily] = ()) -> Score:
    """Return the figures of simulated waits, one array a draw, against recorded ones.

    Jobs without a simulated wait in some draw count in none.
    """
    both = np.logical_and.reduce([np.isfinite(one) for one in draws])
    a, kept = recorded[both], [one[both] for one in draws]
    if not len(a):
        a, kept = np.zeros(1), [np.zeros(1) for _ in draws]
    means = np.array([one.mean() for one in kept])
    ranks = np.array([correlation(a, one) for one in kept])
    several = len(draws) > 1
    return Score(
        jobs=int(both.sum()),
        recorded=float(a.mean()),
        simulated=float(means.mean()),
        log_ratio=math.log(max(1.0, float(means.mean())) / max(1.0, float(a.mean()))),
        correlation=float(ranks.mean()),
        error=float(np.mean([np.median(np.abs(one - a)) for one in kept])),
        daily_correlation=_mean([_pearson(one.recorded, one.simulated) for one in daily]),
        daily_difference=_mean([float(np.abs(one.recorded - one.simulated).mean()) for one in daily]),
        draws=len(draws),
        spread=float(means.std(ddof=1)) if several else 0.0,
        correlation_spread=float(ranks.std(ddof=1)) if several else 0.0,
    )


def utilization(
    span: tuple[float, float], lanes: int, wall: Wall, recorded: Sequence[np.ndarray], simulated: Sequence[np.ndarray]
) -> Daily | None:
    """Return the utilization of each day of a span of time; None where it has no days.

    Parameters
    ----------
    wall
        The wall clock of the days.
    recorded, simulated
        Starts, ends and sizes of the jobs.
    """
    found = days(*span, wall)
    if found is None:
        return None
    return Daily(found, *(_per_day(in_use(jobs[0], jobs[1], jobs[2]), found, lanes) for jobs in (recorded, simulated)))


def _per_day(used: Steps, span: Days, lanes: int) -> np.ndarray:
    return np.diff(used.integral(span.edges)) / (np.diff(span.edges) * lanes)


def _pearson(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / size if size else math.nan


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def mispredicted(grouping: Grouping, recorded: np.ndarray, draws: Sequence[np.ndarray], most: int) -> list[Missed]:
    """Return the groups with the largest sums of absolute errors, largest first; means over all draws.

    As in `score`, jobs without a simulated wait in some draw count in none.
    """
    k = len(grouping.names)
    both = np.logical_and.reduce([np.isfinite(one) for one in draws])
    codes, a, kept = grouping.codes[both], recorded[both], [one[both] for one in draws]
    error = np.bincount(codes, np.mean([np.abs(a - one) for one in kept], axis=0), minlength=k)
    count = np.bincount(codes, minlength=k)
    first, second = (np.bincount(codes, one, minlength=k) / np.maximum(count, 1) for one in (a, np.mean(kept, axis=0)))
    order = np.argsort(-error, kind="stable")[:most]
    whole = float(error.sum()) or 1.0
    return [
        Missed(grouping.names[at], int(count[at]), float(first[at]), float(second[at]), float(error[at]) / whole)
        for at in order.tolist()
        if count[at]
    ]


def verdict(model: Score, plain: Score) -> str:
    """Return whether a model is truer than a plain one.

    `halved`: at most half of the plain |ln|, and no smaller rank correlation; `nearer`: nearer in one of both figures,
    and not farther in the other; `mixed`: nearer in one, farther in the other; `worse`: farther in one or both, nearer
    in none; `equal`: the same figures.
    """
    gains = (abs(plain.log_ratio) - abs(model.log_ratio), model.correlation - plain.correlation)
    if min(gains) >= 0 and max(gains) > 0:
        return HALVED if gains[0] > 0 and abs(model.log_ratio) <= abs(plain.log_ratio) / 2 else NEARER
    if max(gains) > 0:
        return MIXED
    return WORSE if min(gains) < 0 else EQUAL
