"""Time conservative backfilling against the queue: generated jobs that arrive faster than the machine works."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shadowtime.engine.simulation import simulate
from shadowtime.engine.tables import Table
from shadowtime.workers.papers.batch.policies import POLICIES
from shadowtime.workers.papers.batch.workloads import drawn

OVERLOAD = 3.0
"""Offered load of the generated jobs."""
SIZES = {"quick": (250, 500, 1000, 2000, 4000), "full": (250, 500, 1000, 2000, 4000, 8000, 16_000)}
"""Numbers of jobs; the queue grows with them."""
TIMED = ("EASY", "Conservative")
TIMES = 3
"""Runs of each, of which the quickest counts."""


@dataclass(frozen=True)
class Growth:
    """One policy on so many jobs."""

    policy: str
    jobs: int


@dataclass(frozen=True)
class Cost:
    """What a run takes."""

    MEASURED: ClassVar[tuple[str, ...]] = ("seconds",)
    queue: float
    """Mean number of waiting jobs at the ends of jobs."""
    longest: int
    """Largest number of them."""
    ends: int
    seconds: float
    """Processor time of the run."""


def time_growth(cell: Growth) -> Cost:
    """Return what a policy takes for generated jobs at OVERLOAD, seed 1."""
    workload, policy = drawn(cell.jobs, 1, OVERLOAD), POLICIES[cell.policy]
    jobs = simulate(workload, policy.slug, policy.parameters).jobs
    taken = []
    for _ in range(TIMES):
        began = time.process_time()
        simulate(workload, policy.slug, policy.parameters)
        taken.append(time.process_time() - began)
    waiting = queue_at_ends(jobs)
    return Cost(float(waiting.mean()), int(waiting.max()), len(waiting), min(taken))


def queue_at_ends(jobs: Table) -> np.ndarray:
    """Return the number of waiting jobs at each end, after all that happens in that instant."""
    ends = np.sort(jobs["end"][np.isfinite(jobs["end"])])
    released = np.searchsorted(np.sort(jobs["release"]), ends, side="right")
    started = np.searchsorted(np.sort(jobs["start"]), ends, side="right")
    return released - started
