"""What the record of a log shows of its site: hours closed to long requests, queues by their waits, down time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.fidelity.loop import HOUR, NEVER
from shadowtime.engine.fidelity.split import Part
from shadowtime.engine.metrics.outages import Outage, outages
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.local_time import hours, local, weekdays

REQUESTS = tuple(hour * HOUR for hour in (48, 36, 24, 18, 15, 12, 8, 6, 4, 2, 1, 0.5))
"""Longest requests that an hour may admit [s]."""
WAITED = 60.0
"""Seconds after which a start is taken as one that the site chose."""
EXPECTED = 6.0
"""Starts that an hour of the week must be expected to have, for their absence to mean something."""
LEAST_IN_QUEUE = 50
WEEK = 168


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the fitted half of a log shows, and the down time of all of it."""

    open_hours: Sequence[np.ndarray]
    """Longest request that may start in each hour of the week [s], one array for each of `fit.CLOSED`."""
    queue: np.ndarray
    """Rank of each job's queue by its mean wait, 0 (shortest) to -1; 0 for jobs of rare queues."""
    stops: Sequence[Outage]


def request(log: Workload) -> np.ndarray:
    """Return the requested times; the run time where a job has none, and 1 s at least."""
    jobs = log.jobs
    return np.maximum(1.0, np.where(np.isnan(jobs["requested"]), jobs["runtime"], jobs["requested"]))


def hours_of_week(log: Workload, seconds: np.ndarray) -> np.ndarray:
    """Return the hour of the week of instants, Monday 0:00 as 0."""
    wall = local(seconds, log.clock)
    return weekdays(wall) * 24 + hours(wall)


def open_hours(log: Workload, part: Part, share: float) -> np.ndarray:
    """Return the longest request that the site started in each hour of the week [s]; NEVER: any.

    An hour admits requests up to R if jobs that request more start in it at less than `share` of their mean rate over
    the week, where EXPECTED or more would be expected. Counted are starts, before the end of the part, of its jobs
    that waited for WAITED.
    """
    found = np.full(WEEK, NEVER)
    if share <= 0.0 or log.clock is None:
        return found
    rows = slice(part.counted, part.end)
    start, release = log.jobs["recorded_start"][rows], log.jobs["release"][rows]
    chosen = (start - release > WAITED) & (start <= release[-1])
    hour, asked = hours_of_week(log, start[chosen]), request(log)[rows][chosen]
    for limit in REQUESTS:
        longer = np.bincount(hour[asked > limit], minlength=WEEK)
        expected = longer.sum() / WEEK
        if expected >= EXPECTED:
            found[longer < share * expected] = limit
    return found


def queue_ranks(log: Workload, part: Part) -> np.ndarray:
    """Return the rank of each job's queue, by the mean wait of its jobs in a part: 0 the shortest, -1 the longest."""
    found = np.zeros(len(log))
    queue = log.jobs.get("partition")
    if queue is None:
        return found
    rows = slice(part.counted, part.end)
    wait = log.jobs["recorded_start"][rows] - log.jobs["release"][rows]
    names, code = np.unique(queue[rows], return_inverse=True)
    many = np.bincount(code)
    mean = np.bincount(code, wait) / many
    often = np.flatnonzero(many >= LEAST_IN_QUEUE)
    order = often[np.argsort(mean[often], kind="stable")]
    for place, at in enumerate(order.tolist()):
        found[queue == names[at]] = -place / max(1, len(order) - 1)
    return found


def evidence(log: Workload, part: Part, lanes: int, shares: Sequence[float]) -> Evidence:
    """Return what a part of a log shows."""
    return Evidence(
        [open_hours(log, part, share) for share in shares], queue_ranks(log, part), outages(log.jobs, lanes)
    )


def ceilings(log: Workload, week: np.ndarray, stops: Sequence[Outage], begin: float, end: float) -> np.ndarray:
    """Return the longest request that may start in each hour from `begin` to `end`; 0 in hours of an outage."""
    many = int((end - begin) // HOUR) + 2
    found = week[hours_of_week(log, begin + HOUR * (np.arange(many) + 0.5))]
    for one in stops:
        low, high = int(np.ceil((one.start - begin) / HOUR)), int((one.end - begin) // HOUR)
        found[max(0, low) : max(0, high)] = 0.0
    return found
