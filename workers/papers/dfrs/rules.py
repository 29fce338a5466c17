"""The rules of the verdicts on the claims: plain numbers in, one of three grades out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import geometric_mean

from shadowtime.workers.papers.report import Grade, grade

Loads = Mapping[float, Mapping[str, float]]
"""Mean degradation by load, then algorithm."""


def is_near(ours: float, theirs: float, factor: float) -> bool:
    """Return whether two positive values differ by at most `factor`."""
    return theirs > 0.0 and 1.0 / factor <= ours / theirs <= factor


def times_worse(worse: float, better: float, times: float) -> Grade:
    """Return SIZE if `worse` is at least `times` as large as `better`, DIRECTION if it is larger."""
    return grade(worse > better, worse >= times * better)


def smaller_as_theirs(smaller: float, larger: float, theirs: float, factor: float) -> Grade:
    """Return DIRECTION if `smaller` is smaller, SIZE if their quotient is the paper's too, to within `factor`."""
    return grade(smaller < larger, is_near(smaller / larger, theirs, factor))


def alike(one: float, other: float, tolerance: float) -> Grade:
    """Return SIZE if two values differ by at most `tolerance`, DIRECTION if by at most four times as much."""
    apart = abs(one / other - 1.0)
    return grade(apart <= 4.0 * tolerance, apart <= tolerance)


def all_below(lower: Sequence[float], upper: Sequence[float]) -> Grade:
    """Return whether each of the first values is below each of the others."""
    return grade(max(lower) < min(upper))


def heavier_tails(without: Sequence[float], with_period: Sequence[float], theirs: Sequence[float]) -> Grade:
    """Return DIRECTION if each deviation and maximum is larger without a period.

    SIZE if, besides, each quotient is at least half of the paper's, in `theirs`.
    """
    larger = [a / b for a, b in zip(without, with_period, strict=True)]
    return grade(min(larger) > 1.0, all(ours >= 0.5 * paper for ours, paper in zip(larger, theirs, strict=True)))


def at_most(value: float, limit: float) -> Grade:
    """Return SIZE up to the limit, DIRECTION up to twice of it."""
    return grade(value <= 2.0 * limit, value <= limit)


def all_at_most(values: Sequence[float], limits: Sequence[float]) -> Grade:
    """Return the worst grade of `at_most` over several values."""
    found = [at_most(value, limit) for value, limit in zip(values, limits, strict=True)]
    return grade(Grade.NO not in found, Grade.DIRECTION not in found)


def poorer_above(loads: Loads, subject: str, border: float) -> Grade:
    """Return whether an algorithm is better than most others up to a load, and worse than most above it.

    SIZE: at every load; DIRECTION: at the smallest and the largest load.
    """

    def is_right(load: float) -> bool:
        others = [value for name, value in loads[load].items() if name != subject]
        better = sum(loads[load][subject] < value for value in others)
        return 2 * better > len(others) if load <= border else 2 * better < len(others)

    return grade(is_right(min(loads)) and is_right(max(loads)), all(map(is_right, loads)))


def best_at_all(loads: Loads, subject: str) -> Grade:
    """Return SIZE if an algorithm has the smallest mean at every load, DIRECTION if on average over the loads."""
    names = next(iter(loads.values()))
    means = {name: sum(at[name] for at in loads.values()) for name in names}
    return grade(
        min(means, key=means.__getitem__) == subject, all(min(at.values()) == at[subject] for at in loads.values())
    )


def rises(first: float, last: float, theirs: tuple[float, float]) -> Grade:
    """Return DIRECTION if the last value is above the first, SIZE if both are within 30 % of the paper's."""
    return grade(first < last, is_near(first, theirs[0], 1.3) and is_near(last, theirs[1], 1.3))


def never_worse(pairs: Sequence[tuple[float, float]], slack: float = 0.005) -> Grade:
    """Return SIZE if the first of each pair is at most the second (to 0.5 %).

    DIRECTION if the geometric mean of their quotients is at most 1.
    """
    return grade(mean_ratio(pairs) <= 1.0, all(a <= (1.0 + slack) * b for a, b in pairs))


def mean_ratio(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the geometric mean of the quotients of pairs."""
    return geometric_mean([a / b for a, b in pairs])


def falls_steadily(values: Sequence[float]) -> Grade:
    """Return SIZE if each value is at most the one before (to 0.5 %), DIRECTION if the last is below the first."""
    return grade(values[-1] < values[0], all(b <= 1.005 * a for a, b in pairwise(values)))


def crosses(by_period: Mapping[float, float], level: float, border: float) -> Grade:
    """Return SIZE if values are below a level at every period above a border, and not before.

    DIRECTION if they are below it at the longest period.
    """
    return grade(
        by_period[max(by_period)] < level,
        all((value < level) == (period > border) for period, value in by_period.items()),
    )


def stays_above(by_period: Mapping[float, float], level: float, plateau: float) -> Grade:
    """Return DIRECTION if all values are above a level, SIZE if the smallest is near the paper's plateau (25 %)."""
    return grade(min(by_period.values()) > level, is_near(min(by_period.values()), plateau, 1.25))


def grows_less(first: float, last: float, factor: float, most: float) -> Grade:
    """Return SIZE if a value grows by less than `factor`, DIRECTION if by less than `most`."""
    return grade(last < most * first, last < factor * first)


def cheaper(short: float, long: float, times: float, limit: float) -> Grade:
    """Return DIRECTION if the second value is smaller, SIZE if about `times` (a quarter off) and below a limit."""
    return grade(long < short, short >= 0.75 * times * long and long < limit)


def near_both(values: Sequence[float], theirs: Sequence[float], apart: float) -> Grade:
    """Return DIRECTION if the order of two values is the paper's, SIZE if each is within `apart` of the paper's."""
    return grade(
        (values[0] < values[1]) == (theirs[0] < theirs[1]),
        all(abs(a - b) <= apart for a, b in zip(values, theirs, strict=True)),
    )


def is_quick(mean: float, longest: float) -> Grade:
    """Return whether the mean [s] and the longest call [s] are within the paper's 0.25 s and 4.5 s."""
    return grade(mean <= 0.25 and longest <= 4.5)
