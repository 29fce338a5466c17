"""The family of moldable jobs."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.family import Family
from shadowtime.engine.families.moldable import workload as moldable
from shadowtime.engine.families.moldable.conversion import TO_MOLDABLE
from shadowtime.engine.families.moldable.entries import ALGORITHMS
from shadowtime.engine.families.moldable.generator import MOLDABLE
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload


class Moldable(Family):
    """Jobs whose number of processors the scheduler chooses, once, at the start."""

    name = "moldable"
    title = "Moldable"
    summary = "The scheduler chooses how many processors a job gets."
    algorithms = ALGORITHMS
    generators = (MOLDABLE,)
    conversions = (TO_MOLDABLE,)
    readers = {moldable.SCHEMA: moldable.read}
    size_histogram = ("by largest speed-up", "time", "as fast")
    is_sized = False
    size_is_stated = False
    has_curves = True
    is_weighted = True
    is_planned = True
    objective = "weighted_completion"
    metrics = ("preemptions",)
    bounded = ("makespan", "weighted_completion", "weighted_flow", "total_job_time", "mean_flow")

    def bounds(self, workload: Workload, lanes: int, tau: float, jobs: Table | None, **_: Any) -> Any:
        from shadowtime.engine.families.moldable import bounds as proven  # with numba

        counted = np.ones(len(workload), bool) if jobs is None else np.isfinite(jobs["end"])
        return proven.Moldable(workload, lanes, np.flatnonzero(counted)) if counted.any() else None

    def sizes(self, workload: Workload) -> np.ndarray:
        """Return the largest speed-up of each job, rounded down."""
        return np.floor(workload.parts["time"][workload.parts["first"][:-1]] / workload.jobs["runtime"] + 1e-9)

    def document(self, workload: Workload) -> dict[str, Any]:
        return moldable.document(workload)


FAMILY = Moldable()
