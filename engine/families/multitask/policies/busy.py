"""The tasks that run at the time of planning."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class Busy:
    """Machine, size and end [s from now] of each task that runs at the time of planning and is not preempted."""

    machine: np.ndarray = field(default_factory=lambda: np.zeros(0, "i8"))
    size: np.ndarray = field(default_factory=lambda: np.zeros(0))
    until: np.ndarray = field(default_factory=lambda: np.zeros(0))
