"""Metrics of a run: one number from the jobs that ended.

Each function takes a jobs table with at least one row, whose jobs have all ended (`engine.metrics.jobs.ended`).
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.jobs import TAU, Columns, bounded_stretch, flow, stretch, wait


def of_jobs(jobs: Columns, tau: float = TAU) -> dict[str, float]:
    """Return the metrics of waits, flows and stretches by name; `metrics.registry` says what they measure."""
    waits, flows, stretches, bounded = wait(jobs), flow(jobs), stretch(jobs), bounded_stretch(jobs, tau=tau)
    return {
        "makespan": makespan(jobs),
        "weighted_completion": weighted_completion(jobs),
        "weighted_flow": float(np.sum(jobs["weight"] * flows)),
        "total_job_time": float(np.sum(flows)),
        "mean_wait": float(np.mean(waits)),
        "max_wait": float(waits.max()),
        "mean_flow": float(np.mean(flows)),
        "max_flow": float(flows.max()),
        "mean_stretch": float(np.mean(stretches)),
        "max_stretch": float(stretches.max()),
        "mean_bounded_stretch": float(np.mean(bounded)),
        "max_bounded_stretch": float(bounded.max()),
        "jain_index": jain_index(jobs),
    }


def makespan(jobs: Columns) -> float:
    """Return the seconds from the first release to the last end; `max C` if all jobs are released at 0."""
    return float(jobs["end"].max() - jobs["release"].min())


def weighted_completion(jobs: Columns) -> float:
    """Return the sum of weight x end [s], where ends count from second 0 of the workload (DEMT, SynchPack)."""
    return float(np.sum(jobs["weight"] * jobs["end"]))


def jain_index(jobs: Columns) -> float:
    """Return `(sum S)^2 / (N sum S^2)` of the N stretches, in (0, 1]; 1 if all stretches are equal.

    Jobs without an end are left out.
    """
    values = stretch(jobs)
    values = values[np.isfinite(values)]
    return float(np.sum(values)) ** 2 / (len(values) * float(np.sum(values * values)))


def degradation_from_bound(max_bounded_stretch: float, bound: float) -> float:
    """Return the largest bounded stretch over its proven lower bound `S*` for this instance."""
    return max_bounded_stretch / bound
