"""A policy in Python on KTH-SP2 (28,476 jobs, 100 processors), beside the compiled one in the same run.

`python -m benchmarks.desk`, with SHADOWTIME_TRACES set. The policy is first come, first served as the docstring of
`engine.desk` shows it.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from benchmarks import emit, traces
from shadowtime.engine import Simulation, Workload, read
from shadowtime.engine.desk import Desk

TRACE = "KTH-SP2-1996-2.1-cln.swf.gz"
TIMES = 5


class Fcfs:
    """First come, first served."""

    def decide(self, desk: Desk) -> None:
        """Start jobs in order of submission; stop at the first that does not fit."""
        for job in desk.waiting:
            free = desk.free_lanes()
            if desk.size(job) > len(free):
                return
            desk.place(job, free[: desk.size(job)])


def main() -> int:
    """Measure, print, and say by the exit code whether every figure is reached."""
    path = traces() / TRACE
    with path.open("rb") as stream:
        workload = read(stream, path.name)
    python, decisions = fastest(workload, Fcfs())
    compiled, same = fastest(workload, "fcfs", {"event_order": "instant"})
    assert decisions == same, "both make the same decisions"
    figures = {
        "decisions": decisions,
        "python_s": python,
        "compiled_s": compiled,
        "us_a_decision": 1e6 * python / decisions,
        "decisions_a_second": decisions / python,
        "times_the_compiled": python / compiled,
    }
    return emit("desk", figures, {"us_a_decision": 10.0, "times_the_compiled": 30.0})


def fastest(workload: Workload, algorithm: Any, parameters: Any = None) -> tuple[float, int]:
    """Return the least of TIMES times of a run [s], and the number of decisions.

    Processor time, tables left out: other processes on the machine count less than in wall time.
    """
    taken, decisions = [], 0
    for _ in range(TIMES):
        run = Simulation(workload, algorithm, parameters)
        began = time.process_time()
        for _ in run.slices():
            pass
        taken.append(time.process_time() - began)
        decisions = run.schedule().counters["decisions"]
    return min(taken), decisions


if __name__ == "__main__":
    sys.exit(main())
