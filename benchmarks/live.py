"""What it costs that somebody may watch: a run of 2 s and more with its news going to a real Redis, and without.

`python -m benchmarks.live`. Both ways in turn, the median of each; the run's own time is that of the simulation.
"""

from __future__ import annotations

import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import emit
from workers.connection import connect
from workers.execute import execute
from workers.live import Publisher
from workers.queue import RunQueue
from workers.redis_server import Server
from workers.spec import RunSpec
from workers.store import Store, open_store
from workers.tasks import Reporter

JOBS = 2_000_000
ROUNDS = 3
ALGORITHM = "easy"


def main() -> int:
    """Measure, print, and say by the exit code whether the limit is kept."""
    with tempfile.TemporaryDirectory() as folder, Server(free_port()) as redis:
        store = open_store(Path(folder))
        entry, _ = store.workloads.generate("uniform", {"jobs": JOBS, "load": 0.9}, 1)
        workload = store.workloads.load(entry.digest)
        off, on, simulated = [], [], []
        for round_ in range(ROUNDS + 1):
            spec = RunSpec.of(workload, ALGORITHM, seed=round_)
            store.runs.accept(spec, jobs=len(workload))
            began = time.perf_counter()
            outcome = execute(spec, workload)
            off.append(time.perf_counter() - began)
            simulated.append(outcome.summary["timing"]["simulate_s"])
            on.append(watched(store, redis.url, spec, workload))
    figures = {
        "jobs": JOBS,
        "simulate_s": statistics.median(simulated[1:]),
        "off_s": statistics.median(off[1:]),
        "on_s": statistics.median(on[1:]),
    }
    figures["slower"] = figures["on_s"] / figures["off_s"] - 1
    return emit("live", figures, {"slower": 0.05})


def watched(store: Store, url: str, spec: RunSpec, workload: Any) -> float:
    """Seconds of the same run with everything that a worker does for those who watch."""
    connection = connect(url)
    queue, publisher = RunQueue(connection), Publisher(connection)
    status = store.runs.begin(spec.digest)
    assert status is not None, "the run is queued"
    reporter = Reporter(store, queue, publisher, spec.digest, status, 3600.0)
    began = time.perf_counter()
    reporter.expect(workload)
    execute(spec, workload, reporter.hear)
    took = time.perf_counter() - began
    reporter.close()
    return took


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


if __name__ == "__main__":
    sys.exit(main())
