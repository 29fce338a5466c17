"""Scores of tasks as Tetris has them: `w_j (a + E / V_j)`."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.state import rows_of
from shadowtime.engine.tables import Table

TASK = rows_of("time end left score", "")
"""A task: least time [s], when it is going to end or what is left of it [s], and its score."""

JOB = rows_of("weight waiting volume", "counted")
"""A job: volume of its tasks that wait, and of all that is left of it."""

LEAST = 1e-300
"""Of a volume, in divisions."""


def least_times(parts: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return the unit of each place, and the least time of each unit [s]."""
    owner = np.repeat(np.arange(len(parts["size"])), np.diff(parts["options"]))
    return owner, np.minimum.reduceat(parts["time"], parts["options"][:-1])


@inner
def count_task(q, unit):
    """Let a task that arrived count in the mean size and volume."""
    m, job = q.m[0], q.job[q.seat[unit].job]
    m.sizes += q.seat[unit].size
    m.volumes += q.seat[unit].size * q.task[unit].time
    m.tasks += 1
    if not job.counted:
        job.counted = 1
        m.jobs += 1


@inner
def worth(weight, volume, size, scale):
    """Return the score of a task of a job by what is left of the job's volume."""
    return weight * (size + scale / max(volume, LEAST))
