"""What a scheduler without foresight may see of packed tasks: where their data is, and not how long they take."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.known import known

LOCAL = 1.0 + 1e-9
"""A machine is local when the task takes its least time there."""


def known_tasks(workload: Workload) -> Workload:
    """Return the workload without true times; `parts` gets, one value a place of a task, `local` and `speed`.

    `speed` is that of the machine for this task relative to its best one: a property of the place, not of the task's
    length.
    """
    parts = workload.parts
    fastest = np.repeat(np.minimum.reduceat(parts["time"], parts["options"][:-1]), np.diff(parts["options"]))
    places = {"local": parts["time"] <= fastest * LOCAL, "speed": fastest / parts["time"]}
    seen = known(workload)
    jobs = {name: column for name, column in seen.jobs.items() if name != "volume"}
    return seen.with_(jobs=jobs, parts={**seen.parts, **places})
