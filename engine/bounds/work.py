"""The fluid relaxation of a workload.

The bounds of rigid, fractional and two-tier workloads all hold for the same, weaker problem. Job j needs
`runtime` seconds at full rate; between its release and its end it may progress at any rate from 0 to 1,
changed at any time, for free, and uses `width x rate` of a machine of `lanes`, whose parts do not matter.
Every schedule that the kernel accepts is one of these: pauses, stalls, migrations, shared lanes, background
progress only lower the rate; work thrown away by a kill only adds work; processes together never use more
CPU than the lanes have. So a bound on the weaker problem is a bound on each of them, whatever the policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.kernel.clock import origin_before

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family


METRICS = (
    "makespan", "total_job_time", "mean_flow", "weighted_flow", "weighted_completion", "mean_bounded_stretch",
    "mean_stretch", "max_flow", "max_bounded_stretch", "max_stretch",
)  # fmt: skip
"""Metrics that `fluid.Fluid` bounds; named here because that module imports compiled code."""


@dataclass(frozen=True, eq=False)
class Work:
    """The jobs that a bound counts, in order of release; arrays of n values."""

    release: np.ndarray
    runtime: np.ndarray
    width: np.ndarray
    """CPU used at full rate, in lanes."""
    weight: np.ndarray
    lanes: float

    def __len__(self) -> int:
        return len(self.release)

    @cached_property
    def area(self) -> np.ndarray:
        """Lane-seconds that each job needs."""
        return self.width * self.runtime

    @cached_property
    def since_origin(self) -> np.ndarray:
        """Releases on the kernel's clock [s], where sums with them round as little as the run's times do."""
        return self.release - origin_before(float(self.release[0])) if len(self) else self.release

    def part(self, rows: slice | np.ndarray) -> Work:
        """Return some of the jobs on the same machine. Its bounds hold for all jobs if the metric is a maximum."""
        return Work(self.release[rows], self.runtime[rows], self.width[rows], self.weight[rows], self.lanes)


def work_of(family: Family, workload: Any, lanes: int, jobs: Any = None) -> Work:
    """Return the fluid work of a workload whose family knows the CPU need of its jobs.

    Parameters
    ----------
    jobs
        Jobs table of a schedule: only its finished jobs count, with the runtimes of that table (a schedule restricted
        to some of its jobs is a schedule of these jobs). None: all jobs of the workload that fit the machine.
    """
    counted_jobs = workload.jobs if jobs is None else jobs
    counted = family.fits(workload, lanes) if jobs is None else np.isfinite(jobs["end"])
    width = family.cpu_need(workload)
    assert width is not None, "families with fluid bounds define cpu_need"
    rows = np.flatnonzero(counted)
    release = counted_jobs["release"][rows]
    if len(rows) and np.any(np.diff(release) < 0.0):
        rows = rows[np.argsort(release, kind="stable")]
    runtime, weight = counted_jobs["runtime"][rows], counted_jobs["weight"][rows]
    return Work(counted_jobs["release"][rows], runtime, width[rows], weight, float(lanes))
