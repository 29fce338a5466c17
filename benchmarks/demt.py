"""Moldable jobs: DEMT at the paper's size and at a large one, the tight interval program, and the paper's whole study.

`python -m benchmarks.demt` measures wall and processor time of planning; `--study` runs the study at full scale too.
Compiled code is cached.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from benchmarks import durations, emit, seconds
from shadowtime.engine.families.moldable.bounds import Moldable
from shadowtime.engine.families.moldable.entries import DEMT
from shadowtime.engine.families.moldable.policies.demt import demt
from shadowtime.engine.families.moldable.workload import times
from shadowtime.engine.parameters import resolve
from shadowtime.engine.runner.watch import Watch
from shadowtime.engine.workload.generators.generate import generate

FAMILIES = ("weak", "high", "mixed", "cirne")
VALUES = resolve(DEMT.parameters, {}, "demt")


def cpu(work: Callable[[], object], runs: int) -> float:
    """Return the least processor time of `work` [s], after one run that warms the caches."""
    work()
    return min(durations(work, runs))


def planning(jobs: int, processors: int, family: str) -> Callable[[], object]:
    """Plan with DEMT, without drawing the jobs: dual approximation, batches, final schedules."""
    workload = generate("moldable", {"jobs": jobs, "processors": processors, "family": family}, 1)
    p, weight = times(workload, processors), workload.jobs["weight"]
    return lambda: demt(p, weight, VALUES, np.random.default_rng(0), Watch())


def tight_program(family: str) -> Callable[[], object]:
    """Solve the tight program on the doubling grid, n = 400 on 200 processors, including its matrix."""
    from shadowtime.engine.families.moldable.interval_lp import interval_lp

    workload = generate("moldable", {"jobs": 400, "processors": 200, "family": family}, 1)
    source = Moldable(workload, 200, np.arange(400))
    return lambda: interval_lp(source.doubling(), True)


def main() -> int:
    """Measure, print, and return 0 when the limits are met."""
    paper = {family: planning(400, 200, family) for family in FAMILIES}
    large = {family: planning(10_000, 1_000, family) for family in FAMILIES}
    figures: dict[str, object] = {
        "demt_400_s": max(seconds(work, 7) for work in paper.values()),
        "demt_400_cpu_s": max(cpu(work, 7) for work in paper.values()),
        "demt_10000_s": max(seconds(work, 1) for work in large.values()),
        "demt_10000_cpu_s": max(cpu(work, 1) for work in large.values()),
        "tight_program_400_s": max(seconds(tight_program(family)) for family in FAMILIES),
        "tight_program_400_cpu_s": max(cpu(tight_program(family), 5) for family in FAMILIES),
    }
    limits = {"demt_400_s": 0.020, "demt_10000_s": 5.0, "tight_program_400_s": 0.3}
    if "--study" in sys.argv:
        from shadowtime.workers.papers import find_paper

        figures["study_s"] = find_paper("demt").study("full", lambda sentence: None).seconds
        limits["study_s"] = 600.0
    return emit("demt", figures, limits)


if __name__ == "__main__":
    sys.exit(main())
