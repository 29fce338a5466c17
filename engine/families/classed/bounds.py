"""What the fluid relaxation sees of jobs whose time depends on the machine or cluster.

Take as runtime of job j the least time that it takes anywhere, `p = min T`, and as its area the fewest machine-seconds,
`a = min (machines x T)`; width `a / p`. On a resource of k machines where it takes T it progresses at the rate
`p / T <= 1` and holds k machines, while the relaxation charges `a / p x p / T = a / T <= k`. So each schedule is one
of the relaxation, in which machines are alike, and its bounds hold. Machines that are away only take capacity, stopped
work only adds work. Stretches are measured against the best machine and not against `p`: they have no bound here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.bounds.work import Work
from shadowtime.engine.families.classed.workload import least_times

METRICS = ("makespan", "weighted_completion", "weighted_flow", "total_job_time", "mean_flow", "max_flow")


def work_of(workload: Any, jobs: Any = None) -> Work:
    """The fluid work of a classed workload: all jobs that something can run, or, with `jobs`, those that ended."""
    site, asked = workload.site, workload.jobs
    allowed = workload.parts["allowed"].reshape(len(workload), -1) if workload.parts else None
    size = np.array([len(site.machines_of(resource)) for resource in range(site.resources)])
    least = least_times(site, asked["job_class"], asked["deviate"], allowed)
    area = least_times(site, asked["job_class"], asked["deviate"], allowed, size=size)
    rows = np.flatnonzero(np.isfinite(least) if jobs is None else np.isfinite(jobs["end"]))
    least, area = least[rows], area[rows]
    return Work(asked["release"][rows], least, area / least, asked["weight"][rows], float(len(site.machines)))
