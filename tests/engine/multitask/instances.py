"""Small random instances of packed tasks."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.workload import assemble
from shadowtime.engine.workload.job import Workload


def random_workload(seed: int, jobs: int = 4, machines: int = 2, places: int = 1, whole: bool = True) -> Workload:
    """Jobs of one to three tasks; sizes up to the machine, times 1 to 6, twice as long on all but one machine."""
    rng = np.random.default_rng(seed)
    tasks = rng.integers(1, 4, jobs)
    n = int(tasks.sum())
    capacity = rng.integers(3, 8, machines).astype(float)
    size = rng.integers(1, int(capacity.min()) + 1, n).astype(float)
    time = rng.integers(1, 7, n).astype(float)
    if not whole:
        time, size = time * rng.uniform(0.7, 1.0, n), size * rng.uniform(0.7, 1.0, n)
    chosen = np.array([np.sort(rng.permutation(machines)[:places]) for _ in range(n)])
    factor = np.where(np.arange(places)[None, :] == rng.integers(0, places, n)[:, None], 1.0, 2.0)
    return assemble(
        np.zeros(jobs), rng.integers(1, 10, jobs).astype(float), tasks, size, np.full(n, places), chosen.ravel(),
        (time[:, None] * factor).ravel(), capacity,
    )  # fmt: skip


def random_instance(seed: int, **how) -> Instance:
    return instance_of(random_workload(seed, **how))[0]
