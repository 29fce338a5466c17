"""Counts of preemptions, migrations, swaps and kills, and the work that kills lost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shadowtime.engine.metrics.jobs import Columns
from shadowtime.engine.tables import EVENT_KINDS, KILL, MIGRATE, PAUSE, RESUME, START, SWAP, parts

BACKGROUND = 1

_IS_PLACEMENT = np.isin(np.arange(len(EVENT_KINDS)), (START, RESUME, MIGRATE, SWAP))


def _count(events: Columns, chosen: Callable[[Columns], np.ndarray]) -> int:
    """Count the chosen events, one per job and instant however many tasks moved; events are in order of time."""
    return sum(_count_part(part, chosen(part)) for part in parts(events, "time"))


def _count_kind(events: Columns, kind: int) -> int:
    return _count(events, lambda part: part["kind"] == kind)


def _count_part(events: Columns, chosen: np.ndarray) -> int:
    rows = np.flatnonzero(chosen)
    if len(rows) < 2:
        return len(rows)
    job, time = events["job"][rows].astype(np.int64), events["time"][rows]
    instant = np.concatenate(([0], np.cumsum(np.diff(time) != 0.0)))
    key = np.sort(instant * (int(job.max()) + 1) + job)
    return 1 + int(np.count_nonzero(np.diff(key)))


def preemptions(events: Columns) -> int:
    """Count how often a running job was paused with its progress kept."""
    return _count_kind(events, PAUSE)


def migrations(events: Columns) -> int:
    """Count how often a running job moved to other lanes."""
    return _count_kind(events, MIGRATE)


def swaps(events: Columns) -> int:
    """Count how often a job changed its tier on the same lanes."""
    return _count_kind(events, SWAP)


def kills(events: Columns) -> int:
    """Count how often a running job was stopped with its progress lost."""
    return _count_kind(events, KILL)


def background_starts(events: Columns) -> int:
    """Count placements in the background tier."""
    return _count(events, lambda part: _IS_PLACEMENT[part["kind"]] & (part["tier"] == BACKGROUND))


def waste_by_kills(events: Columns) -> float:
    """Return the seconds of dedicated work that kills lost; the `value` of a kill is the lost progress."""
    lost = [part["value"][part["kind"] == KILL] for part in parts(events, "time")]
    return float(np.sum(np.concatenate([np.zeros(0), *lost])))


COUNTS: dict[str, Callable[[Columns], float]] = {
    count.__name__: count for count in (preemptions, migrations, kills, swaps, background_starts, waste_by_kills)
}
"""Metrics that need no more than the events, by name."""


def preempted_memory(jobs: Columns, events: Columns) -> float:
    """Return the memory that preemptions saved to disk, in nodes: all tasks of a job per pause (DFRS, section 6.3)."""
    paused = np.zeros(len(jobs["memory"]), np.int64)
    for part in parts(events, "time"):
        paused += np.bincount(part["job"][part["kind"] == PAUSE], minlength=len(paused))
    return float(np.sum(jobs["memory"] * paused * jobs["processors"]))


def migrated_memory(jobs: Columns) -> float:
    """Return the memory that migrations moved, in nodes: the tasks that changed node (column `moved_tasks`)."""
    return float(np.sum(jobs["memory"] * jobs["moved_tasks"]))
