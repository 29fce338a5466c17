"""Logs whose policy is known: random jobs, and what a policy made of them as their record."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.simulation import Simulation
from shadowtime.engine.workload.job import Clock, Workload, job_table

LANES = 64
MONDAY = 1_741_564_800.0
"""Monday 10 March 2025, 0:00 UTC."""


def jobs(n: int = 800, seed: int = 1, load: float = 0.9) -> Workload:
    """Return jobs of twelve users that ask for `load` of LANES processors on the average; times are whole seconds."""
    rng = np.random.default_rng(seed)
    size = 2 ** rng.integers(0, 6, n)
    runtime = np.ceil(np.exp(rng.normal(7.0, 1.3, n)))
    request = np.ceil(runtime * rng.uniform(1.0, 6.0, n))
    span = float((size * runtime).sum()) / (LANES * load)
    release = np.floor(np.sort(rng.uniform(0.0, span, n)))
    table = job_table(release, runtime, size, requested=request, user=rng.integers(0, 12, n))
    return Workload("rigid", "made", table, machine={"processors": LANES}, clock=Clock(MONDAY), has_estimates=True)


def recorded(log: Workload, start: np.ndarray) -> Workload:
    """Return a log with these starts as its record."""
    return log.with_(jobs={**log.jobs, "recorded_start": start, "recorded_end": start + log.jobs["runtime"]})


def under(log: Workload, algorithm: str, lanes: int = LANES) -> np.ndarray:
    """Return the starts under an algorithm."""
    return Simulation(log, algorithm, platform={"processors": lanes}).run().jobs["start"]
