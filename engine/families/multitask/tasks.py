"""Map the units of a multitask run, which are tasks, to jobs.

Segments get the column `task`. Events are those of jobs: a job starts with its first task and ends with its last one;
a pause, resumption or migration is written once per job and instant, whatever the number of its tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shadowtime.engine.families.multitask.workload import least_times, unfit_tasks
from shadowtime.engine.families.units import Units
from shadowtime.engine.output.series import Curve, PackedAreas
from shadowtime.engine.output.submissions import Unfit
from shadowtime.engine.tables import END, EVENTS, FINISHED, JOBS, REJECTED, START, TASKS, UNFINISHED, Table, take
from shadowtime.engine.workload.job import Workload

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family

TASK = np.dtype("i4")


class Tasks(Units):
    """The units of a multitask run: one a task."""

    def __init__(self, family: Family, workload: Workload, lanes: int, **options: bool):
        super().__init__(family, workload, lanes, **options)
        parts = workload.parts
        unfit = unfit_tasks(workload)
        self.too_large, self.unfit = unfit > 0, Unfit(TASKS, unfit)
        self.job = np.repeat(np.arange(len(workload)), np.diff(parts["first"]))
        self.position = parts["task"].astype(TASK)
        """Position in the file of each unit's task."""
        _, self._fastest = least_times(parts)
        self._left = np.diff(parts["first"]).copy()
        self._started = np.zeros(len(workload), bool)
        self._done = int(self.too_large.sum())

    def columns(self) -> Table:
        """Return the columns of the kernel's units; the work of a task is its time on its fastest machine [s]."""
        release = self.workload.jobs["release"][self.job]
        times = dict.fromkeys(("runtime", "remaining", "estimate"), self._fastest)
        return {"release": release, **times, **dict.fromkeys(("procs", "need"), np.ones(len(self.job)))}

    def done(self, unfinished: int) -> int:
        """Return the number of jobs whose tasks have all ended, plus the rejected ones."""
        return self._done

    def segments(self, segments: Table) -> Table:
        """Return the rectangles of units as rectangles of jobs, with a column `task`."""
        unit = segments["job"]
        return {**segments, "job": self.job[unit].astype(unit.dtype), "task": self.position[unit]}

    def events(self, events: Table) -> Table:
        """Return the events of units as events of jobs; `other` of an end is the task that ended last."""
        unit, kind = events["job"], events["kind"]
        job = np.where(unit >= 0, self.job[unit], -1)
        starts, ends = np.flatnonzero(kind == START), np.flatnonzero(kind == END)
        rest = np.flatnonzero((kind != START) & (kind != END))
        columns = job[rest], kind[rest], events["time"][rest]
        order, fresh = np.lexsort(columns), np.ones(len(rest), bool)
        fresh[1:] = np.any([column[order][1:] != column[order][:-1] for column in columns], axis=0)
        starts = starts[np.unique(job[starts], return_index=True)[1]]
        starts = starts[~self._started[job[starts]]]
        self._started[job[starts]] = True
        np.subtract.at(self._left, job[ends], 1)
        ends = ends[::-1][np.unique(job[ends][::-1], return_index=True)[1]]
        ends = ends[self._left[job[ends]] == 0]
        self._done += len(ends)
        other = events["other"].copy()
        other[ends] = self.position[unit[ends]]
        table = {**events, "job": job.astype(EVENTS["job"]), "other": other}
        return take(table, np.sort(np.concatenate([rest[order[fresh]], starts, ends])))

    def jobs(self, view: Table) -> Table:
        """Return the jobs table of the run: a job runs from the first start to the last end of its tasks.

        `last_task` is the position in the file of the task that ended last, -1 for a job that has not ended.
        """
        jobs, first = self.workload.jobs, self.workload.parts["first"][:-1]
        start, end = (np.asarray(view[name], "f8") for name in ("start", "end"))
        starts, ends = np.fmin.reduceat(start, first), np.maximum.reduceat(end, first)
        last = np.full(len(first), -1, "i8")
        at = np.flatnonzero(end == ends[self.job])[::-1]
        last[self.job[at]] = self.position[at]
        state = np.where(np.isfinite(ends), FINISHED, UNFINISHED).astype(np.uint8)
        state[self.too_large] = REJECTED
        happened = {"start": starts, "end": ends, "state": state}
        table = {name: happened[name] if name in happened else jobs[name] for name in JOBS}
        others = {name: column for name, column in jobs.items() if name not in table}
        return {**table, "estimate": jobs["runtime"], "last_task": last, **others}

    def curve(self, jobs: Table, *, keeps_rates: bool) -> Curve:
        """Return the accumulator of the series of the run."""
        parts = self.workload.parts
        demand = np.add.reduceat(parts["size"], parts["first"][:-1]) / parts["capacity"].mean()
        return PackedAreas(demand)
