"""All metrics of a run that its kind of workload has, by name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shadowtime.engine.metrics import fairness, moves, run, usage
from shadowtime.engine.metrics.jobs import Columns, ended
from shadowtime.engine.metrics.work import cpu_need
from shadowtime.engine.tables import REJECTED
from shadowtime.engine.workload.offered import offered_load

BYTES_PER_GB = 1024.0**3


def summarize(schedule: Any, workload: Any, platform: Any, tau: float = 10.0) -> dict[str, float | int]:
    """Metrics by name, in the order of the registry, over all finished jobs, no warm-up.

    A metric that the family does not have is left out, and so is one without a value (no job finished, or
    all released at once for the offered load).

    Parameters
    ----------
    schedule
        What happened: `.jobs`, `.segments`, `.events`, `.series`, tables of `engine.tables`.
    workload
        What was asked, row for row the jobs of the schedule; its `kind` says which metrics apply.
    platform
        What served: `.lanes`.
    tau
        Floor of the bounded stretch [s], >= 0.
    """
    jobs, lanes, kind = schedule.jobs, platform.lanes, workload.kind
    done = ended(jobs)
    values: dict[str, float | int] = {}
    if len(done["end"]):
        values |= _of_jobs(done, tau)
        values |= _of_machine(schedule, workload, done, lanes, values["makespan"])
    values |= _of_moves(schedule.events, kind)
    if kind == "fractional" and "makespan" in values and "node_memory" in workload.machine:
        size = workload.machine["node_memory"] * BYTES_PER_GB
        carried = moves.preempted_memory(jobs, schedule.events) + moves.migrated_memory(jobs)
        values["bandwidth"] = carried * size / values["makespan"]
    if kind == "classed" and "makespan" in values:
        values["parallel_share"] = usage.parallel_share(done)
    values["offered_load"] = offered_load(workload.jobs, lanes)
    rejected = int(np.count_nonzero(jobs["state"] == REJECTED))
    values["unfinished"] = len(jobs["end"]) - len(done["end"]) - rejected
    values["rejected"] = rejected
    return {name: value for name, value in values.items() if not math.isnan(value)}


def _of_jobs(done: Columns, tau: float) -> dict[str, float]:
    return {
        "makespan": run.makespan(done),
        "weighted_completion": run.weighted_completion(done),
        "weighted_flow": run.weighted_flow(done),
        "total_job_time": run.total_job_time(done),
        "mean_wait": run.mean_wait(done),
        "max_wait": run.max_wait(done),
        "mean_flow": run.mean_flow(done),
        "max_flow": run.max_flow(done),
        "mean_stretch": run.mean_stretch(done),
        "max_stretch": run.max_stretch(done),
        "mean_bounded_stretch": run.mean_bounded_stretch(done, tau=tau),
        "max_bounded_stretch": run.max_bounded_stretch(done, tau=tau),
        "jain_index": fairness.jain_index(done),
    }


def _of_machine(schedule: Any, workload: Any, done: Columns, lanes: int, makespan: float) -> dict[str, float]:
    need = cpu_need(workload)
    if need is None:  # the scheduler chose how much each job takes
        return {"mean_utilization": usage.mean_utilization(usage.held_work(schedule.segments), lanes, makespan)}
    cpu = float(np.sum(need[np.isfinite(schedule.jobs["end"])] * done["runtime"]))
    if workload.kind == "two_tier":
        progress = float(np.sum(usage.processor_work(done)))
        return {
            "mean_utilization": usage.mean_utilization(progress, lanes, makespan),
            "mean_cpu_utilization": usage.mean_utilization(cpu, lanes, makespan),
        }
    idle = usage.underutilization(schedule.series, lanes)
    return {
        "mean_utilization": usage.mean_utilization(cpu, lanes, makespan),
        "underutilization": idle,
        "normalized_underutilization": idle / cpu,
    }


def _of_moves(events: Columns, kind: str) -> dict[str, float | int]:
    if kind == "two_tier":
        return {
            "migrations": moves.migrations(events),
            "kills": moves.kills(events),
            "swaps": moves.swaps(events),
            "background_starts": moves.background_starts(events),
            "waste_by_kills": moves.waste_by_kills(events),
        }
    if kind == "classed":  # without checkpoints: what stops a job loses its work
        return {"preemptions": moves.kills(events), "waste_by_kills": moves.waste_by_kills(events)}
    values: dict[str, float | int] = {"preemptions": moves.preemptions(events)}
    if kind in ("fractional", "multitask"):
        values["migrations"] = moves.migrations(events)
    return values
