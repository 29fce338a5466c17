"""Measure sweeps through a real Redis and real forking workers: their cost, and the gain of a second worker.

`python -m benchmarks.sweeps`. A run is a thousand jobs of its own under EASY: drawing them, the run, its metrics and
bounds, its tables on disk, its outcome in the database. Accepting, recording and opening are measured on 10,000 runs,
whose outcomes are recorded as workers record them, with the figures of real runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import shadowtime as st
from benchmarks import emit
from shadowtime.workers.connection import connect
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records.sweeps import CANCELLED, Sweep
from shadowtime.workers.redis_names import Names
from shadowtime.workers.redis_server import Server, free_port
from shadowtime.workers.store import Store, open_store
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.batch import TOGETHER
from shadowtime.workers.sweeps.points import points
from shadowtime.workers.sweeps.progress import ProgressCache, SweepProgress
from shadowtime.workers.sweeps.reading import read
from shadowtime.workers.sweeps.submission import Stored

MANY = 10_000
RUNS = 1_200
"""Runs of a timed sweep."""
LOCAL_RUNS = 3_200
"""Runs of a sweep without the queue: an executor gets 16 at a time."""
WARM_UP = 64
PATIENCE = 600.0
SHOWN = ("mean_wait", "mean_bounded_stretch", "max_bounded_stretch")
"""Metrics that a figure shows when a sweep is opened."""
AT_MOST = {"accept_10000_s": 3.0, "run_ms_per_core": 4.0, "record_10000_s": 2.0, "open_10000_s": 1.0,
           "one_over_two_workers": 1 / 1.8}  # fmt: skip


def main() -> int:
    """Measure, print, and return 0 when the limits are met."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, Server(free_port()) as redis:
        store = open_store(Path(folder))
        queue = RunQueue(connect(redis.url), Names(store.identity))
        environment = {**os.environ, "SHADOWTIME_STORE": folder, "REDIS_URL": redis.url}
        one = swept(store, queue, environment, workers=1, first=1_000_000)
        two = swept(store, queue, environment, workers=2, first=2_000_000)
        figures |= {
            "runs": RUNS,
            "run_ms_per_core": one["seconds"] / RUNS * 1e3,
            "run_cpu_ms": one["cpu"] / RUNS * 1e3,
            "two_workers_ms_per_core": 2 * two["seconds"] / RUNS * 1e3,
            "speed_up": one["seconds"] / two["seconds"],
            "one_over_two_workers": two["seconds"] / one["seconds"],
        }
        figures |= without_queue()
        sweep, figures["accept_10000_s"] = accepted(store, queue, MANY, 0)
        submission.cancel(store, queue, sweep.id)
        figures["record_10000_s"] = recorded(store, sweep, one["sweep"])
        figures["open_10000_s"] = opened(store, sweep)
    return emit("sweeps", figures, AT_MOST)


def accepted(store: Store, queue: RunQueue, runs: int, first: int) -> tuple[Sweep, float]:
    """Return an accepted sweep with this number of runs, ten points at a load each, and the seconds until it was
    accepted."""
    began = time.perf_counter()
    question = {
        "workloads": ["lublin:jobs=1000"],
        "seeds": list(range(first, first + runs // 10)),
        "loads": [n / 10 for n in range(1, 11)],
        "algorithms": ["easy"],
    }
    asked = read(question, "the sweep", Stored(store).find)
    sweep, _ = submission.accept(store, queue, asked)
    return sweep, time.perf_counter() - began


def swept(store: Store, queue: RunQueue, environment: dict[str, str], *, workers: int, first: int) -> dict[str, Any]:
    """Return wall and CPU seconds of a sweep on `workers` workers, which are warm when it starts."""
    started = [
        subprocess.Popen([sys.executable, "-m", "shadowtime.workers.worker"], env=environment) for _ in range(workers)
    ]
    try:
        until(lambda: queue.health().workers == workers)
        warm, _ = accepted(store, queue, WARM_UP * 10, first + 500_000)
        until(lambda: store.sweeps.get(warm.id).status.status == "finished")
        before = sum(cpu(worker.pid) for worker in started)
        began = time.perf_counter()
        sweep, _ = accepted(store, queue, RUNS, first)
        until(lambda: store.sweeps.get(sweep.id).status.status == "finished")
        took = time.perf_counter() - began
        used = sum(cpu(worker.pid) for worker in started) - before
    finally:
        for worker in started:
            worker.kill()
            worker.wait()
        until(lambda: queue.health().workers == 0)
    found = SweepProgress(store, sweep).refresh(sweep).outcomes.counts()
    assert found["finished"] == RUNS, found
    return {"seconds": took, "cpu": used, "sweep": sweep}


def without_queue() -> dict[str, float | None]:
    """Return the milliseconds a run and core of `st.sweep`: in two processes of its own, and through dask with two
    worker processes (None where `distributed` is not installed)."""
    figures: dict[str, float | None] = {"processes_ms_per_core": timed(None), "dask_ms_per_core": None}
    if find_spec("distributed"):
        import distributed

        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            figures["dask_ms_per_core"] = timed(client.get_executor())
    return figures


def timed(executor: Executor | None) -> float:
    """Return the milliseconds a run and core on two cores, after a few runs that load the compiled code."""
    question = {"workloads": ["lublin:jobs=1000"], "loads": [n / 10 for n in range(1, 11)], "algorithms": ["easy"]}
    st.sweep({**question, "seeds": [1, 2]}, executor=executor, processes=2, progress=False)
    seeds = list(range(3, 3 + LOCAL_RUNS // 10))
    began = time.perf_counter()
    st.sweep({**question, "seeds": seeds}, executor=executor, processes=2, progress=False)
    return 2 * (time.perf_counter() - began) / LOCAL_RUNS * 1e3


def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, without taking the processor from the workers."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.02)


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process and of its children that it has waited for."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")


def recorded(store: Store, sweep: Sweep, like: Sweep) -> float:
    """Record the outcomes of a sweep as workers do, with the figures of another sweep's runs; return the seconds."""
    known = store.sweeps.outcomes.after(like.digest)[0]
    lines = [{**known[index % RUNS], "index": index} for index in range(MANY)]
    began = time.perf_counter()
    for first in range(0, MANY, TOGETHER):
        store.sweeps.outcomes.record(sweep.digest, lines[first : first + TOGETHER])
    took = time.perf_counter() - began
    assert store.sweeps.get(sweep.id).status.status == CANCELLED
    return took


def opened(store: Store, sweep: Sweep) -> float:
    """Return the seconds from empty caches to the points of a figure."""
    began = time.perf_counter()
    outcomes = ProgressCache(store).get(store.sweeps.get(sweep.digest)).outcomes
    shown = points(outcomes, sweep.status.workloads, only=SHOWN)
    took = time.perf_counter() - began
    assert outcomes.counts()["finished"] == MANY and shown[0]["n"] == MANY // 10
    return took


if __name__ == "__main__":
    sys.exit(main())
