"""The interface between a family of workloads and the rest of Shadowtime.

A family is a folder: its workloads, their units, policies, bounds, conversions and generators. No other code tests the
kind of a workload; it calls methods and reads attributes of the family. The defaults here are those of jobs that hold
processors exclusively; a family overrides what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.units import Units
from shadowtime.engine.metrics import moves, usage
from shadowtime.engine.output.notes import Notes, in_seconds
from shadowtime.engine.output.submissions import Unfit
from shadowtime.engine.tables import PROCESSORS, Table, rows
from shadowtime.engine.workload.job import Workload

if TYPE_CHECKING:
    from shadowtime.engine.algorithm import Algorithm
    from shadowtime.engine.metrics.metric import Metric
    from shadowtime.engine.workload.conversions.conversion import Conversion
    from shadowtime.engine.workload.format import Format
    from shadowtime.engine.workload.generators.generator import Generator

Instance = Mapping[str, Any]
"""A JSON object that describes a workload."""
Values = dict[str, float | int]
"""Metrics by name."""


class Family:
    """A family of workloads. `name` is part of links and stored results: it never changes."""

    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Older names, still accepted in files and links."""
    title: ClassVar[str] = "Other"
    """Name in headings."""
    summary: ClassVar[str] = ""
    """One sentence for lists."""

    # Registry entries.

    algorithms: Sequence[Algorithm] = ()
    generators: Sequence[Generator] = ()
    conversions: Sequence[Conversion] = ()
    formats: Sequence[Format] = ()
    """File formats, other than JSON, of its workloads."""
    readers: Mapping[str, Callable[[Instance], Workload]] = {}
    """Readers of JSON instances by `kind` or `schema`."""
    case_readers: Mapping[str, Callable[[Instance, str | None], tuple[Workload, str]]] = {}
    """Readers of JSON instances whose case is not an entry of `cases`; they also return its canonical name."""
    own_metrics: Sequence[Metric] = ()
    """Metrics that only this family defines."""

    # Words and hints for pages.

    quick_bounds: ClassVar[int] = 2**62
    """Jobs of which all bounds take seconds; of more, a page shows none before the run."""

    lane: ClassVar[str] = "processor"
    """Word for a row of the Gantt chart."""
    machine: ClassVar[str] = "processor"
    """Word for the unit in which the size of a machine is given."""
    size: ClassVar[str] = "processor"
    """Word for the unit in which the size of a job is given."""
    held: ClassVar[str] = "processor"
    """Word for the unit in which the jobs table gives the size of a job that ran."""
    size_is_stated: ClassVar[bool] = True
    """Whether the largest size describes a workload."""
    size_histogram: ClassVar[tuple[str, str, str]] = ("by processors", "processor", "")
    """Title, unit and suffix of the preview's middle histogram."""
    is_sized: ClassVar[bool] = True
    """Whether a job requests its size; otherwise the scheduler or the site decides."""
    objective: ClassVar[str] = ""
    """Objective of the papers of this family, a metric; empty: the first metric that has a bound."""
    metric_titles: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Titles and sentences of metrics with a narrower meaning in this family."""
    is_weighted: ClassVar[bool] = False
    """Whether its algorithms use the weights of jobs."""
    shares_lanes: ClassVar[bool] = False
    """Whether several jobs may run on one lane at a time."""
    is_planned: ClassVar[bool] = False
    """Whether its algorithms plan in batches, shelves or intervals, which the chart shows."""
    tiers: ClassVar[int] = 1
    """Number of tiers of a lane."""
    has_curves: ClassVar[bool] = False
    """Whether a job has a time for each number of processors."""
    has_yields: ClassVar[bool] = False
    """Whether a job's rate is its share of the CPU that it needs; demand may then exceed the machine."""
    has_site: ClassVar[bool] = False
    """Whether a workload includes its own site of heterogeneous machines."""

    # Platform.

    lanes_are_nodes: ClassVar[bool] = False
    """Whether a lane is a node (a machine); otherwise it is a processor."""

    def check(self, workload: Workload, lanes: int, cores_per_node: int) -> None:
        """Check that the platform fits the workload.

        Raises
        ------
        InvalidPlatform
            If it does not; the message names the workload's machine and the platform given.
        """

    def fits(self, workload: Workload, lanes: int) -> np.ndarray:
        """Return which jobs can run on a machine of `lanes` lanes, n booleans."""
        return workload.jobs["processors"] <= lanes

    def default_estimates(self, workload: Workload) -> str:
        """Return the default runtimes that the scheduler sees: `requested` or `actual`."""
        return "requested" if workload.has_estimates else "actual"

    # Units and tables.

    def units(self, workload: Workload, lanes: int, **options: bool) -> Units:
        """Return the units of a run; `options` are those of `Units`."""
        return Units(self, workload, lanes, **options)

    def lanes_of_jobs(self, workload: Workload, lanes: int, exclusive: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return the lanes that each job holds (tasks that share a lane count each), and which jobs never fit."""
        return np.minimum(workload.jobs["processors"], lanes), ~self.fits(workload, lanes)

    def unfit(self, workload: Workload, exclusive: bool) -> Unfit:
        """Return the reason why jobs that never fit are rejected, with what each of them needs."""
        return Unfit(PROCESSORS, workload.jobs["processors"])

    def allotments(self, workload: Workload) -> tuple[int, ...]:
        """Return the numbers of lanes that a policy may allot to a job before its start; none if sizes are fixed."""
        return ()

    def columns_before(self, view: Table) -> Table:
        """Return columns of the jobs table from the run, written before those of the workload."""
        return {}

    def columns_after(self, workload: Workload, view: Table) -> Table:
        """Return columns of the jobs table from workload and units, written last."""
        return {}

    def notes(self, jobs: Table, segments: Table, instant: Callable[[float], str] = in_seconds) -> Notes:
        """Return the writer of the sentences of the run's events; `instant` writes their instants [s]."""
        return Notes(jobs, segments, instant=instant)

    # Metrics and bounds.

    metrics: ClassVar[tuple[str, ...]] = ("underutilization", "normalized_underutilization", "preemptions")
    """Metrics of the common table that this family has, beside those of all families."""
    bounded: ClassVar[tuple[str, ...]] = ()
    """Metrics that have a proven lower bound."""

    def cpu_need(self, workload: Workload) -> np.ndarray | None:
        """Return the CPU of each job at full rate [lanes], n values; None if the scheduler chooses it."""
        return None

    def metrics_of(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float | None) -> Values:
        """Return the metrics of utilization and the counts of moves, in the order in which they are stored.

        Parameters
        ----------
        done
            The rows of the jobs table that ended.
        makespan
            Makespan of the run [s]; None if no job ended: then only counts have a value.
        """
        values: Values = {}
        if makespan is not None:
            values |= self.use_of_machine(schedule, workload, lanes, done, makespan)
        return values | self.counts(schedule.events)

    def use_of_machine(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float) -> Values:
        """Return utilization and underutilization."""
        need = self.cpu_need(workload)
        if need is None:
            is_kept = rows(schedule.segments) > 0
            held = usage.held_work(schedule.segments) if is_kept else usage.work_in_series(schedule.series)
            return {"mean_utilization": usage.mean_utilization(held, lanes, makespan)}
        cpu = usage.cpu_work(need, schedule.jobs, done)
        idle = usage.underutilization(schedule.series, lanes)
        return {
            "mean_utilization": usage.mean_utilization(cpu, lanes, makespan),
            "underutilization": idle,
            "normalized_underutilization": idle / cpu,
        }

    def counts(self, events: Table) -> Values:
        """Return how often jobs were moved, paused or stopped: those of `metrics` that `metrics.moves` counts."""
        return {name: moves.COUNTS[name](events) for name in self.metrics if name in moves.COUNTS}

    def bounds(
        self, workload: Workload, lanes: int, tau: float, jobs: Table | None, *, migrates: bool | None, alone: bool
    ) -> Any:
        """Return an object with a method per metric of `bounded`, which returns the metric's bounds by name.

        By default those of the fluid relaxation, which `cpu_need` defines.

        Parameters
        ----------
        tau
            Floor of the bounded stretch [s].
        jobs
            Jobs table of a schedule: only its finished jobs count. None: all jobs that fit the machine.
        migrates
            Whether tasks may move between machines; None: as the workload states.
        alone
            Whether the bounds are computed without a run, where more time is acceptable.

        Returns
        -------
        None if no job counts, or the family has no bounds.
        """
        from shadowtime.engine.bounds import fluid  # with numba

        return fluid.of(self, workload, lanes, tau, jobs) if self.bounded else None

    # Preview and export.

    def histogram_of_sizes(self, workload: Workload) -> dict[str, Any]:
        """Count jobs by size, in powers of two: {"labels": [...], "counts": [...]}."""
        power = np.ceil(np.log2(self.sizes(workload))).astype("i8")
        counts = np.bincount(power).tolist()
        labels = [str(2**k) if k < 2 else f"{2 ** (k - 1) + 1:,}-{2**k:,}" for k in range(len(counts))]
        return {"labels": labels, "counts": counts}

    def sizes(self, workload: Workload) -> np.ndarray:
        """Return the values that `histogram_of_sizes` counts, n values >= 1."""
        return workload.jobs["processors"]

    def too_wide(self, workload: Workload, lanes: int) -> int | None:
        """Count the jobs that a machine of `lanes` lanes rejects; None if sizes alone do not decide."""
        return None

    def document(self, workload: Workload) -> dict[str, Any]:
        """Return the workload as a JSON instance for the readers of this family.

        Raises
        ------
        UnsupportedWorkload
            If the family has no such form.
        """
        raise UnsupportedWorkload(f"{self.name} workloads cannot be written as JSON.")
