"""How many tasks of a job one node holds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

ROUNDING = 1e-9
"""Added before a floor: a third of a node goes into it three times."""


def tasks_per_node(memory: np.ndarray) -> np.ndarray:
    """How many tasks of so much memory a node holds, f8; infinity for tasks without any."""
    return np.floor(np.divide(1.0 + ROUNDING, memory, where=memory > 0, out=np.full(len(memory), np.inf)))


def nodes_alone(jobs: Mapping[str, np.ndarray]) -> np.ndarray:
    """Nodes that each job takes where jobs share none: its tasks packed among themselves, at full rate.

    `ceil(n / floor(min(1 / need, 1 / memory)))`, H. Casanova et al., RR-7659, section 5.2.
    """
    by_cpu = np.floor(1.0 / jobs["cpu_need"] + ROUNDING)
    return np.ceil(jobs["processors"] / np.minimum(by_cpu, tasks_per_node(jobs["memory"]))).astype("i8")
