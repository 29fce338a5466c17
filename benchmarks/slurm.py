"""A site under Slurm on SDSC-BLUE: 144 nodes of 8 cores, a backfill loop every 30 s; beside EASY in the same run.

`python -m benchmarks.slurm`, of the log in SHADOWTIME_TRACES. Compiled code cached; `seconds` is the processor time of
a whole run, tables included. Memory is the peak of a process of its own that reads the log and runs it once.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks import durations, emit, traces
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.papers.batch.workloads import log

NAME = "SDSC-BLUE"
CORES = 8
LIMITS = {"seconds": 60.0}
"""Most processor time [s], on a core without other work."""
PROGRAM = """
from benchmarks.slurm import run, site
run(site())
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1024)
"""


def site() -> Workload:
    """Return the log on nodes of CORES cores."""
    found = log(NAME)
    return found.with_(machine={**found.machine, "cores_per_node": CORES})


def run(workload: Workload) -> None:
    """Simulate the site: defaults of Slurm, and a weight for age, so that the queue is nearly in order of arrival."""
    simulate(workload, "slurm", {"weight_age": 1000.0})


def main() -> int:
    """Measure, print, and return 0 when the limit is met."""
    traces()
    workload = site()
    run(workload.with_(jobs={name: values[:100] for name, values in workload.jobs.items()}))
    (easy,) = durations(lambda: simulate(workload, "easy"), 1)
    (took,) = durations(lambda: run(workload), 1)
    memory = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True).stdout
    figures = {"jobs": len(workload), "seconds": round(took, 1), "times_easy": round(took / easy, 1),
               "peak_mb": round(float(memory), 1)}  # fmt: skip
    return emit("slurm", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
