"""Metrics of a run: one number from the jobs that ended.

Each function takes a jobs table with at least one row, whose jobs have all ended (`engine.metrics.jobs.ended`).
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.jobs import TAU, Columns, bounded_stretch, flow, stretch, wait


def makespan(jobs: Columns) -> float:
    """Return the seconds from the first release to the last end; `max C` if all jobs are released at 0."""
    return float(jobs["end"].max() - jobs["release"].min())


def weighted_completion(jobs: Columns) -> float:
    """Return the sum of weight x end [s], where ends count from second 0 of the workload (DEMT, SynchPack)."""
    return float(np.sum(jobs["weight"] * jobs["end"]))


def weighted_flow(jobs: Columns) -> float:
    """Return the sum of weight x flow [s]."""
    return float(np.sum(jobs["weight"] * flow(jobs)))


def total_job_time(jobs: Columns) -> float:
    """Return the sum of flows [s], the objective of PJS."""
    return float(np.sum(flow(jobs)))


def mean_wait(jobs: Columns) -> float:
    """Return the mean seconds from release to first start."""
    return float(np.mean(wait(jobs)))


def max_wait(jobs: Columns) -> float:
    """Return the longest wait for a first start [s]."""
    return float(wait(jobs).max())


def mean_flow(jobs: Columns) -> float:
    """Return the mean seconds from release to end (MEASY: mean response)."""
    return float(np.mean(flow(jobs)))


def max_flow(jobs: Columns) -> float:
    """Return the longest time from release to end [s]."""
    return float(flow(jobs).max())


def mean_stretch(jobs: Columns) -> float:
    """Return the mean of flow over runtime; a few very short jobs can dominate it."""
    return float(np.mean(stretch(jobs)))


def max_stretch(jobs: Columns) -> float:
    """Return the largest flow over runtime."""
    return float(stretch(jobs).max())


def mean_bounded_stretch(jobs: Columns, *, tau: float = TAU) -> float:
    """Return the mean bounded stretch, an objective of MEASY beside mean flow."""
    return float(np.mean(bounded_stretch(jobs, tau=tau)))


def max_bounded_stretch(jobs: Columns, *, tau: float = TAU) -> float:
    """Return the largest bounded stretch, the objective of DFRS."""
    return float(bounded_stretch(jobs, tau=tau).max())


def degradation_from_bound(max_bounded_stretch: float, bound: float) -> float:
    """Return the largest bounded stretch over its proven lower bound `S*` for this instance."""
    return max_bounded_stretch / bound
