"""The units of one run, which the kernel places, and their conversion to tables of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shadowtime.engine.output.series import Areas, Curve
from shadowtime.engine.tables import FINISHED, REJECTED, UNFINISHED, Table
from shadowtime.engine.workload.job import RECORDED, Workload

OF_THE_LOG = ("memory_kb", *RECORDED)
"""Columns of a workload that the jobs table of a run does not repeat."""

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family


class Units:
    """One unit per job. A family whose jobs have several units has its own class.

    Parameters
    ----------
    exclusive
        Whether a lane holds one process of a tier; otherwise lanes hold shares.
    actual
        Whether the scheduler sees true runtimes as estimates.
    killed
        Whether a job is ended at its requested time.
    """

    def __init__(
        self,
        family: Family,
        workload: Workload,
        lanes: int,
        *,
        exclusive: bool,
        actual: bool = False,
        killed: bool = False,
    ):
        self.family, self.workload, self.lanes, self.exclusive = family, workload, lanes, exclusive
        self._actual, self._killed = actual, killed
        self.size, self.too_large = family.lanes_of_jobs(workload, lanes, exclusive)
        """Number of lanes that each job holds, and which jobs can never run; n values each."""
        self.unfit = family.unfit(workload, exclusive)
        """Reason for the rejection of these jobs."""
        self.job = np.arange(len(workload))
        """Row of each unit's job."""

    def __len__(self) -> int:
        return len(self.job)

    @property
    def rejected(self) -> np.ndarray:
        """Units that can never run."""
        return self.too_large[self.job]

    def columns(self) -> Table:
        """Return the columns of the kernel's units that come from the workload, one value per unit."""
        jobs = self.workload.jobs
        runtime = jobs["runtime"]
        requested = np.where(np.isnan(jobs["requested"]), runtime, jobs["requested"])
        if self._killed:
            runtime = np.minimum(runtime, requested)
        return {
            "release": jobs["release"],
            "runtime": runtime,
            "remaining": runtime,
            "estimate": runtime if self._actual else requested,
            "procs": self.size,
            "need": jobs.get("cpu_need", np.ones(len(runtime))),
            "memory": jobs.get("memory", np.zeros(len(runtime))),
        }

    def segments(self, segments: Table) -> Table:
        """Return the rectangles of units as rectangles of jobs."""
        return segments

    def events(self, events: Table) -> Table:
        """Return the events of units as events of jobs."""
        return events

    def done(self, unfinished: int) -> int:
        """Count the jobs that ended or were rejected; `unfinished` is the kernel's count of units."""
        return len(self.workload) - unfinished

    def jobs(self, view: Table) -> Table:
        """Return the jobs table: the workload's columns, the results of the run, and the scheduler's estimates.

        Parameters
        ----------
        view
            The kernel's units at the end of the run.
        """
        from shadowtime.engine.kernel.state import DONE
        from shadowtime.engine.kernel.state import REJECTED as REJECTED_UNIT

        given = self.workload.jobs
        state = np.asarray(view["state"])
        ran = {name: np.asarray(view[name], dtype="f8").copy() for name in ("start", "end", "runtime", "estimate")}
        codes = np.full(len(state), UNFINISHED, np.uint8)
        codes[state == DONE] = FINISHED
        codes[state == REJECTED_UNIT] = REJECTED
        jobs: Table = {
            "job_id": given["job_id"],
            "release": given["release"],
            "start": ran["start"],
            "end": ran["end"],
            "processors": given["processors"],
            "runtime": ran["runtime"],
            "requested": given["requested"],
            "weight": given["weight"],
            "user": given["user"],
            "state": codes,
            "estimate": ran["estimate"],
        }
        jobs |= self.family.columns_before(view)
        jobs |= {name: column for name, column in given.items() if name not in jobs and name not in OF_THE_LOG}
        return jobs | self.family.columns_after(self.workload, view)

    def curve(self, jobs: Table, *, keeps_rates: bool) -> Curve:
        """Return the curve that accumulates the step functions of the run.

        Parameters
        ----------
        jobs
            The jobs table; before the end of the run, the columns of the workload.
        keeps_rates
            Whether the run records changes of rates.
        """
        return Areas(jobs, exclusive=self.exclusive)
