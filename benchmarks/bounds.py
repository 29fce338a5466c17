"""Lower bounds: S* of 1,000 jobs, against bisection over a linear program, and all bounds of a whole log.

`python -m benchmarks.bounds`; with SHADOWTIME_TRACES set also those of HPC2N (202,871 jobs).
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import emit, seconds
from shadowtime.engine.bounds.fluid import Fluid
from shadowtime.engine.bounds.registry import lower_bounds
from shadowtime.engine.bounds.work import Work, work_of
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.reading import read
from tests.reference.stretch_lp import smallest_target

TRACE = "HPC2N-2002-2.2-cln.swf.gz"
TAU = 10.0
SEEDS = 20


def lublin(jobs: int, seed: int) -> Work:
    """Lublin-like jobs on 128 nodes at load 0.8."""
    workload = generate("lublin", {"jobs": jobs, "processors": 128, "load": 0.8}, seed)
    return work_of(find_family(workload.kind), workload, 128)


def stretch_bound(work: Work) -> float:
    return max(Fluid(work, TAU).max_bounded_stretch().values())


def main() -> int:
    """Measure, print, and return 0 when the limits are met."""
    took = [seconds(partial(stretch_bound, lublin(1000, seed)), 3) for seed in range(SEEDS)]
    small = lublin(100, 1)
    cut_s = seconds(lambda: stretch_bound(small))
    began = time.perf_counter()
    by_program = smallest_target(small, np.maximum(small.runtime, TAU))
    program_s = time.perf_counter() - began
    figures: dict[str, object] = {
        "cut_1000_jobs_s": statistics.median(took),
        "cut_1000_jobs_slowest_s": max(took),
        "cut_100_jobs_s": cut_s,
        "linear_program_100_jobs_s": program_s,
        "times_faster_at_100_jobs": program_s / cut_s,
        "relative_difference": abs(stretch_bound(small) / by_program - 1.0),
    }
    limits = {"cut_1000_jobs_s": 0.1, "relative_difference": 1e-6}
    if folder := os.environ.get("SHADOWTIME_TRACES"):
        figures |= whole_log(Path(folder) / TRACE)
        limits |= {"log_all_bounds_s": 0.3, "log_without_cut_s": 0.06}
    figures["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return emit("bounds", figures, limits)


def whole_log(path: Path) -> dict[str, object]:
    """Measure all bounds of a log, and those that need no cut."""
    with path.open("rb") as stream:
        workload = read(stream, path.name)
    platform = Platform.of(workload)
    work = work_of(find_family(workload.kind), workload, platform.lanes)

    def without_cut() -> None:
        bounds = Fluid(work, TAU)
        for name in ("makespan", "total_job_time", "weighted_completion", "mean_bounded_stretch"):
            getattr(bounds, name)()

    return {
        "log_jobs": len(work),
        "log_all_bounds_s": seconds(lambda: lower_bounds(workload, platform, TAU)),
        "log_without_cut_s": seconds(without_cut),
        "log_max_bounded_stretch": lower_bounds(workload, platform, TAU).values["max_bounded_stretch"],
    }


if __name__ == "__main__":
    sys.exit(main())
