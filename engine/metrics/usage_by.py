"""Waits and usage of groups of jobs: of each user, account, partition, size class, hour and weekday of submission.

The waits of several schedules, or of a schedule and of what a log recorded, are compared over the same jobs: those
whose wait is known in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.engine.workload.local_time import hours, weekdays
from shadowtime.engine.workload.offered import work_per_job
from shadowtime.engine.workload.words import count

NAMED = ("user", "account", "partition")
"""Ways to group that have names, of which there may be many; the others have an order and few groups."""
BY = (*NAMED, "size", "hour", "weekday")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
UNKNOWN = "unknown"
TAIL = 0.9
"""Quantile that stands for long waits."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """A group for each job."""

    by: str
    """One of BY."""
    codes: np.ndarray
    """n numbers of groups, from 0."""
    names: tuple[str, ...]
    """What the groups are called; those of size, hour and weekday in their own order."""

    @property
    def is_named(self) -> bool:
        return self.by in NAMED


@dataclass(frozen=True, eq=False)
class Waits:
    """Waits of each of k groups; NaN for a group without a known wait."""

    jobs: np.ndarray
    """How many waits are known."""
    mean: np.ndarray
    median: np.ndarray
    tail: np.ndarray
    """The quantile TAIL, between two waits in proportion."""
    longest: np.ndarray


@dataclass(frozen=True, eq=False)
class Usage:
    """What each of k groups asked of the machine."""

    jobs: np.ndarray
    work: np.ndarray
    """Work of the jobs, as the offered load counts it [processor-seconds]."""

    @property
    def share(self) -> np.ndarray:
        """Share of the work of all groups."""
        total = float(self.work.sum())
        return self.work / total if total else np.zeros(len(self.work))


@dataclass(frozen=True)
class Likeness:
    """How near the waits of a schedule are to those that a log recorded, over the jobs that have both."""

    jobs: int
    recorded: float
    """Mean recorded wait [s]."""
    simulated: float
    """Mean wait in the schedule [s]."""
    correlation: float
    """Spearman's rank correlation; NaN where all waits are equal."""
    difference: float
    """Median of the absolute differences [s]."""


def groupings(
    jobs: Mapping[str, np.ndarray], texts: Mapping[str, Sequence[str]], wall: np.ndarray | None
) -> dict[str, Grouping]:
    """Return the groupings that are known of some jobs, in the order of BY.

    Parameters
    ----------
    jobs
        n rows with `user`, `processors`, and those of `account` and `partition` that a log has.
    texts
        Names of the codes of these columns; without them a code is its own name.
    wall
        Submissions by the wall clock of the site [s], as `workload.local_time.local` returns them; None without a date.
    """
    there = [name for name in NAMED if name in jobs and (jobs[name] >= 0).any()]
    found = {name: _named(name, jobs[name], texts.get(name, ())) for name in there}
    if len(jobs["processors"]):
        found["size"] = _sizes(jobs["processors"])
        if wall is not None:
            names = tuple(f"{hour:02d}:00" for hour in range(24))
            found["hour"] = Grouping("hour", hours(wall), names)
            found["weekday"] = Grouping("weekday", weekdays(wall), WEEKDAYS)
    return found


def _named(by: str, codes: np.ndarray, texts: Sequence[str]) -> Grouping:
    known, group = np.unique(codes, return_inverse=True)
    names = (UNKNOWN if code < 0 else texts[code] if code < len(texts) else str(code) for code in known.tolist())
    return Grouping(by, group, tuple(names))


def _sizes(processors: np.ndarray) -> Grouping:
    """Return classes 1, 2, 3 to 4, 5 to 8 ... from the smallest to the largest job."""
    size = np.ceil(np.log2(np.maximum(processors, 1))).astype("i8")
    names = ["1", "2", *(f"{2 ** (at - 1) + 1:,}–{2**at:,}" for at in range(2, int(size.max()) + 1))]
    return Grouping("size", size - size.min(), tuple(names[int(size.min()) : int(size.max()) + 1]))


def usage(grouping: Grouping, jobs: Mapping[str, np.ndarray]) -> Usage:
    """Return number and work of the jobs of each group."""
    k = len(grouping.names)
    return Usage(np.bincount(grouping.codes, minlength=k), np.bincount(grouping.codes, work_per_job(jobs), minlength=k))


def largest(grouping: Grouping, used: Usage, most: int) -> tuple[Grouping, Usage, int]:
    """Return the `most` groups with the largest work, largest first, the others as one more; and how many those are.

    Groups of size, hour and weekday stay as they are.
    """
    if not grouping.is_named:
        return grouping, used, 0
    order = np.argsort(-used.work, kind="stable")
    kept, rest = order[:most], order[most:]
    place = np.full(len(order), len(kept))
    place[kept] = np.arange(len(kept))
    names = tuple(grouping.names[at] for at in kept)
    jobs, work = used.jobs[kept], used.work[kept]
    if len(rest):
        names = (*names, count(len(rest), "other"))
        jobs, work = np.append(jobs, used.jobs[rest].sum()), np.append(work, used.work[rest].sum())
    return Grouping(grouping.by, place[grouping.codes], names), Usage(jobs, work), len(rest)


def comparable(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return which jobs have a known wait in every one of these columns of waits."""
    return np.logical_and.reduce([np.isfinite(column) for column in columns])


def waits(grouping: Grouping, wait: np.ndarray, among: np.ndarray) -> Waits:
    """Return the waits of each group over the jobs `among` (a mask), which all have one."""
    k = len(grouping.names)
    rows = np.flatnonzero(among)
    rows = rows[np.argsort(wait[rows], kind="stable")]
    # A stable sort of small numbers by group is a radix sort: waits then rise inside each group.
    small = np.uint16 if k <= 65536 else np.int64
    rows = rows[np.argsort(grouping.codes[rows].astype(small), kind="stable")]
    values = wait[rows]
    count = np.bincount(grouping.codes[rows], minlength=k)
    first = np.cumsum(count) - count
    total = np.bincount(grouping.codes[rows], values, minlength=k)
    there = count > 0
    mean = np.where(there, total / np.maximum(count, 1), np.nan)
    median, tail, longest = (_quantile(values, first, count, q) for q in (0.5, TAIL, 1.0))
    return Waits(count, mean, median, tail, longest)


def _quantile(values: np.ndarray, first: np.ndarray, count: np.ndarray, q: float) -> np.ndarray:
    """Return a quantile of each stretch of rising `values`, interpolated as numpy does by default."""
    found = np.full(len(count), np.nan)
    there = np.flatnonzero(count > 0)
    place = q * (count[there] - 1)
    below = np.floor(place).astype("i8")
    low = values[first[there] + below]
    high = values[first[there] + np.minimum(below + 1, count[there] - 1)]
    found[there] = low + (high - low) * (place - below)
    return found


def likeness(recorded: np.ndarray, simulated: np.ndarray) -> Likeness | None:
    """Return how alike two columns of waits are; None where no job has both."""
    both = comparable((recorded, simulated))
    if not both.any():
        return None
    a, b = recorded[both], simulated[both]
    return Likeness(
        jobs=len(a),
        recorded=float(a.mean()),
        simulated=float(b.mean()),
        correlation=_correlation(_ranks(a), _ranks(b)),
        difference=float(np.median(np.abs(a - b))),
    )


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return the rank of each value; equal values share the mean of their ranks."""
    _, which, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[which]


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size else float("nan")


def recorded_wait(jobs: Table) -> np.ndarray | None:
    """Return the wait that a log recorded of each job [s], NaN where unknown; None where none is known.

    A start before the submission, by a clock that ran behind, is a wait of 0, as the algorithm `recorded` has it.
    """
    start = jobs.get("recorded_start")
    return None if start is None or not np.isfinite(start).any() else np.maximum(0.0, start - jobs["release"])
