"""Batch policies on whole archive logs: seconds, ratio to EASY measured beside it, memory, and the cost of a queue.

`python -m benchmarks.batch [LOG ...] [growth]`, of the logs in SHADOWTIME_TRACES; all, and the cost of a queue, without
a name. Compiled code cached; `kernel_s` is the wall time of the simulation with its record, `seconds` the processor
time of the whole call, tables included; the quickest of three, EASY and the policy in turn. Memory is the peak of a
process of its own that reads the log and runs the policy once.
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
LIMITS = {
    "KTH": {"Conservative": 0.05},
    "CTC": {"Conservative": 0.6},
    "HPC2N": {"Conservative": 1.0, "EASY-SJBF": 0.15, "F1": 0.15, "WFP3": 0.2, "EASY++": 0.25},
    "SDSC-BLUE": {"Conservative": 1.0},
}
"""Most time in the kernel [s], on two cores without other work."""
TIMES = 3
PROGRAM = """
import sys
from shadowtime.engine.simulation import simulate
from shadowtime.workers.papers.batch.policies import POLICIES
from shadowtime.workers.papers.batch.workloads import log
policy = POLICIES[sys.argv[2]]
simulate(log(sys.argv[1]), policy.slug, policy.parameters)
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1024)
"""
"""Program of a separate process: its peak memory is that of reading a log and of one run. `ru_maxrss` would be that of
the process which started it, where that is larger."""


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    traces()
    named = sys.argv[1:] or [*LOGS, "growth"]
    figures: dict[str, Any] = {}
    limits = {}
    for name in [name for name in LOGS if name in named and has_log(name)]:
        figures[name] = {policy: measure(name, policy) for policy in MEASURED}
        for policy, most in LIMITS[name].items():
            figures[f"{name} {policy} kernel_s"] = figures[name][policy]["kernel_s"]
            limits[f"{name} {policy} kernel_s"] = most
    if "growth" in named:
        figures["growth"] = {name: [growth(name, jobs) for jobs in SIZES["full"]] for name in TIMED}
    return emit("batch", figures, limits)


def growth(policy: str, jobs: int) -> dict[str, float]:
    """Return the queue and the processor time of an end, for so many generated jobs in overload."""
    cost = time_growth(Growth(policy, jobs))
    microseconds = 1e6 * cost.seconds / cost.ends
    return {"queue": round(cost.queue, 1), "longest": cost.longest, "us_per_end": round(microseconds, 2)}


def measure(name: str, policy: str) -> dict[str, float]:
    """Return seconds, ratio to EASY and memory of a policy on a whole log."""
    workload = log(name)
    took, easy, kernel = [], [], []
    for _ in range(TIMES):
        easy += durations(lambda: run(workload, "EASY"), 1)
        took += durations(lambda: kernel.append(run(workload, policy)), 1)
    command = [sys.executable, "-c", PROGRAM, name, policy]
    memory = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    ratio = min(took) / min(easy)
    return {
        "kernel_s": round(min(kernel), 3),
        "seconds": round(min(took), 3),
        "over_easy": round(ratio, 2),
        "peak_memory_mb": round(memory),
    }


def run(workload: Workload, policy: str) -> float:
    """Run a policy of the study; return the time in the kernel [s]."""
    return simulate(workload, POLICIES[policy].slug, POLICIES[policy].parameters).timing["simulate_s"]


if __name__ == "__main__":
    sys.exit(main())
