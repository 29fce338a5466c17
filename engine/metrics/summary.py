"""The metrics of a run, by name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shadowtime.engine.metrics import fairness, run
from shadowtime.engine.metrics.jobs import TAU, Columns, ended
from shadowtime.engine.registry import find_family
from shadowtime.engine.tables import REJECTED
from shadowtime.engine.workload.offered import offered_load


def summarize(schedule: Any, workload: Any, platform: Any, tau: float = TAU) -> dict[str, float | int]:
    """Metrics by name, in the order of the registry, over all finished jobs, no warm-up.

    Metrics that the family does not have are left out, and so are those without a value (no job finished; the offered
    load if all jobs are released at once).

    Parameters
    ----------
    schedule
        The run: `.jobs`, `.segments`, `.events`, `.series`, tables of `engine.tables`.
    workload
        The jobs, row for row those of the schedule; its family defines which metrics apply.
    platform
        The machine: `.lanes`.
    tau
        Floor of the bounded stretch [s], >= 0.
    """
    jobs, lanes = schedule.jobs, platform.lanes
    done = ended(jobs)
    values: dict[str, float | int] = {}
    if len(done["end"]):
        values |= _of_jobs(done, tau)
    values |= find_family(workload.kind).metrics_of(schedule, workload, lanes, done, values.get("makespan"))
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
