"""Fractional scheduling: one packing with its search, 1,000 synthetic jobs, and the whole HPC2N log under the best
algorithm.

`python -m benchmarks.fractional [log]`; the log, which takes minutes, only when it is asked for. Compiled code cached;
times are those of the process, so that a busy machine counts little.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks import emit, traces
from engine import Simulation, generate
from engine.policies import find
from engine.workload import Workload, convert, read

BEST = "greedypm*/per/opt=min/minvt=600"
INSTANCES = 20


def main() -> int:
    """Measure, print, and say by the exit code whether every figure is reached."""
    figures: dict[str, Any] = {"mcb8_call_ms": 1000 * packing()}
    for name, slug in (("best", BEST), ("greedyp", "greedyp*"), ("average", BEST.replace("min/", "avg/"))):
        figures[f"{name}_s"] = median(lambda seed, slug=slug: simulated(generate("fractional", seed=seed), slug))
    limits = {"mcb8_call_ms": 0.4, "best_s": 0.15}
    if sys.argv[1:] == ["log"]:
        figures["hpc2n_s"] = simulated(hpc2n(), BEST, keep=False)
        limits["hpc2n_s"] = 60.0
    return emit("fractional", figures, limits)


def median(work: Callable[[int], float]) -> float:
    """Median over instances, after one that warms."""
    work(0)
    return statistics.median(work(seed) for seed in range(1, INSTANCES + 1))


def packing() -> float:
    """All jobs of a hundred packed at second 0: MCB8 with its search, and carrying it out [s]."""
    from engine.policies.fractional.run import run_fractional
    from engine.policies.fractional.state import make

    def once(seed: int) -> float:
        workload = generate("fractional", {"jobs": 100}, seed)
        workload = workload.with_(jobs={**workload.jobs, "release": 0.0 * workload.jobs["release"]})
        entry, run = find("/per"), Simulation(workload, "/per")
        memory = make(workload, {**entry.options, **run.parameters}, 128)
        began = time.process_time()
        run_fractional(run._state, memory, 1)
        return time.process_time() - began

    return median(once)


def simulated(workload: Workload, slug: str, *, keep: bool = True) -> float:
    """A run, with its tables or (keep: False) without [s]."""
    run = Simulation(workload, slug)
    began = time.process_time()
    for _ in run.slices():
        if not keep:
            run._pieces.clear()
    if keep:
        run.schedule()
    return time.process_time() - began


def hpc2n() -> Workload:
    """The log as tasks on 120 nodes."""
    with (traces() / "HPC2N-2002-2.2-cln.swf.gz").open("rb") as stream:
        return convert(read(stream, "HPC2N"), "fractional")


if __name__ == "__main__":
    sys.exit(main())
