"""Measure what a short run costs a worker: with a fork for each run, and with forks that runs share.

`python -m benchmarks.short_runs`. A real Redis and a real forking worker; a run is a thousand drawn jobs under EASY.
Both ways take turns on the same machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import emit
from benchmarks._usage import children
from benchmarks.sweeps import cpu, until
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers import submit
from shadowtime.workers.connection import connect
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.redis_server import Server, free_port
from shadowtime.workers.shared_fork import SHARED_SECONDS
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, open_store

RUNS, TURNS = 200, 3
JOBS = 1_000
PROGRAM = """
import sys
from shadowtime.workers import worker
worker.SHARED_SECONDS = float(sys.argv[1])
sys.exit(worker.main())
"""
"""A worker whose forks take further runs for so many seconds."""


def main() -> int:
    """Measure, print, and return 0 when a shared fork saves a third."""
    shared, alone = [], []
    with tempfile.TemporaryDirectory() as folder, Server(free_port()) as redis:
        store = open_store(Path(folder))
        queue = RunQueue(connect(redis.url), Names(store.identity))
        environment = {**os.environ, "SHADOWTIME_STORE": folder, "REDIS_URL": redis.url}
        for turn in range(TURNS):
            alone.append(measured(store, queue, environment, 0.0, 2 * turn))
            shared.append(measured(store, queue, environment, SHARED_SECONDS, 2 * turn + 1))
    figures: dict[str, Any] = {
        "runs": RUNS,
        "fork_each_cpu_ms": min(alone),
        "shared_fork_cpu_ms": min(shared),
        "ratio": min(shared) / min(alone),
    }
    return emit("short_runs", figures, {"ratio": 2 / 3})


def measured(store: Store, queue: RunQueue, environment: dict[str, str], seconds: float, turn: int) -> float:
    """Return the processor milliseconds of a worker and its forks for a run."""
    specs = [RunSpec.of(generate("lublin", {"jobs": JOBS}, RUNS * turn + n), "easy") for n in range(RUNS)]
    worker = subprocess.Popen([sys.executable, "-c", PROGRAM, str(seconds)], env=environment)
    try:
        until(lambda: queue.health().workers == 1)
        before, ended = cpu(worker.pid), store.runs.counts().get("finished", 0)
        for spec in specs:
            submit.admit(store, queue, spec, JOBS)
        # The time of a fork counts once the worker has waited for it.
        until(lambda: store.runs.counts().get("finished", 0) - ended == RUNS and not children(worker.pid))
        return (cpu(worker.pid) - before) / RUNS * 1e3
    finally:
        worker.kill()
        worker.wait()
        until(lambda: queue.health().workers == 0)


if __name__ == "__main__":
    sys.exit(main())
