"""Measure the engine on HPC2N (202,871 jobs, 240 processors): speed of simulation, storing, start and report.

`python -m benchmarks.engine`, with SHADOWTIME_TRACES set. Warm unless stated otherwise.
"""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import durations, emit, seconds, traces
from shadowtime.engine import Simulation, Workload, read
from shadowtime.engine.runner.runner import Budget
from shadowtime.engine.workload.writers import write_swf

TRACE = "HPC2N-2002-2.2-cln.swf.gz"
SLICE = 5_000
"""Jobs of the slice for the plain-Python twin."""
SHORT = 1_000
LOOP, TURNS = 3_000_000, 7
"""Passes of the fixed loop, 0.24 s on a quiet machine, and turns of it with EASY."""
SLICE_ACTS = 40_000
"""Acts of a slice, as runs have them by default."""

STORED = """
import json, resource, sys, tempfile, time
began = time.perf_counter()
from pathlib import Path
from shadowtime.workers.execute import execute
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
trace, figures = Path(sys.argv[1]), {"import_s": time.perf_counter() - began}
for turn in ("", "warm_"):
    store = open_store(Path(tempfile.mkdtemp(dir=sys.argv[2])))
    opened = time.perf_counter()
    with trace.open("rb") as stream:
        entry, _ = store.workloads.add(stream, trace.name)
    workload = store.workloads.load(entry.digest)
    read = time.perf_counter()
    spec = RunSpec.of(workload, "easy")
    store.runs.accept(spec, jobs=len(workload))
    status = store.runs.begin(spec.digest)
    outcome = execute(spec, workload)
    simulated = time.perf_counter()
    tables = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
    assert store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)
    done = time.perf_counter()
    figures |= {
        f"{turn}file_to_stored_s": done - opened, f"{turn}read_s": read - opened, f"{turn}execute_s": simulated - read,
        f"{turn}store_s": done - simulated,
    }
    figures.setdefault("peak_memory_mb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
print(json.dumps(figures))
"""
"""Program of a separate process: its peak memory is that of one run. Its second turn has all code loaded, as a worker
has; the store is opened before the clock starts."""


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    path = traces() / TRACE
    with path.open("rb") as stream:
        workload = read(stream, path.name)
    figures: dict[str, Any] = {
        **against_loop(workload),
        "easy_s": simulation(workload, "easy"),
        "fcfs_s": simulation(workload, "fcfs"),
        **against_twin(workload),
        **file_to_stored(path),
        "cold_start_s": cold_start(workload),
    }
    return emit(
        "engine",
        figures,
        {
            "easy_s": 0.15,
            "easy_loops": 0.2,
            "file_to_stored_s": 1.0,
            "warm_file_to_stored_s": 1.0,
            "peak_memory_mb": 600.0,
            "cold_start_s": 1.5,
        },
    )


def simulation(workload: Workload, algorithm: str) -> float:
    """Return the median seconds in the kernel, with node identities, segments and events."""
    taken = []

    def run() -> None:
        sim = Simulation(workload, algorithm)
        for _ in sim.slices():
            pass
        taken.append(sim.simulate_s)

    seconds(run)
    return sorted(taken[1:])[len(taken[1:]) // 2]


def against_loop(workload: Workload) -> dict[str, float]:
    """Return the processor time of EASY in the kernel, in turns with a fixed loop of plain Python, and their ratio."""

    def loop() -> int:
        total = 0
        for i in range(LOOP):
            total += i * i % 7
        return total

    loops, runs = [], []
    for _ in range(TURNS):
        loops += durations(loop, 1)
        run, taken = Simulation(workload, "easy"), 0.0
        while not run._done:
            began = time.process_time()
            progress = run._runner.advance(Budget(SLICE_ACTS))
            taken += time.process_time() - began
            run._slice(progress)
        runs.append(taken)
    return {"loop_cpu_s": min(loops), "easy_cpu_s": min(runs), "easy_loops": min(runs) / min(loops)}


def against_twin(workload: Workload) -> dict[str, float]:
    """Return the speed-up over the slow, obvious twin of the tests, on the first jobs of the log."""
    from tests.reference.batch_twin import Twin

    part = first(workload, SLICE)
    jobs = part.jobs
    estimate = np.where(np.isnan(jobs["requested"]), jobs["runtime"], jobs["requested"])
    rows = list(
        zip(*(c.tolist() for c in (jobs["release"], jobs["runtime"], estimate, jobs["processors"])), strict=True)
    )
    twin = seconds(lambda: Twin(rows, int(part.machine["processors"]), backfill=True).run(), times=1)
    ours = simulation(part, "easy")
    return {"twin_jobs": SLICE, "twin_s": twin, "times_faster_than_twin": twin / ours}


def file_to_stored(path: Path) -> dict[str, float]:
    """Measure from a file on disk to a finished run in the store, in a new process: its second run, compiled code
    cached."""
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            answer = subprocess.run(
                [sys.executable, "-c", STORED, path, folder], capture_output=True, text=True, check=True
            )
    return json.loads(answer.stdout)


def cold_start(workload: Workload) -> float:
    """Measure a new process from the command to its first figures, on a trace of 1,000 jobs, compiled code cached."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "short.swf.gz"
        path.write_bytes(gzip.compress(swf_of(first(workload, SHORT))))
        command = [str(Path(sys.executable).parent / "shadowtime"), "simulate", str(path), "-a", "easy", "--json"]
        return seconds(lambda: subprocess.run(command, capture_output=True, check=True), times=5)


def first(workload: Workload, n: int) -> Workload:
    """Return the first `n` jobs."""
    return workload.with_(jobs={name: column[:n] for name, column in workload.jobs.items()})


def swf_of(workload: Workload) -> bytes:
    """Return the jobs as a log."""
    text = io.BytesIO()
    write_swf(workload, text)
    return text.getvalue()


if __name__ == "__main__":
    sys.exit(main())
