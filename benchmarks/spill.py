"""A DFRS run of millions of rectangles, held in memory and spilled to disk: peak memory, seconds, and the same bits.

`python -m benchmarks.spill [log]`, with SHADOWTIME_TRACES set: 40 weeks of HPC2N both ways; with `log` also the whole
log (70 million rectangles, some 10 GB of disk meanwhile), spilled. Peaks are of private memory: pages of mapped files
are the disk's cache. Each run is a process of its own; only Linux says what is private.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from benchmarks import emit, traces

WEEKS = 40

RUN = """
import json, sys, tempfile, threading, time
from pathlib import Path
from shadowtime.engine.workload.reading import read
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.execute import execute
from shadowtime.workers.rerun import digest_of
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
trace, weeks, is_held = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "held"
steps = [{"name": "week", "parameters": {"k": 0, "weeks": weeks}}] if weeks else []
with open(trace, "rb") as stream:
    workload = convert_all(read(stream, "HPC2N"), [*steps, {"name": "fractional", "parameters": {}}], 0)
spec = RunSpec.of(workload, "greedypm*/per/opt=min/minvt=600")

def private():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) / 1024

execute(spec, workload.with_(jobs={name: column[:50] for name, column in workload.jobs.items()}))  # compiled now
peak, before, ended = 0.0, private(), threading.Event()

def watch():
    global peak
    while not ended.wait(0.02):
        peak = max(peak, private())

watcher = threading.Thread(target=watch)
with tempfile.TemporaryDirectory() as folder:
    store = open_store(Path(folder))
    store.runs.accept(spec, jobs=len(workload))
    status = store.runs.begin(spec.digest)
    watcher.start()
    began = time.perf_counter()
    with store.runs.spool(spec.digest) as spool:
        outcome = execute(spec, workload, spool=None if is_held else spool)
        found = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
        assert store.runs.finish(spec.digest, status.attempt, found, outcome.summary)
    took = time.perf_counter() - began
    ended.set()
    watcher.join()
    run = store.runs.get(spec.digest)
    print(json.dumps({
        "rectangles": len(run.table("segments")["job"]), "events": len(run.table("events")["job"]), "s": took,
        "peak_mb": peak - before,
        "bits": [digest_of(run.table(name)) for name in found] + [outcome.summary["metrics"]],
    }))
"""


def main() -> int:
    """Measure, print, and say by the exit code whether every figure is reached."""
    held, spilled = run(WEEKS, "held"), run(WEEKS, "spilled")
    figures: dict[str, Any] = {
        "rectangles": held["rectangles"],
        "events": held["events"],
        "in_memory_peak_mb": held["peak_mb"],
        "spilled_peak_mb": spilled["peak_mb"],
        "peak_over_in_memory": spilled["peak_mb"] / held["peak_mb"],
        "in_memory_s": held["s"],
        "spilled_s": spilled["s"],
        "s_over_in_memory": spilled["s"] / held["s"],
        "answers_that_differ": int(spilled["bits"] != held["bits"]),
    }
    limits = {"peak_over_in_memory": 0.5, "s_over_in_memory": 1.5, "answers_that_differ": 0.0}
    if "log" in sys.argv[1:]:
        whole = run(0, "spilled")
        figures |= {f"log_{name}": whole[name] for name in ("rectangles", "events", "s", "peak_mb")}
        limits["log_peak_mb"] = 1000.0
    return emit("spill", figures, limits)


def run(weeks: int, how: str) -> dict[str, Any]:
    """One run in a process of its own, its rectangles `held` or `spilled`; 0 weeks: the whole log."""
    command = [sys.executable, "-c", RUN, str(traces() / "HPC2N-2002-2.2-cln.swf.gz"), str(weeks), how]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
