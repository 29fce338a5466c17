"""The data of multitask jobs that a non-clairvoyant policy may see: where tasks run fast, but not how long."""

from __future__ import annotations

from shadowtime.engine.families.multitask.workload import least_times
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.known import known

LOCAL = 1.0 + 1e-9
"""A machine is local to a task if the task takes its least time there, up to this factor for rounding."""


def known_tasks(workload: Workload) -> Workload:
    """Return the workload without true times; `parts` has new columns `local` and `speed`, one value a place of a task.

    `speed` is the speed of the machine for this task, relative to the task's fastest machine: a property of the place,
    independent of the task's length.
    """
    parts = workload.parts
    owner, times = least_times(parts)
    places = {"local": parts["time"] <= times[owner] * LOCAL, "speed": times[owner] / parts["time"]}
    seen = known(workload)
    jobs = {name: column for name, column in seen.jobs.items() if name != "volume"}
    return seen.with_(jobs=jobs, parts={**seen.parts, **places})
