"""Metrics of single jobs: wait, flow, stretch, bounded stretch.

Each function takes a jobs table of n rows and returns n values, NaN for a job that never started or never ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.tables import Table, take

Column = np.ndarray
Columns = Mapping[str, np.ndarray]

TAU = 10.0
"""Default floor of the bounded stretch [s]."""


def tau_of(workload: Any) -> float:
    """Return the floor of the bounded stretch [s] that a workload states in `machine`, else TAU."""
    return float(workload.machine.get("tau", TAU))


def ended(jobs: Columns) -> Table:
    """Return the rows of the jobs that ended; means, sums and maxima are taken over them.

    Jobs without an end are counted separately (`unfinished`, `rejected`).
    """
    return take(jobs, np.isfinite(jobs["end"]))


def wait(jobs: Columns) -> Column:
    """Return the seconds from release to the first start, in either tier.

    Later pauses do not count, and a killed job keeps its first start.
    """
    return jobs["start"] - jobs["release"]


def flow(jobs: Columns) -> Column:
    """Return the seconds from release to end: turnaround, response, the "delay" of SynchPack, the "job time" of PJS."""
    return jobs["end"] - jobs["release"]


def stretch(jobs: Columns) -> Column:
    """Return flow over runtime, without a floor (also called slowdown); `runtime` is the time at full rate."""
    return flow(jobs) / jobs["runtime"]


def floored(runtime: Column, tau: float) -> Column:
    """Return `max(runtime, tau)` [s], the divisor of the bounded stretch."""
    return np.maximum(runtime, tau)


def bounded_stretch(jobs: Columns, *, tau: float = TAU) -> Column:
    """Return the stretch of each job with runtimes below `tau` counted as `tau` (also called bounded slowdown).

    Without the floor, a one-second job that waited a minute outweighs the whole trace. The form
    `max(F, tau) / max(p, tau)` of the fractional paper is the same number, because `F >= p`.

    Parameters
    ----------
    jobs
        Jobs table, n rows; uses `release`, `end`, `runtime` [s].
    tau
        Floor on the runtime [s], >= 0. At 0 this is the stretch.

    Returns
    -------
    n values >= 1, no unit; NaN for a job that never ended.

    Raises
    ------
    ValueError
        If `tau` is negative or not a number.

    References
    ----------
    D. Feitelson, Metrics for parallel job scheduling and their convergence, JSSPP 2001.
    """
    if not tau >= 0.0:
        raise ValueError(f"tau = {tau}, but it must be 0 or more seconds")
    return np.maximum(1.0, flow(jobs) / floored(jobs["runtime"], tau))


def cumulative(values: np.ndarray, *, points: int = 512) -> tuple[np.ndarray, np.ndarray]:
    """Return the empirical distribution function: rising values and the share of all values at or below each.

    The result is thinned to at most `points` pairs at equal steps of the share, keeping both ends; NaN is left out.
    """
    values = np.sort(values[np.isfinite(values)])
    n = len(values)
    rank = np.unique(np.linspace(0, n - 1, min(n, points)).round().astype(np.int64))
    return values[rank], (rank + 1) / max(n, 1)
