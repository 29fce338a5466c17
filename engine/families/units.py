"""The units of one run: what the kernel places, and the tables of jobs that come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shadowtime.engine.output.series import Areas, Curve
from shadowtime.engine.tables import FINISHED, REJECTED, UNFINISHED, Table
from shadowtime.engine.workload.job import Workload

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family


class Units:
    """A unit a job. A family whose jobs are of several units has a class of its own.

    Parameters
    ----------
    exclusive
        Whether a lane holds one process of a tier; otherwise lanes hold shares.
    actual
        Whether the scheduler sees true runtimes as estimates.
    killed
        Whether a job ends at the time that it requested.
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
        """Lanes that each job holds, n values, and which jobs can never run."""
        self.unfit = family.unfit(workload, exclusive)
        """Why those are rejected."""
        self.job = np.arange(len(workload))
        """Row of each unit's job."""

    def __len__(self) -> int:
        return len(self.job)

    @property
    def rejected(self) -> np.ndarray:
        """Units that can never run."""
        return self.too_large[self.job]

    def columns(self) -> Table:
        """The columns of the kernel's units that the workload decides, one value a unit."""
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
        """The jobs table: the workload's columns, what happened, and the estimate that the scheduler saw.

        Parameters
        ----------
        view
            The kernel's units at the end of the run.
        """
        from shadowtime.engine.kernel.state import DONE
        from shadowtime.engine.kernel.state import REJECTED as REJECTED_UNIT

        asked = self.workload.jobs
        state = np.asarray(view["state"])
        happened = {name: np.asarray(view[name], dtype="f8").copy() for name in ("start", "end", "runtime", "estimate")}
        codes = np.full(len(state), UNFINISHED, np.uint8)
        codes[state == DONE] = FINISHED
        codes[state == REJECTED_UNIT] = REJECTED
        jobs: Table = {
            "job_id": asked["job_id"],
            "release": asked["release"],
            "start": happened["start"],
            "end": happened["end"],
            "processors": asked["processors"],
            "runtime": happened["runtime"],
            "requested": asked["requested"],
            "weight": asked["weight"],
            "user": asked["user"],
            "state": codes,
            "estimate": happened["estimate"],
        }
        jobs |= self.family.columns_before(view)
        jobs |= {name: column for name, column in asked.items() if name not in jobs and name != "memory_kb"}
        return jobs | self.family.columns_after(self.workload, view)

    def curve(self, jobs: Table, *, keeps_rates: bool) -> Curve:
        """The step functions of the run, in the making.

        Parameters
        ----------
        jobs
            The jobs table, or (before the end) the columns of the workload.
        keeps_rates
            Whether the run keeps changes of rates.
        """
        return Areas(jobs, exclusive=self.exclusive)
