"""Utilization and underutilization of the machine.

The integral of useful work over a run is the work of its finished jobs: however a schedule stalls, kills and shares,
each job that ends has received exactly its work. So utilization needs no segments.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.jobs import Columns
from shadowtime.engine.tables import RUN, parts, take


def cpu_work(need: np.ndarray, jobs: Columns, done: Columns) -> float:
    """Return the CPU that the finished jobs used [lane-seconds]: `need` of each of `jobs` x runtime of those `done`."""
    return float(np.sum(need[np.isfinite(jobs["end"])] * done["runtime"]))


def mean_utilization(work: float, lanes: int, makespan: float) -> float:
    """Return the useful work per lane and second, from the first release to the last end.

    `work` [lane-seconds] is that of the jobs that ended: `sum n p` for rigid and two-tier jobs (progress), `sum n c p`
    for fractional ones (CPU). The result depends on the last arrival: compare it only on one workload.
    """
    return work / (lanes * makespan)


def held_work(segments: Columns) -> float:
    """Return lanes x seconds x share of all segments of kind run, for families whose scheduler chooses sizes."""
    held = [np.zeros(0)]  # kept whole (8 bytes per rectangle): a sum of partial sums differs in its last bits
    for part in parts(segments, "start"):
        part = take(part, part["kind"] == RUN)
        held.append((part["last"] - part["first"] + 1) * (part["end"] - part["start"]) * part["share"])
    return float(np.sum(np.concatenate(held)))


def work_in_series(series: Columns) -> float:
    """Return the same from the series, for a run without rectangles: the integral of `utilization` [lane-seconds]."""
    return float(np.sum(series["utilization"][:-1] * np.diff(series["time"])))


def parallel_share(jobs: Columns) -> float:
    """Return the share of jobs whose final run was on a cluster; `cluster` is -1 for a job on a machine."""
    return float(np.mean(jobs["cluster"] >= 0))


def underutilization(series: Columns, lanes: int) -> float:
    """Return the lane-seconds that stood idle despite demand: the integral of `min(P, demand) - utilization`.

    `demand` is `sum n c` of released, unfinished jobs; `utilization` is CPU in useful use: stalled CPU counts as idle.
    """
    if len(series["time"]) < 2:
        return 0.0
    idle = np.minimum(float(lanes), series["demand"][:-1]) - series["utilization"][:-1]
    return float(np.sum(idle * np.diff(series["time"])))
