"""Measure the cost of live progress: a run of 2 s and more with messages to a real Redis, and without.

`python -m benchmarks.live`. Both ways in turn, the best of each, since other load only adds time. `held_up` is the
share of the run spent on publishing.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import emit
from shadowtime.engine import Simulation, Workload
from shadowtime.workers.connection import connect
from shadowtime.workers.execute import SLICE_SECONDS
from shadowtime.workers.live import Publisher
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.redis_server import Server, free_port
from shadowtime.workers.settings import Settings
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, open_store
from shadowtime.workers.tasks import Reporter

JOBS = 2_000_000
LOAD = 0.92
ROUNDS = 5
ALGORITHM = "easy"


def main() -> int:
    """Measure, print, and return 0 when the limit is met."""
    with tempfile.TemporaryDirectory() as folder, Server(free_port()) as redis:
        store = open_store(Path(folder))
        entry, _ = store.workloads.generate("uniform", {"jobs": JOBS, "load": LOAD}, 1)
        workload = store.workloads.load(entry.digest)
        unpublished(workload)
        off, on, shares = [], [], []
        for round_ in range(ROUNDS):
            off.append(unpublished(workload))
            spent, publishing = published(store, redis.url, RunSpec.of(workload, ALGORITHM, seed=round_), workload)
            on.append(spent)
            shares.append(publishing / (spent - publishing))
    figures = {
        "jobs": JOBS,
        "off_s": min(off),
        "on_s": min(on),
        "slower": min(on) / min(off) - 1,
        "held_up": statistics.median(shares),
    }
    return emit("live", figures, {"slower": 0.05})


def unpublished(workload: Workload) -> float:
    """Return the seconds of a run without live progress."""
    run = Simulation(workload, ALGORITHM)
    began = time.perf_counter()
    for _ in run.slices():
        pass
    return time.perf_counter() - began


def published(store: Store, url: str, spec: RunSpec, workload: Workload) -> tuple[float, float]:
    """Return the seconds of the same run with live tables and messages, and of those alone."""
    connection, names = connect(url), Names(store.identity)
    store.runs.accept(spec, jobs=len(workload))
    status = store.runs.begin(spec.digest)
    assert status is not None, "the run is queued"
    reporter = Reporter(
        store, RunQueue(connection, names), Publisher(connection, names), spec.digest, status, Settings()
    )
    run = Simulation(workload, ALGORITHM)
    began = time.perf_counter()
    reporter.expect(workload)
    publishing = 0.0
    for piece in run.slices(seconds=SLICE_SECONDS):
        handed = time.perf_counter()
        reporter.hear(piece)
        publishing += time.perf_counter() - handed
    took = time.perf_counter() - began
    reporter.close()
    return took, publishing


if __name__ == "__main__":
    sys.exit(main())
