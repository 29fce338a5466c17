"""Planning on machines that differ: SJS and PJS at the paper's sizes and beyond, and its four studies.

`python -m benchmarks.pjs`. Planning is timed in processor time, the quickest of a few calls, on random tables in which
every job has times of its own; compiled code cached. The studies are timed by the clock.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks import emit
from shadowtime.engine import generate, simulate
from shadowtime.engine.families.classed.policies.planning import plan, warm_planner
from shadowtime.workers.papers import find_paper

TIMES = 5


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    for rule in ("sjs", "pjs"):
        warm_planner(rule)
    figures = {
        "sjs_100_x_100_ms": 1000 * call("sjs", 100, 100),
        "pjs_1000_jobs_s": call("pjs", 1000, 40, clusters=5, parallel=0.5),
        "pjs_1000_jobs_all_parallel_s": call("pjs", 1000, 40, clusters=5, parallel=1.0),
        "sjs_10000_x_1000_s": call("sjs", 10_000, 1000, times=1),
        "online_500_jobs_s": online(),
        "studies_s": studies(),
    }
    limits = {"sjs_100_x_100_ms": 2.0, "pjs_1000_jobs_s": 0.3, "pjs_1000_jobs_all_parallel_s": 0.3,
              "sjs_10000_x_1000_s": 10.0, "studies_s": 300.0}  # fmt: skip
    return emit("pjs", figures, limits)


def call(rule: str, jobs: int, machines: int, clusters: int = 0, parallel: float = 0.0, times: int = TIMES) -> float:
    """Return the processor time of one planning call [s]."""
    values = {"site": "random", "jobs": jobs, "machines": machines, "clusters": clusters, "parallel": parallel}
    site = generate("classed", values, 1).site
    assert site is not None, "a classed workload brings its site"
    expected, rows, clocks = site.experience.expected, np.arange(jobs), np.zeros(machines)
    taken = []
    for _ in range(times):
        began = time.process_time()
        plan(rule, rows, expected[:, :machines], expected[:, machines:], site.members, clocks)
        taken.append(time.process_time() - began)
    return min(taken)


def online() -> float:
    """Return the processor time of a whole run: 500 jobs at 8 a quantum, three levels, PJS [s]."""
    workload = generate("classed", {"jobs": 500, "rate": 8, "mix": "25/25/50"}, 1)
    simulate(workload, "pjs")
    began = time.process_time()
    simulate(workload, "pjs")
    return time.process_time() - began


def studies() -> float:
    """Return the wall time of `shadowtime paper pjs` [s]."""
    began = time.perf_counter()
    find_paper("pjs").study("quick", lambda sentence: None)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
