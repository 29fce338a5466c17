"""Reasons of rejections: their form in events, and their sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.workload.words import count


@dataclass(frozen=True, eq=False)
class Unfit:
    """The reason why some jobs of a run never fit its machine."""

    reason: int
    """One of `tables.REJECTIONS`, the same for all jobs of the run."""
    amount: np.ndarray
    """Number of processors, nodes or tasks in the sentence of each job, n values; NaN without one."""


def rejection_note(reason: int, amount: float, tasks: int) -> str:
    """Return the sentence of a rejection.

    Parameters
    ----------
    reason, amount
        `other` and `value` of the event.
    tasks
        Processors or tasks of the job in the jobs table.
    """
    number = 0 if math.isnan(amount) else int(amount)
    if reason == tables.BY_POLICY:
        return "turned away by the policy"
    if reason == tables.PROCESSORS:
        return f"asks for {count(number, 'processor')}, more than the machine has"
    if reason == tables.NODES:
        return f"needs {count(number, 'node')} to itself, more than the machine has"
    if reason == tables.MEMORY:
        return f"has {count(number, 'task')}, more than the memory of the machine holds"
    if reason == tables.TASKS:
        return _tasks_note(number, tasks)
    if reason == tables.JOB_CLASS:
        return "no machine open to it can run its class"
    return "the reason was not recorded"


def _tasks_note(unfit: int, tasks: int) -> str:
    if tasks == 1:
        return "its task fits on none of its machines"
    fit = "fits on none of its" if unfit == 1 else "fit on none of their"
    return f"{unfit:,} of its {tasks:,} tasks {fit} machines"
