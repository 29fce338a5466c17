"""All metrics by name, with the texts of pages, `shadowtime list metrics` and docs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from shadowtime.engine.errors import UnknownName
from shadowtime.engine.metrics.metric import Metric
from shadowtime.engine.metrics.nature import LARGEST, LARGEST_RATIO, MEAN, RATIO, SHARE, TOTAL
from shadowtime.engine.registry import families

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family

_TABLE = (
    Metric("makespan", "Makespan", "s", "lower", "Time from the first release of a job that ended to the last end.",
           nature=TOTAL),
    Metric("weighted_completion", "Weighted completion", "s", "lower",
           "Sum of weight times end, counted from second 0 of the workload.", nature=TOTAL),
    Metric("weighted_flow", "Weighted flow", "s", "lower", "Sum of weight times flow.", nature=TOTAL),
    Metric("total_job_time", "Total job time", "s", "lower", "Sum of the flows of all jobs.", nature=TOTAL),
    Metric("mean_wait", "Mean wait", "s", "lower",
           "Mean time from release to first start, in either tier; later pauses are not waiting.", nature=MEAN),
    Metric("max_wait", "Longest wait", "s", "lower", "The longest time from release to first start.", nature=LARGEST),
    Metric("mean_flow", "Mean flow", "s", "lower", "Mean time from release to end (turnaround, response).",
           nature=MEAN),
    Metric("max_flow", "Longest flow", "s", "lower", "The longest time from release to end.", nature=LARGEST),
    Metric("mean_stretch", "Mean stretch", "", "lower",
           "Mean of flow over runtime (slowdown); a few very short jobs can dominate it.", nature=MEAN),
    Metric("max_stretch", "Largest stretch", "", "lower", "The largest flow over runtime.", nature=LARGEST),
    Metric("mean_bounded_stretch", "Mean bounded stretch", "", "lower",
           "Mean stretch, with runtimes below tau (10 s) counted as tau.", nature=RATIO),
    Metric("max_bounded_stretch", "Largest bounded stretch", "", "lower",
           "The largest stretch, with runtimes below tau (10 s) counted as tau.", nature=LARGEST_RATIO),
    Metric("degradation_from_bound", "Degradation from bound", "", "lower",
           "The largest bounded stretch over its proven lower bound for these jobs.", nature=LARGEST_RATIO),
    Metric("jain_index", "Jain's index of stretches", "", "higher",
           "1 if all stretches are equal, near 0 if a few jobs have most delay.", nature=SHARE),
    Metric("mean_utilization", "Mean utilization", "share", "higher",
           "Useful work per processor and second over the makespan; compare it only on one workload.", nature=SHARE),
    Metric("mean_cpu_utilization", "Mean CPU utilization", "share", "higher",
           "CPU that processes used over the makespan, where two may share a processor.", False, nature=SHARE),
    Metric("underutilization", "Underutilization", "lane s", "lower",
           "Processor seconds that stood idle while jobs could have used them.", False, nature=TOTAL),
    Metric("normalized_underutilization", "Normalized underutilization", "", "lower",
           "Underutilization over the work of the jobs that ended; may exceed 1.", False, nature=MEAN),
    Metric("preemptions", "Preemptions", "", "lower",
           "Times that a running job was paused with its progress kept; on heterogeneous clusters the kills, which the "
           "PJS paper calls preemptions.", False, nature=TOTAL),
    Metric("migrations", "Migrations", "", "lower", "Times that a running job moved to other processors.", False,
           nature=TOTAL),
    Metric("bandwidth", "Bandwidth", "B/s", "lower",
           "Memory of preempted jobs and of migrated tasks, each counted once, per second of the makespan; only where "
           "the memory of a node is known.", False, nature=MEAN),
    Metric("kills", "Kills", "", "lower", "Times that a running job was stopped with its progress lost.", False,
           nature=TOTAL),
    Metric("swaps", "Swaps", "", "neither", "Times that a job changed its tier on the same processors.", False,
           nature=TOTAL),
    Metric("background_starts", "Background starts", "", "neither", "Placements in the background tier.", False,
           nature=TOTAL),
    Metric("waste_by_kills", "Waste by kills", "s", "lower", "Seconds of dedicated work lost by kills.", False,
           nature=TOTAL),
    Metric("parallel_share", "Parallel share", "share", "neither", "Share of jobs whose final run was on a cluster.",
           False, nature=SHARE),
    Metric("offered_load", "Offered load", "share", "neither",
           "Work of all jobs per processor and second of the span of releases; a property of the workload.",
           nature=MEAN),
    Metric("unfinished", "Unfinished", "", "lower", "Jobs without an end, rejected ones not counted.", nature=TOTAL),
    Metric("rejected", "Rejected", "", "lower", "Jobs that can never fit this machine, or that the policy rejected.",
           nature=TOTAL),
)  # fmt: skip


def metrics() -> dict[str, Metric]:
    """Return all metrics by name, in the order of lists and pages; metrics of a single family come last."""
    return dict(_metrics_of(tuple(families().values())))


@lru_cache(maxsize=8)
def _metrics_of(known: tuple[Family, ...]) -> Mapping[str, Metric]:
    own = [replace(metric, kinds=(family.name,)) for family in known for metric in family.own_metrics]
    common = [
        metric
        if metric.everywhere
        else replace(metric, kinds=tuple(family.name for family in known if metric.name in family.metrics))
        for metric in _TABLE
    ]
    return {metric.name: metric for metric in (*common, *own)}


def find_metric(name: str) -> Metric:
    """Return the metric called `name`.

    Raises
    ------
    UnknownName
        If there is none; the error lists the known names.
    """
    known = _metrics_of(tuple(families().values()))
    if name not in known:
        raise UnknownName("metric", name, known)
    return known[name]
