"""Measure a log from file on disk to stored result, through a real Redis and a real forking worker; and storing alone.

`python -m benchmarks.service`. The path of a person who drops HPC2N on the page: the file is parsed and stored, the
question is accepted, a worker simulates it, computes metrics and bounds, and stores the result.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import emit, traces
from shadowtime.engine.tables import EVENTS, JOBS, SEGMENTS, SERIES, empty
from shadowtime.workers import submit
from shadowtime.workers.connection import connect
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.redis_server import Server, free_port
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, open_store

LOG = "HPC2N-2002-2.2-cln.swf.gz"
ROUNDS = 3
ROWS = 1_000_000
PATIENCE = 120.0


def main() -> int:
    """Measure, print, and return 0 when the limits are met."""
    log = traces() / LOG
    with tempfile.TemporaryDirectory() as folder, Server(free_port()) as redis:
        store = open_store(Path(folder))
        queue = RunQueue(connect(redis.url), Names(store.identity))
        environment = {**os.environ, "SHADOWTIME_STORE": folder, "REDIS_URL": redis.url}
        worker = subprocess.Popen([sys.executable, "-m", "shadowtime.workers.worker"], env=environment)
        try:
            until(lambda: queue.health().workers == 1)
            timed = [whole(store, queue, log) for _ in range(ROUNDS + 1)][1:]
        finally:
            worker.kill()
            worker.wait()
        stored = [storing(store, seed) for seed in range(ROUNDS + 1)][1:]
    figures: dict[str, Any] = {name: statistics.median(one[name] for one in timed) for name in timed[0]}
    # The largest of all processes that were waited for: the worker, or one of its forks.
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    figures["store_1m_segments_s"] = statistics.median(stored)
    return emit("service", figures, {"file_to_stored_s": 2.0, "peak_mb": 600.0, "store_1m_segments_s": 0.15})


def whole(store: Store, queue: RunQueue, log: Path) -> dict[str, float]:
    """Return the seconds of each step, and delete everything afterwards."""
    began = time.perf_counter()
    with log.open("rb") as file:
        entry, _ = store.workloads.add(file, log.name)
    kept = time.perf_counter()
    spec, _ = submit.accept(store, queue, {"workload": entry.id, "algorithm": "easy"})
    accepted = time.perf_counter()
    until(lambda: not store.runs.get(spec.digest).status.is_unfinished)
    ended = time.perf_counter()
    run = store.runs.get(spec.digest)
    assert run.status.is_finished and run.summary is not None, run.status.error
    timing = run.summary["timing"]
    store.runs.delete(spec.digest)
    store.workloads.delete(entry.digest)
    return {
        "file_to_stored_s": ended - began,
        "keep_file_s": kept - began,
        "accept_s": accepted - kept,
        "accepted_to_stored_s": ended - accepted,
        "load_s": timing["load_s"],
        "simulate_s": timing["simulate_s"],
        "tables_s": timing["tables_s"],
        "metrics_s": timing["metrics_s"],
    }


def storing(store: Store, seed: int) -> float:
    """Return the seconds to write and flush a run with a million segments."""
    spec = RunSpec({"digest": "0" * 64, "case": None}, (), {"processors": 10}, "actual", "easy", {}, seed, "0.1.0")
    store.runs.accept(spec)
    store.runs.begin(spec.digest)
    tables = {"jobs": empty(JOBS, 1000), "events": empty(EVENTS, 1000), "series": empty(SERIES, 1000)}
    tables["segments"] = {name: np.ones(ROWS, dtype) for name, dtype in SEGMENTS.items()}
    began = time.perf_counter()
    assert store.runs.finish(spec.digest, 1, tables, {})
    return time.perf_counter() - began


def until(condition: Any) -> None:
    """Wait for a condition, checked some thousand times a second."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.001)


if __name__ == "__main__":
    sys.exit(main())
