"""Times at which a log shows that a machine stood (nearly) idle although jobs waited that it could have run.

Derived, since logs do not say when a machine was down. An outage lasts at least SHORTEST; in all of it at most IDLE of
the processors are in use. The jobs that wait through all of it, since before it began, ask for at least DEMAND of the
machine; among them jobs of at least USERS users could have run from start to end within it, by their requested times
(jobs of unknown users count as of one user each). So neither a queue that a policy holds back until the night, nor a
job that waits for another one of its user, makes an outage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shadowtime.engine.metrics.busy import in_use
from shadowtime.engine.tables import Table

SHORTEST = 3600.0
"""Seconds."""
IDLE = 0.05
"""Share of the processors that may be in use: tests of a machine that is being repaired."""
DEMAND = 0.5
"""Share of the processors that the waiting jobs ask for, together."""
USERS = 2


@dataclass(frozen=True)
class Outage:
    """One of them."""

    start: float
    end: float
    jobs: int
    """Jobs that waited through all of it."""
    users: int
    processors: int
    """What these jobs ask for."""


def outages(jobs: Table, processors: int) -> list[Outage]:
    """Return the outages that recorded starts and ends show, by start; none without recorded starts and ends.

    Parameters
    ----------
    jobs
        Jobs of a log: `release`, `recorded_start`, `recorded_end`, `processors`, `requested`, `runtime`, `user`.
    processors
        Size of the machine.
    """
    if "recorded_start" not in jobs or "recorded_end" not in jobs:
        return []
    known = np.isfinite(jobs["recorded_start"]) & np.isfinite(jobs["recorded_end"])
    columns = ("release", "recorded_start", "recorded_end", "processors", "requested", "runtime", "user")
    release, start, end, size, requested, runtime, user = (jobs[name][known] for name in columns)
    need = np.where(np.isnan(requested), runtime, requested)
    user = np.where(user < 0, -1 - np.arange(len(user)), user)  # an unknown user counts as another one for each job
    used = in_use(start, end, size)
    found = []
    for low, high in _idle(used.time, used.value <= IDLE * processors):
        waiting = np.flatnonzero((release <= low) & (start >= high))
        fits = waiting[need[waiting] <= high - low]
        if size[waiting].sum() < DEMAND * processors or len(np.unique(user[fits])) < USERS:
            continue
        users = len(np.unique(user[waiting]))
        found.append(Outage(float(low), float(high), len(waiting), users, int(size[waiting].sum())))
    return found


def _idle(time: np.ndarray, low: np.ndarray) -> list[tuple[float, float]]:
    """Return the intervals between steps, at least SHORTEST long, in which `low` holds all the time."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], low[:-1], [False]]).astype("i1")))
    return [(time[a], time[b]) for a, b in edges.reshape(-1, 2) if time[b] - time[a] >= SHORTEST]
