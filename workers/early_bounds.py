"""Compute the bounds of a run in a thread while its jobs are simulated, where all of them will probably end."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from shadowtime.engine.bounds.registry import Bounds, lower_bounds
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.job import Workload

FEWEST, MOST = 20_000, 2_000_000
"""Jobs of a workload for which it pays: below, a thread costs as much as it saves; above, memory counts more."""
COUNTED = ("release", "runtime", "weight")
"""Columns of jobs, beside their CPU need, that the fluid bounds count."""


class EarlyBounds:
    """The bounds of all jobs that fit; called like `lower_bounds`, it returns them for a schedule in which those and no
    others have ended, with the same times and weights. For any other schedule it computes them again."""

    def __init__(self, workload: Workload, platform: Platform, tau: float, *, migrates: bool):
        self._found: Future[Bounds] | None = None
        if FEWEST <= len(workload) <= MOST and _is_fluid(workload) and (os.cpu_count() or 1) > 1:
            pool = ThreadPoolExecutor(1, "bounds")
            self._found = pool.submit(lower_bounds, workload, platform, tau, migrates=migrates)
            pool.shutdown(wait=False)

    def __call__(self, workload: Workload, platform: Platform, tau: float, *, jobs: Any, migrates: bool) -> Bounds:
        """Return the bounds of the finished jobs of a schedule of the same workload on the same platform."""
        if self._found is not None and _all_ended(workload, platform, jobs):
            return self._found.result()
        return lower_bounds(workload, platform, tau, jobs=jobs, migrates=migrates)


def _is_fluid(workload: Workload) -> bool:
    """Return whether the bounds of a workload are those of `engine.bounds.fluid`, which take less than a second."""
    return find_family(workload.kind).cpu_need(workload) is not None


def _all_ended(workload: Workload, platform: Platform, jobs: Any) -> bool:
    fits = find_family(workload.kind).fits(workload, platform.lanes)
    same = all(np.array_equal(jobs[name], workload.jobs[name]) for name in COUNTED)
    return same and np.array_equal(np.isfinite(jobs["end"]), fits)
