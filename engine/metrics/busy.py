"""The busy share of a machine by day and hour of the day, and by group of nodes and day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.tables import RUN
from shadowtime.engine.workload.local_time import DAY, QUARTER, hours

MOST_GROUPS = 64
"""Rows of a map of groups of nodes."""
MOST_DAYS = 4000
Wall = Callable[[np.ndarray], np.ndarray]
"""Converts instants of a workload into seconds of a wall clock that counts from a midnight."""


@dataclass(frozen=True, eq=False)
class Days:
    """The days of a span of time, by a wall clock."""

    start: float
    """Where the span begins and ends, in seconds of the workload."""
    end: float
    edges: np.ndarray
    """d + 1 instants, in seconds of the workload: the midnights of the span, and its two ends."""
    first: int
    """Number of the first day, as its midnight's wall-clock seconds / 86400."""
    wall: Wall

    def __len__(self) -> int:
        return len(self.edges) - 1


@dataclass(frozen=True, eq=False)
class Steps:
    """A right-continuous step function: `value[i]` from `time[i]` on."""

    time: np.ndarray
    value: np.ndarray

    def integral(self, at: np.ndarray) -> np.ndarray:
        """Return the integral from the first step to each instant; before it and after the last step nothing adds."""
        if not len(self.time):
            return np.zeros(len(at))
        total = np.concatenate([[0.0], np.cumsum(np.diff(self.time) * self.value[:-1])])
        return np.interp(at, self.time, total)


def in_use(start: np.ndarray, end: np.ndarray, size: np.ndarray) -> Steps:
    """Return how many processors jobs hold that run from `start` to `end`; those without both are left out."""
    known = np.isfinite(start) & np.isfinite(end) & (end > start)
    time, which = np.unique(np.concatenate([start[known], end[known]]), return_inverse=True)
    change = np.bincount(which, np.concatenate([size[known], -size[known]]), minlength=len(time))
    return Steps(time, np.cumsum(change))


def days(start: float, end: float, wall: Wall) -> Days | None:
    """Return the days that a span of time touches; None where it is empty or longer than MOST_DAYS."""
    if not 0 < end - start <= MOST_DAYS * DAY:
        return None
    quarters = _quarters(start, end, wall)
    number = np.floor(wall(quarters) / DAY)
    # A day begins once, also where the clock falls back over midnight (St John's, before 2011).
    midnights = quarters[1:][number[1:] > np.maximum.accumulate(number)[:-1]]
    inside = midnights[(midnights > start) & (midnights < end)]
    first = int(np.floor(wall(np.array([start]))[0] / DAY))
    return Days(start, end, np.concatenate([[start], inside, [end]]), first, wall)


def _quarters(start: float, end: float, wall: Wall) -> np.ndarray:
    """Return the quarters of an hour of the wall clock, from before `start` until after `end`."""
    quarters = np.arange(np.floor(start / QUARTER) - 1, np.ceil(end / QUARTER) + 1) * QUARTER
    return quarters + (-wall(quarters[:1])[0]) % QUARTER


def by_hour(used: Steps, lanes: float, span: Days) -> np.ndarray:
    """Return the mean share of the machine in use, 24 hours x d days; NaN for hours outside the span.

    An hour that summer time skips has no share; of one that comes twice it is the mean of both.
    """
    edges = np.unique(np.clip(_quarters(span.start, span.end, span.wall), span.start, span.end))
    wall = span.wall((edges[1:] + edges[:-1]) / 2)
    cell = hours(wall) * len(span) + np.clip(np.floor(wall / DAY).astype("i8") - span.first, 0, len(span) - 1)
    held = np.bincount(cell, np.diff(used.integral(edges)), minlength=24 * len(span))
    lasted = np.bincount(cell, np.diff(edges), minlength=24 * len(span))
    with np.errstate(invalid="ignore"):
        return np.where(lasted > 0, held / (lasted * lanes), np.nan).reshape(24, len(span))


def by_group(parts: Iterator[Mapping[str, np.ndarray]], lanes: int, span: Days) -> np.ndarray:
    """Return the mean share of each group of neighbouring lanes in use, g groups x d days; g is at most MOST_GROUPS.

    Parameters
    ----------
    parts
        The rectangles of a run, in pieces.
    lanes
        Lanes of the machine; group k holds lanes `bounds(lanes)[k]` to `bounds(lanes)[k + 1] - 1`.
    """
    bound = bounds(lanes)
    groups, d = len(bound) - 1, len(span)
    lengths = np.diff(span.edges)
    inside, later = np.zeros(groups * d), np.zeros(groups * (d + 1))

    def add(group: np.ndarray, time: np.ndarray, held: np.ndarray) -> None:
        """From `time` on, so many lanes of the group are held."""
        time = np.clip(time, span.start, span.end)
        day = np.clip(np.searchsorted(span.edges, time, side="right") - 1, 0, d - 1)
        inside[:] += np.bincount(group * d + day, held * (span.edges[day + 1] - time), minlength=groups * d)
        later[:] += np.bincount(group * (d + 1) + day + 1, held, minlength=groups * (d + 1))

    for part in parts:
        runs = np.flatnonzero((part["kind"] == RUN) & (part["first"] < lanes))  # a record may hold lanes beyond
        first, last = part["first"][runs].astype("i8"), np.minimum(part["last"][runs].astype("i8"), lanes - 1)
        low, high = (np.searchsorted(bound, edge, side="right") - 1 for edge in (first, last))
        many = high - low + 1
        which = np.repeat(np.arange(len(runs)), many)  # a rectangle that crosses groups counts once in each
        group = np.arange(len(which)) - np.repeat(np.cumsum(many) - many, many) + low[which]
        width = np.minimum(last[which] + 1, bound[group + 1]) - np.maximum(first[which], bound[group])
        held = width * part["share"][runs][which]
        add(group, part["start"][runs][which], held)
        add(group, part["end"][runs][which], -held)
    whole = np.cumsum(later.reshape(groups, d + 1), axis=1)[:, :d] * lengths
    return (inside.reshape(groups, d) + whole) / (lengths * np.diff(bound)[:, None])


def bounds(lanes: int) -> np.ndarray:
    """Return the first lane of each group, and the number of lanes: equal groups, the last of which may be smaller."""
    return np.append(np.arange(0, lanes, -(-lanes // MOST_GROUPS)), lanes)
