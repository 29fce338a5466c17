"""The metrics of a run, by name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shadowtime.engine.metrics.jobs import TAU, ended
from shadowtime.engine.metrics.run import of_jobs
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
    values: dict[str, float | int] = {**(of_jobs(done, tau) if len(done["end"]) else {})}
    values |= find_family(workload.kind).metrics_of(schedule, workload, lanes, done, values.get("makespan"))
    values["offered_load"] = offered_load(workload.jobs, lanes)
    rejected = int(np.count_nonzero(jobs["state"] == REJECTED))
    values["unfinished"] = len(jobs["end"]) - len(done["end"]) - rejected
    values["rejected"] = rejected
    return {name: value for name, value in values.items() if not math.isnan(value)}
