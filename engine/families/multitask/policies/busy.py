"""What goes on while a plan is made."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class Busy:
    """What runs on when a plan is made: machine, size and end [s from now] of each running task."""

    machine: np.ndarray = field(default_factory=lambda: np.zeros(0, "i8"))
    size: np.ndarray = field(default_factory=lambda: np.zeros(0))
    until: np.ndarray = field(default_factory=lambda: np.zeros(0))
