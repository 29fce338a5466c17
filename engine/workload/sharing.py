"""Number of tasks of a job that one node holds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

ROUNDING = 1e-9
"""Added before a floor, so that a node holds three tasks of a third."""


def tasks_per_node(memory: np.ndarray) -> np.ndarray:
    """Return how many tasks of each memory [nodes] one node holds, f8; infinity for memory 0."""
    return np.floor(np.divide(1.0 + ROUNDING, memory, where=memory > 0, out=np.full(len(memory), np.inf)))


def nodes_alone(jobs: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the nodes of each job if jobs do not share nodes: its own tasks packed together, at full rate.

    `ceil(n / floor(min(1 / need, 1 / memory)))`, H. Casanova et al., RR-7659, section 5.2.
    """
    by_cpu = np.floor(1.0 / jobs["cpu_need"] + ROUNDING)
    return np.ceil(jobs["processors"] / np.minimum(by_cpu, tasks_per_node(jobs["memory"]))).astype("i8")
