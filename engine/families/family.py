"""What the rest of Shadowtime may ask of a family of workloads.

A family is a folder: its workloads, their units, policies, bounds, conversions and generators. Outside of it nobody
tests the kind of a workload; the family answers. The answers here are those of jobs that hold processors for
themselves; a family overrides what is different.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.units import Units
from shadowtime.engine.metrics import moves, usage
from shadowtime.engine.output.notes import Notes
from shadowtime.engine.output.rejections import Unfit
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
    """A family of workloads. `name` goes into links and stored results: it never changes."""

    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Older names, readable in files and links."""
    title: ClassVar[str] = "Other"
    """What people call it, for headings."""
    summary: ClassVar[str] = ""
    """One sentence for lists."""

    # What it brings.

    algorithms: Sequence[Algorithm] = ()
    generators: Sequence[Generator] = ()
    conversions: Sequence[Conversion] = ()
    formats: Sequence[Format] = ()
    """Formats of files, other than JSON, that hold its workloads."""
    readers: Mapping[str, Callable[[Instance], Workload]] = {}
    """Readers of JSON instances by `kind` or `schema`."""
    case_readers: Mapping[str, Callable[[Instance, str | None], tuple[Workload, str]]] = {}
    """Readers of JSON instances whose case is no entry of `cases`; they return its canonical name, too."""
    own_metrics: Sequence[Metric] = ()
    """Metrics that only this family defines."""

    # Words and hints for pages.

    lane: ClassVar[str] = "processor"
    """What a row of the Gantt chart is."""
    machine: ClassVar[str] = "processor"
    """What its machines are counted in."""
    size: ClassVar[str] = "processor"
    """What the size of a job counts."""
    held: ClassVar[str] = "processor"
    """What the table of jobs counts as a job's size once it ran."""
    size_is_stated: ClassVar[bool] = True
    """Whether the largest size says something of a workload."""
    size_histogram: ClassVar[tuple[str, str, str]] = ("by processors", "processor", "")
    """Of the preview's middle histogram: title, what one is, what follows the number."""
    is_sized: ClassVar[bool] = True
    """Whether a job says how wide it is; otherwise the scheduler or the site decides."""
    objective: ClassVar[str] = ""
    """The metric by which its papers judge a run; empty: the first that has a bound."""
    metric_titles: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Titles and sentences of metrics that mean something narrower here."""
    is_weighted: ClassVar[bool] = False
    """Whether the weights of jobs matter to its algorithms."""
    shares_lanes: ClassVar[bool] = False
    """Whether several jobs may stand on one lane at a time."""
    is_planned: ClassVar[bool] = False
    """Whether its algorithms think in batches, shelves or intervals, which the chart shows."""
    tiers: ClassVar[int] = 1
    """Tiers of a lane."""
    has_curves: ClassVar[bool] = False
    """Whether a job has a time for each number of processors that it may get."""
    has_yields: ClassVar[bool] = False
    """Whether a job's rate is its share of the CPU that it needs; demand may then exceed the machine."""
    has_site: ClassVar[bool] = False
    """Whether a workload brings its own site of unlike machines."""

    # Platform.

    lanes_are_nodes: ClassVar[bool] = False
    """Whether a lane is a node (a machine); otherwise it is a processor."""

    def check(self, workload: Workload, lanes: int, cores_per_node: int) -> None:
        """Refuse a platform that does not fit the workload.

        Raises
        ------
        InvalidPlatform
            Saying what the workload brings and what was given.
        """

    def fits(self, workload: Workload, lanes: int) -> np.ndarray:
        """Which jobs can ever run on so many lanes, n truth values."""
        return workload.jobs["processors"] <= lanes

    def default_estimates(self, workload: Workload) -> str:
        """What the scheduler sees of runtimes unless the question says: `requested` or `actual`."""
        return "requested" if workload.has_estimates else "actual"

    # Units and tables.

    def units(self, workload: Workload, lanes: int, **options: bool) -> Units:
        """The units of a run; `options` as of `Units`."""
        return Units(self, workload, lanes, **options)

    def lanes_of_jobs(self, workload: Workload, lanes: int, exclusive: bool) -> tuple[np.ndarray, np.ndarray]:
        """Lanes that each job holds, with repeats where several of its tasks may share one, and which never fit."""
        return np.minimum(workload.jobs["processors"], lanes), ~self.fits(workload, lanes)

    def unfit(self, workload: Workload, exclusive: bool) -> Unfit:
        """Return the reason why jobs that never fit are rejected, with what each of them needs."""
        return Unfit(PROCESSORS, workload.jobs["processors"])

    def allotments(self, workload: Workload) -> tuple[int, ...]:
        """Numbers of lanes that a policy may allot to a job before its start; none where sizes are fixed."""
        return ()

    def columns_before(self, view: Table) -> Table:
        """Columns of the jobs table that happened, written before those of the workload."""
        return {}

    def columns_after(self, workload: Workload, view: Table) -> Table:
        """Columns of the jobs table that follow from workload and units, written last."""
        return {}

    def notes(self, jobs: Table, segments: Table) -> Notes:
        """The sentences of the run's events."""
        return Notes(jobs, segments)

    # Metrics and bounds.

    metrics: ClassVar[tuple[str, ...]] = ("underutilization", "normalized_underutilization", "preemptions")
    """Metrics of the common table that have a meaning here, beside those that have one everywhere."""
    bounded: ClassVar[tuple[str, ...]] = ()
    """Metrics that have a proven lower bound."""

    def cpu_need(self, workload: Workload) -> np.ndarray | None:
        """Lanes' worth of CPU of each job at full rate, n values; None where the scheduler chooses it."""
        return None

    def metrics_of(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float | None) -> Values:
        """Metrics of machine and moves, in the order in which they are stored.

        Parameters
        ----------
        done
            The rows of the jobs table that ended.
        makespan
            Of the run [s]; None where no job ended, then only counts have a value.
        """
        values: Values = {}
        if makespan is not None:
            values |= self.use_of_machine(schedule, workload, lanes, done, makespan)
        return values | self.counts(schedule.events)

    def use_of_machine(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float) -> Values:
        """Utilization and underutilization."""
        need = self.cpu_need(workload)
        if need is None:
            is_kept = rows(schedule.segments) > 0
            held = usage.held_work(schedule.segments) if is_kept else usage.work_in_series(schedule.series)
            return {"mean_utilization": usage.mean_utilization(held, lanes, makespan)}
        cpu = float(np.sum(need[np.isfinite(schedule.jobs["end"])] * done["runtime"]))
        idle = usage.underutilization(schedule.series, lanes)
        return {
            "mean_utilization": usage.mean_utilization(cpu, lanes, makespan),
            "underutilization": idle,
            "normalized_underutilization": idle / cpu,
        }

    def counts(self, events: Table) -> Values:
        """How often jobs were moved, paused or stopped."""
        return {"preemptions": moves.preemptions(events)}

    def bounds(
        self, workload: Workload, lanes: int, tau: float, jobs: Table | None, *, migrates: bool | None, alone: bool
    ) -> Any:
        """An object with a method per metric of `bounded` that returns its bounds by name; None where no job counts.

        Parameters
        ----------
        jobs
            Jobs table of a schedule: only jobs that ended count. None: all that fit.
        migrates
            Whether tasks may move between machines; None: as the workload says.
        alone
            Whether the bounds are computed for their own sake, and not beside a run.
        """
        return None

    # What a workload looks like, and how it is written.

    def histogram_of_sizes(self, workload: Workload) -> dict[str, Any]:
        """Jobs by size, in powers of two: {"labels": [...], "counts": [...]}."""
        power = np.ceil(np.log2(self.sizes(workload))).astype("i8")
        counts = np.bincount(power).tolist()
        labels = [str(2**k) if k < 2 else f"{2 ** (k - 1) + 1:,}-{2**k:,}" for k in range(len(counts))]
        return {"labels": labels, "counts": counts}

    def sizes(self, workload: Workload) -> np.ndarray:
        """What `histogram_of_sizes` counts, n values >= 1."""
        return workload.jobs["processors"]

    def too_wide(self, workload: Workload, lanes: int) -> int | None:
        """Count the jobs that a machine of so many lanes rejects; None where sizes alone do not tell."""
        return None

    def document(self, workload: Workload) -> dict[str, Any]:
        """The workload as a JSON instance that its readers read back.

        Raises
        ------
        UnsupportedWorkload
            Where the family has no such form.
        """
        raise UnsupportedWorkload(f"JSON is not written of {self.name} workloads.")
