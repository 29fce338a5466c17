"""What one job went through: wait, flow, stretch, bounded stretch.

Each takes a jobs table of n rows and gives n values, NaN where the job never started or never ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.tables import Table, take

Column = np.ndarray
Columns = Mapping[str, np.ndarray]

TAU = 10.0
"""Floor of the bounded stretch [s] where neither the workload nor the question names another."""


def tau_of(workload: Any) -> float:
    """Return the floor of the bounded stretch [s] that a workload's `machine` names, else TAU."""
    return float(workload.machine.get("tau", TAU))


def ended(jobs: Columns) -> Table:
    """The rows of the jobs that ended: what means, sums and maxima are taken over.

    Jobs without an end are left out of means, and counted apart (`unfinished`, `rejected`).
    """
    return take(jobs, np.isfinite(jobs["end"]))


def wait(jobs: Columns) -> Column:
    """Seconds from release to the first start, in either tier.

    Later pauses are not waiting, and a killed job keeps its first start.
    """
    return jobs["start"] - jobs["release"]


def flow(jobs: Columns) -> Column:
    """Seconds from release to end: turnaround, response, the "delay" of SynchPack and the "job time" of PJS."""
    return jobs["end"] - jobs["release"]


def stretch(jobs: Columns) -> Column:
    """Flow over runtime, no floor (others: slowdown). `runtime` is the time alone, at full rate."""
    return flow(jobs) / jobs["runtime"]


def floored(runtime: Column, tau: float) -> Column:
    """Return runtimes held to at least `tau` [s]: the divisor of the bounded stretch."""
    return np.maximum(runtime, tau)


def bounded_stretch(jobs: Columns, *, tau: float = TAU) -> Column:
    """Stretch of each job, with very short jobs held to at least `tau` (others: bounded slowdown).

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
    n values >= 1, no unit; NaN where the job never ended.

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
