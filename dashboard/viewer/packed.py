"""What the viewer shows of packed tasks beside their rectangles: which of them are remote."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload

SLOWER = 1.0 + 1e-9


def with_remote(segments: Table, workload: Workload) -> Table:
    """The segments of a multitask run with the column `remote`: 1 where the task is faster on another machine."""
    parts = workload.parts
    tasks, machines = len(parts["task"]), len(parts["capacity"])
    fastest = np.minimum.reduceat(parts["time"], parts["options"][:-1])
    owner = np.repeat(np.arange(tasks), np.diff(parts["options"]))
    order = np.argsort(parts["task"], kind="stable")
    unit = order[np.searchsorted(parts["task"][order], segments["task"])]
    key = owner * machines + parts["machine"]
    by_key = np.argsort(key, kind="stable")
    asked = unit * machines + segments["first"]
    time = parts["time"][by_key[np.searchsorted(key[by_key], asked)]]
    return {**segments, "remote": (time > fastest[unit] * SLOWER).astype(np.uint8)}
