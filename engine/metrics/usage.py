"""How much of the machine did useful work: utilization and underutilization.

The integral of useful use over a run is the work of its finished jobs: a schedule may stall, kill and
share as it likes, each job that ends has received exactly its work. So these need no segments.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.jobs import Columns
from shadowtime.engine.tables import RUN, parts, take


def processor_work(jobs: Columns) -> np.ndarray:
    """Processors x runtime of each job [s]: progress per second, summed over processes and time."""
    return jobs["processors"] * jobs["runtime"]


def mean_utilization(work: float, lanes: int, makespan: float) -> float:
    """Useful work per lane and second, from the first release to the last end.

    `work` is `sum n p` for rigid and two-tier jobs (progress), `sum n c p` for fractional ones (CPU), of the
    jobs that ended. It depends on the last arrival: compare it only on one workload.
    """
    return work / (lanes * makespan)


def held_work(segments: Columns) -> float:
    """Lanes x seconds x share of all segments of kind run: for families that choose how much a job takes."""
    held = [np.zeros(0)]  # 8 bytes a rectangle, since the sum of sums is another in its last bits
    for part in parts(segments, "start"):
        part = take(part, part["kind"] == RUN)
        held.append((part["last"] - part["first"] + 1) * (part["end"] - part["start"]) * part["share"])
    return float(np.sum(np.concatenate(held)))


def work_in_series(series: Columns) -> float:
    """The same from the series, where a run kept no rectangles: the integral of `utilization`."""
    return float(np.sum(series["utilization"][:-1] * np.diff(series["time"])))


def parallel_share(jobs: Columns) -> float:
    """Share of jobs whose final run was on a cluster; `cluster` is -1 for a job on a machine."""
    return float(np.mean(jobs["cluster"] >= 0))


def underutilization(series: Columns, lanes: int) -> float:
    """Lane-seconds that stood idle although wanted: the integral of `min(P, demand) - utilization`.

    `demand` is `sum n c` of released, unfinished jobs, `utilization` CPU in useful use: stalled CPU counts as idle.
    """
    if len(series["time"]) < 2:
        return 0.0
    idle = np.minimum(float(lanes), series["demand"][:-1]) - series["utilization"][:-1]
    return float(np.sum(idle * np.diff(series["time"])))
