"""Fairness: Jain's index of stretches, and the share of jobs that a baseline schedule ends earlier."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.jobs import Columns, stretch


def jain_index(jobs: Columns) -> float:
    """Return `(sum S)^2 / (N sum S^2)` of the N stretches, in (0, 1]; 1 if all stretches are equal.

    Jobs without an end are left out.
    """
    values = stretch(jobs)
    values = values[np.isfinite(values)]
    return float(np.sum(values)) ** 2 / (len(values) * float(np.sum(values * values)))


def share_delayed(jobs: Columns, baseline: Columns, *, tolerance: float = 1e-6) -> float:
    """Return the share of jobs that end later than under `baseline`, by more than `tolerance` seconds.

    With FCFS as the baseline this is the share of jobs that backfilling delays. Both tables hold the same jobs in
    the same order; a job without an end in either is left out.

    Raises
    ------
    ValueError
        If the tables hold different jobs.
    """
    if not np.array_equal(jobs["job_id"], baseline["job_id"]):
        raise ValueError("share_delayed compares two schedules of the same jobs, in the same order")
    later = jobs["end"] - baseline["end"]
    later = later[np.isfinite(later)]
    return float(np.mean(later > tolerance)) if len(later) else float("nan")
