"""Batch policies on whole archive logs: seconds, ratio to EASY measured beside it, memory, and the cost of a queue.

`python -m benchmarks.batch [LOG ...]`, of the logs in SHADOWTIME_TRACES; all without a name. Compiled code cached;
times are processor times, the quickest of three, EASY and the policy in turn. Memory is the peak of a process
of its own that reads the log and runs the policy once.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from benchmarks import durations, emit, traces
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.papers.batch.growth import SIZES, TIMED, Growth, time_growth
from shadowtime.workers.papers.batch.policies import POLICIES
from shadowtime.workers.papers.batch.workloads import LOGS, has_log, log

MEASURED = (
    "FCFS", "EASY", "Conservative", "Slack", "Lookahead", "EASY-SJBF", "EASY++", "LXF", "WFP3", "F1", "F1 alone",
)  # fmt: skip
TIMES = 3
PROGRAM = """
import resource, sys
from shadowtime.engine.simulation import simulate
from shadowtime.workers.papers.batch.policies import POLICIES
from shadowtime.workers.papers.batch.workloads import log
policy = POLICIES[sys.argv[2]]
simulate(log(sys.argv[1]), policy.slug, policy.parameters)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
"""Program of a separate process: its peak memory is that of reading a log and of one run."""


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    traces()
    names = [name for name in sys.argv[1:] or LOGS if has_log(name)]
    figures: dict[str, Any] = {name: {policy: measure(name, policy) for policy in MEASURED} for name in names}
    figures["growth"] = {name: [growth(name, jobs) for jobs in SIZES["full"]] for name in TIMED}
    limits = {}
    if "HPC2N" in names:
        figures["hpc2n_conservative_s"] = figures["HPC2N"]["Conservative"]["seconds"]
        figures["hpc2n_conservative_over_easy"] = figures["HPC2N"]["Conservative"]["over_easy"]
        limits = {"hpc2n_conservative_s": 10.0, "hpc2n_conservative_over_easy": 25.0}
    return emit("batch", figures, limits)


def growth(policy: str, jobs: int) -> dict[str, float]:
    """Return the queue and the processor time of an end, for so many generated jobs in overload."""
    cost = time_growth(Growth(policy, jobs))
    microseconds = 1e6 * cost.seconds / cost.ends
    return {"queue": round(cost.queue, 1), "longest": cost.longest, "us_per_end": round(microseconds, 2)}


def measure(name: str, policy: str) -> dict[str, float]:
    """Return seconds, ratio to EASY and memory of a policy on a whole log."""
    workload = log(name)
    took, easy = [], []
    for _ in range(TIMES):
        easy += durations(lambda: run(workload, "EASY"), 1)
        took += durations(lambda: run(workload, policy), 1)
    command = [sys.executable, "-c", PROGRAM, name, policy]
    memory = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    ratio = min(took) / min(easy)
    return {"seconds": round(min(took), 3), "over_easy": round(ratio, 2), "peak_memory_mb": round(memory)}


def run(workload: Workload, policy: str) -> None:
    """Run a policy of the study."""
    simulate(workload, POLICIES[policy].slug, POLICIES[policy].parameters)


if __name__ == "__main__":
    sys.exit(main())
