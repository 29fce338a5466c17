"""The family of moldable jobs."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.families.family import Family
from shadowtime.engine.families.moldable import workload as moldable
from shadowtime.engine.families.moldable.conversion import TO_MOLDABLE
from shadowtime.engine.families.moldable.entries import ALGORITHMS
from shadowtime.engine.families.moldable.generator import MOLDABLE
from shadowtime.engine.output.submissions import Unfit
from shadowtime.engine.tables import PROCESSORS, Table
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
    document = staticmethod(moldable.document)
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

        counted = self.fits(workload, lanes) if jobs is None else np.isfinite(jobs["end"])
        return proven.Moldable(workload, lanes, np.flatnonzero(counted)) if counted.any() else None

    def fits(self, workload: Workload, lanes: int) -> np.ndarray:
        """Return which jobs can run: those whose minimum is at most `lanes`."""
        return moldable.minimums(workload) <= lanes

    def unfit(self, workload: Workload, exclusive: bool) -> Unfit:
        return Unfit(PROCESSORS, moldable.minimums(workload))

    def too_wide(self, workload: Workload, lanes: int) -> int:
        return int(np.count_nonzero(~self.fits(workload, lanes)))

    def sizes(self, workload: Workload) -> np.ndarray:
        """Return the largest speed-up of each job, rounded down; perfect up to its minimum."""
        minimum, first = moldable.minimums(workload), workload.parts["first"][:-1]
        slowest = minimum * workload.parts["time"][first + minimum - 1]
        return np.floor(slowest / workload.jobs["runtime"] + 1e-9)


FAMILY = Moldable()
