"""How often a schedule changed its mind: preemptions, migrations, swaps, kills, and what kills threw away."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.jobs import Columns
from shadowtime.engine.tables import EVENT_KINDS, KILL, MIGRATE, PAUSE, RESUME, START, SWAP

BACKGROUND = 1

_IS_PLACEMENT = np.isin(np.arange(len(EVENT_KINDS)), (START, RESUME, MIGRATE, SWAP))


def _count(events: Columns, chosen: np.ndarray) -> int:
    """Chosen events, one per job and instant however many tasks it moved; events are in order of time."""
    rows = np.flatnonzero(chosen)
    if len(rows) < 2:
        return len(rows)
    job, time = events["job"][rows].astype(np.int64), events["time"][rows]
    instant = np.concatenate(([0], np.cumsum(np.diff(time) != 0.0)))
    key = np.sort(instant * (int(job.max()) + 1) + job)
    return 1 + int(np.count_nonzero(np.diff(key)))


def preemptions(events: Columns) -> int:
    """Times that a running job was paused with its progress kept."""
    return _count(events, events["kind"] == PAUSE)


def migrations(events: Columns) -> int:
    """Times that a running job went on elsewhere."""
    return _count(events, events["kind"] == MIGRATE)


def swaps(events: Columns) -> int:
    """Times that a job changed tier where it was."""
    return _count(events, events["kind"] == SWAP)


def kills(events: Columns) -> int:
    """Times that a running job was taken off with its progress lost."""
    return _count(events, events["kind"] == KILL)


def background_starts(events: Columns) -> int:
    """Placements in the background tier."""
    return _count(events, _IS_PLACEMENT[events["kind"]] & (events["tier"] == BACKGROUND))


def waste_by_kills(events: Columns) -> float:
    """Seconds of dedicated work that kills threw away; a kill's `value` is the progress it lost."""
    return float(np.sum(events["value"][events["kind"] == KILL]))


def preempted_memory(jobs: Columns, events: Columns) -> float:
    """Node memories [1] that preemptions saved: all tasks of a job, each time it was paused (DFRS, section 6.3)."""
    paused = np.bincount(events["job"][events["kind"] == PAUSE], minlength=len(jobs["memory"]))
    return float(np.sum(jobs["memory"] * paused * jobs["processors"]))


def migrated_memory(jobs: Columns) -> float:
    """Node memories [1] that migrations carried: the tasks that changed node (column `moved_tasks`)."""
    return float(np.sum(jobs["memory"] * jobs["moved_tasks"]))
