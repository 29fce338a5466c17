"""Two measurements beside the tables: the time of each call of MCB8, and the whole log in one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import Simulation, simulate
from shadowtime.workers.papers.dfrs.instances import Instance, whole_log

TIMED = "MCB8*/opt=min"
"""The algorithm that calls MCB8 most often: at each arrival and each completion."""
FEW = 10
"""Jobs that are few in section 6.2."""
MILLISECOND = 0.001


@dataclass(frozen=True)
class Timing:
    """Instants of one run of MCB8*; each calls MCB8 once or twice."""

    MEASURED: ClassVar[tuple[str, ...]] = ("fast", "seconds", "longest")
    observations: int
    few: int
    """Instants with at most FEW jobs in the system."""
    fast: int
    """Of these, the instants that took less than a millisecond."""
    jobs: int
    """Largest number of jobs in the system."""
    seconds: float
    """All instants together [s]."""
    longest: float
    """The longest instant [s]."""


def time_calls(instance: Instance) -> Timing:
    """Return how long the instants of a run take: completions, arrivals, MCB8 and yields together."""
    workload = instance.workload()
    release = np.sort(workload.jobs["release"])
    simulate(workload, TIMED)  # compiled code and memory are loaded before
    simulation = Simulation(workload, TIMED)
    took, present, before = [], [], 0.0
    for part in simulation.slices(budget=1):
        took.append(simulation.simulate_s - before)
        present.append(int(np.searchsorted(release, part.time, side="right")) - part.jobs_done)
        before = simulation.simulate_s
    times, jobs = np.array(took), np.array(present)
    few = jobs <= FEW
    return Timing(
        len(times), int(few.sum()), int((times[few] < MILLISECOND).sum()), int(jobs.max()), float(times.sum()),
        float(times.max()),
    )  # fmt: skip


@dataclass(frozen=True)
class WholeLog:
    """One run of an algorithm on all 182 weeks of HPC2N at once."""

    algorithm: str
    log: str = "HPC2N"

    @property
    def is_long(self) -> bool:
        """Return whether it takes more than a minute: no sample then."""
        return self.algorithm != "EASY"


def whole_underutilization(cell: WholeLog) -> float:
    """Return the normalized underutilization of the run."""
    workload = whole_log()
    return float(
        summarize(simulate(workload, cell.algorithm), workload, Platform.of(workload))["normalized_underutilization"]
    )
