"""Every metric by name: what pages, `shadowtime list metrics` and the docs say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shadowtime.engine.errors import UnknownName

Direction = Literal["lower", "higher", "neither"]


@dataclass(frozen=True)
class Metric:
    """A number that sums up a run."""

    name: str
    title: str
    unit: str
    """"s", "" (a pure number or a count), "share" (of 1), "B/s", "lane s"."""
    better: Direction
    text: str
    """One sentence for people: what it is."""
    kinds: tuple[str, ...] = ()
    """Kinds of workloads that have it; empty = all."""

    def as_dict(self) -> dict[str, str | list[str]]:
        return {
            "name": self.name,
            "title": self.title,
            "unit": self.unit,
            "better": self.better,
            "text": self.text,
            "kinds": list(self.kinds),
        }


_TABLE = (
    Metric("makespan", "Makespan", "s", "lower", "Time from the first release to the last end."),
    Metric("weighted_completion", "Weighted completion", "s", "lower",
           "Sum of weight times end, counted from second 0 of the workload."),
    Metric("weighted_flow", "Weighted flow", "s", "lower", "Sum of weight times flow."),
    Metric("total_job_time", "Total job time", "s", "lower", "Sum of the flows of all jobs."),
    Metric("mean_wait", "Mean wait", "s", "lower",
           "Mean time from release to first start, in either tier; later pauses are not waiting."),
    Metric("max_wait", "Longest wait", "s", "lower", "The longest time from release to first start."),
    Metric("mean_flow", "Mean flow", "s", "lower", "Mean time from release to end (turnaround, response)."),
    Metric("max_flow", "Longest flow", "s", "lower", "The longest time from release to end."),
    Metric("mean_stretch", "Mean stretch", "", "lower",
           "Mean of flow over runtime (slowdown); a few very short jobs can decide it."),
    Metric("max_stretch", "Largest stretch", "", "lower", "The largest flow over runtime."),
    Metric("mean_bounded_stretch", "Mean bounded stretch", "", "lower",
           "Mean stretch, with runtimes below tau (10 s) counted as tau."),
    Metric("max_bounded_stretch", "Largest bounded stretch", "", "lower",
           "The largest stretch, with runtimes below tau (10 s) counted as tau."),
    Metric("degradation_from_bound", "Degradation from bound", "", "lower",
           "The largest bounded stretch over its proven lower bound for these jobs."),
    Metric("jain_index", "Jain's index of stretches", "", "higher",
           "1 when all jobs are stretched alike, near 0 when a few carry all of it."),
    Metric("mean_utilization", "Mean utilization", "share", "higher",
           "Useful work per processor and second over the makespan; compare it only on one workload."),
    Metric("mean_cpu_utilization", "Mean CPU utilization", "share", "higher",
           "CPU that processes used over the makespan, where two may share a processor.", ("two_tier",)),
    Metric("underutilization", "Underutilization", "lane s", "lower",
           "Processor seconds that stood idle although jobs wanted them.", ("rigid", "fractional")),
    Metric("normalized_underutilization", "Normalized underutilization", "", "lower",
           "Underutilization over the work of all jobs; may exceed 1.", ("rigid", "fractional")),
    Metric("preemptions", "Preemptions", "", "lower",
           "Times that a running job was paused with its progress kept; on heterogeneous clusters: stopped, with its "
           "progress lost.",
           ("rigid", "fractional", "moldable", "multitask", "classed")),
    Metric("migrations", "Migrations", "", "lower", "Times that a running job went on elsewhere.",
           ("fractional", "two_tier", "multitask")),
    Metric("bandwidth", "Bandwidth", "B/s", "lower",
           "Memory of preempted jobs and of migrated tasks, each counted once, per second of the makespan; only where "
           "the memory of a node is known.", ("fractional",)),
    Metric("kills", "Kills", "", "lower", "Times that a running job was taken off with its progress lost.",
           ("two_tier",)),
    Metric("swaps", "Swaps", "", "neither", "Times that a job changed tier where it was.", ("two_tier",)),
    Metric("background_starts", "Background starts", "", "neither", "Placements in the background tier.",
           ("two_tier",)),
    Metric("waste_by_kills", "Waste by kills", "s", "lower", "Seconds of dedicated work that kills threw away.",
           ("two_tier", "classed")),
    Metric("parallel_share", "Parallel share", "share", "neither", "Share of jobs whose final run was on a cluster.",
           ("classed",)),
    Metric("offered_load", "Offered load", "share", "neither",
           "Work of all jobs per processor and second of the span of releases; a property of the workload."),
    Metric("unfinished", "Unfinished", "", "lower", "Jobs without an end, rejected ones not counted."),
    Metric("rejected", "Rejected", "", "lower", "Jobs that can never fit this machine, or were turned away."),
)  # fmt: skip


def metrics() -> dict[str, Metric]:
    """All metrics by name, in the order in which people read them."""
    return {metric.name: metric for metric in _TABLE}


def find_metric(name: str) -> Metric:
    """The metric of that name.

    Raises
    ------
    UnknownName
        Naming the metrics that exist.
    """
    known = metrics()
    if name not in known:
        raise UnknownName("metric", name, known)
    return known[name]
