"""The CPU that each job of a workload uses while it runs at full rate."""

from __future__ import annotations

from typing import Any

import numpy as np


def cpu_need(workload: Any) -> np.ndarray | None:
    """Lanes' worth of CPU of each job at full rate, n values; None where the scheduler chooses it.

    Rigid jobs use their processors whole, fractional ones `cpu_need` per task, two-tier ones the usage of
    each process. Counting the processors of two-tier jobs would be wrong in any bound: two jobs share one.
    """
    jobs = workload.jobs
    if workload.kind == "rigid":
        return jobs["processors"].astype(float)
    if workload.kind == "fractional":
        return jobs["processors"] * jobs["cpu_need"]
    if workload.kind == "two_tier":
        usage = workload.parts["usage"]
        first = np.concatenate(([0], np.cumsum(jobs["processors"])[:-1])).astype(np.int64)
        return np.add.reduceat(usage, first) if len(first) else np.zeros(0)
    return None
