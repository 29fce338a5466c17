"""The fluid relaxation of jobs whose time depends on the machine or cluster.

Let the runtime of job j be its least time on any resource, `p = min T`, and its area the fewest machine-seconds,
`a = min (machines x T)`; its width is `a / p`. On a resource of k machines with time T it progresses at the rate
`p / T <= 1` and holds k machines, while the relaxation uses `a / p x p / T = a / T <= k`. So each schedule is one
of the relaxation, in which machines are equal, and its bounds hold. Machine outages only reduce capacity, stopped runs
only add work. Stretches refer to the best machine, not to `p`, so they have no bound here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.bounds.work import Work
from shadowtime.engine.families.classed.workload import least_times

METRICS = ("makespan", "weighted_completion", "weighted_flow", "total_job_time", "mean_flow", "max_flow")


def work_of(workload: Any, jobs: Any = None) -> Work:
    """Return the fluid work of a classed workload: all jobs that can run, or the finished ones of `jobs`."""
    site, given = workload.site, workload.jobs
    allowed = workload.parts["allowed"].reshape(len(workload), -1) if workload.parts else None
    size = np.array([len(site.machines_of(resource)) for resource in range(site.resources)])
    least = least_times(site, given["job_class"], given["deviate"], allowed)
    area = least_times(site, given["job_class"], given["deviate"], allowed, size=size)
    rows = np.flatnonzero(np.isfinite(least) if jobs is None else np.isfinite(jobs["end"]))
    least, area = least[rows], area[rows]
    return Work(given["release"][rows], least, area / least, given["weight"][rows], float(len(site.machines)))
