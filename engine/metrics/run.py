"""What a whole run comes to: one number from the jobs that ended.

Each takes a jobs table whose rows have all ended (`engine.metrics.ended`), with at least one row.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.jobs import TAU, Columns, bounded_stretch, flow, stretch, wait


def makespan(jobs: Columns) -> float:
    """Seconds from the first release to the last end; `max C` where all is released at 0. PJS does not use it."""
    return float(jobs["end"].max() - jobs["release"].min())


def weighted_completion(jobs: Columns) -> float:
    """Sum of weight x end, counted from second 0 of the workload, whatever the releases (DEMT, SynchPack)."""
    return float(np.sum(jobs["weight"] * jobs["end"]))


def weighted_flow(jobs: Columns) -> float:
    """Sum of weight x flow."""
    return float(np.sum(jobs["weight"] * flow(jobs)))


def total_job_time(jobs: Columns) -> float:
    """Sum of flows, the objective of PJS."""
    return float(np.sum(flow(jobs)))


def mean_wait(jobs: Columns) -> float:
    """Mean seconds from release to first start."""
    return float(np.mean(wait(jobs)))


def max_wait(jobs: Columns) -> float:
    """Longest wait for a first start."""
    return float(wait(jobs).max())


def mean_flow(jobs: Columns) -> float:
    """Mean seconds from release to end (MEASY: mean response)."""
    return float(np.mean(flow(jobs)))


def max_flow(jobs: Columns) -> float:
    """Longest time from release to end."""
    return float(flow(jobs).max())


def mean_stretch(jobs: Columns) -> float:
    """Mean of flow over runtime; a few very short jobs can decide it."""
    return float(np.mean(stretch(jobs)))


def max_stretch(jobs: Columns) -> float:
    """Largest flow over runtime."""
    return float(stretch(jobs).max())


def mean_bounded_stretch(jobs: Columns, *, tau: float = TAU) -> float:
    """Mean bounded stretch, the objective of MEASY beside mean flow."""
    return float(np.mean(bounded_stretch(jobs, tau=tau)))


def max_bounded_stretch(jobs: Columns, *, tau: float = TAU) -> float:
    """Largest bounded stretch, the objective of DFRS and the first of the three fairness measures."""
    return float(bounded_stretch(jobs, tau=tau).max())


def degradation_from_bound(max_bounded_stretch: float, bound: float) -> float:
    """How many times the largest bounded stretch exceeds its proven lower bound `S*` of this instance."""
    return max_bounded_stretch / bound
