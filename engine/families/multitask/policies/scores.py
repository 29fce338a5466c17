"""Scores of tasks in Tetris: `w_j (a + E / V_j)`; see `tetris`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import rows_of
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload

TASK = rows_of("time end left score", "")
"""A task: least time, planned end, remaining time [s], and score."""

JOB = rows_of("weight waiting volume", "counted")
"""A job: volume of its waiting tasks, and of all its remaining work; whether it counts in the mean volume."""

MEMO = rows_of("f scale sizes volumes", "running chosen changed tasks jobs")
"""One row: `scale` is E; the sums and counts of sizes and volumes that it depends on, over all arrivals; lengths of the
lists of `arrays`, of which only Tetris-P uses `changed`."""

LEAST = 1e-300
"""Least volume that a score is divided by."""


def score_arrays(view: Workload, times: np.ndarray, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of scores: `m`, `task` (least `times` [s]) and `job`."""
    memo, task, job = np.zeros(1, MEMO), np.zeros(len(times), TASK), np.zeros(len(view), JOB)
    memo["f"], task["time"], job["weight"] = parameters["f"], times, view.jobs["weight"]
    return {"m": memo, "task": task, "job": job}


def least_times(parts: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return the unit of each place, and the least time of each unit [s]."""
    owner = np.repeat(np.arange(len(parts["size"])), np.diff(parts["options"]))
    return owner, np.minimum.reduceat(parts["time"], parts["options"][:-1])


@inner
def count_task(q, unit):
    """Count an arrived task in the mean size and volume."""
    m, job = q.m[0], q.job[q.seat[unit].job]
    m.sizes += q.seat[unit].size
    m.volumes += q.seat[unit].size * q.task[unit].time
    m.tasks += 1
    if not job.counted:
        job.counted = 1
        m.jobs += 1


@inner
def score_of(weight, volume, size, scale):
    """Return the score of a task by the weight and the remaining `volume` of its job; `scale` is E."""
    return weight * (size + scale / max(volume, LEAST))
