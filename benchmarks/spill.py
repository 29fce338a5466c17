"""A DFRS run of millions of rectangles, held in memory and spilled to disk: peak memory, seconds, and the same bits;
and the peak memory of its exports as CSV and Parquet.

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
from contextlib import contextmanager
from pathlib import Path
from shadowtime.dashboard.sharing import exporting
from shadowtime.engine.workload.reading import read
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.execute import execute
from shadowtime.workers.exports import Window
from shadowtime.workers.rerun import digest_of
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
trace, weeks, is_held, is_exported = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "held", "exports" in sys.argv
steps = [{"name": "week", "parameters": {"k": 0, "weeks": weeks}}] if weeks else []
with open(trace, "rb") as stream:
    workload = convert_all(read(stream, "HPC2N"), [*steps, {"name": "fractional", "parameters": {}}], 0)
spec = RunSpec.of(workload, "greedypm*/per/opt=min/minvt=600")

def private():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) / 1024

execute(spec, workload.with_(jobs={name: column[:50] for name, column in workload.jobs.items()}))  # compiled now

@contextmanager
def watched():
    # Yields a list that gets the peak of private memory above that at the beginning [MB].
    before, ended, peaks = private(), threading.Event(), [0.0]

    def watch():
        while not ended.wait(0.02):
            peaks[0] = max(peaks[0], private() - before)

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield peaks
    ended.set()
    watcher.join()

with tempfile.TemporaryDirectory() as folder:
    store = open_store(Path(folder))
    store.runs.accept(spec, jobs=len(workload))
    status = store.runs.begin(spec.digest)
    began = time.perf_counter()
    with watched() as of_run, store.runs.spool(spec.digest) as spool:
        outcome = execute(spec, workload, spool=None if is_held else spool)
        found = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
        assert store.runs.finish(spec.digest, status.attempt, found, outcome.summary)
    took = time.perf_counter() - began
    run = store.runs.get(spec.digest)
    names, metrics = list(found), outcome.summary["metrics"]
    outcome = found = None
    with watched() as of_exports:
        for name in exporting.FORMS if is_exported else ():
            form = exporting.FORMS[name]
            for table in exporting.TABLES if form.of_table else ():
                chosen = exporting.Export(store, run, table, Window())
                for piece in exporting.written(form, chosen):
                    pass
    print(json.dumps({
        "rectangles": len(run.table("segments")["job"]), "events": len(run.table("events")["job"]), "s": took,
        "peak_mb": of_run[0], "export_peak_mb": of_exports[0],
        "bits": [digest_of(run.table(name)) for name in names] + [metrics],
    }))
"""


def main() -> int:
    """Measure, print, and say by the exit code whether every figure is reached."""
    held, spilled = run(WEEKS, "held"), run(WEEKS, "spilled", "exports")
    figures: dict[str, Any] = {
        "rectangles": held["rectangles"],
        "events": held["events"],
        "in_memory_peak_mb": held["peak_mb"],
        "spilled_peak_mb": spilled["peak_mb"],
        "export_peak_mb": spilled["export_peak_mb"],
        "peak_over_in_memory": spilled["peak_mb"] / held["peak_mb"],
        "in_memory_s": held["s"],
        "spilled_s": spilled["s"],
        "s_over_in_memory": spilled["s"] / held["s"],
        "answers_that_differ": int(spilled["bits"] != held["bits"]),
    }
    limits = {"export_peak_mb": 1000.0, "peak_over_in_memory": 0.5, "s_over_in_memory": 1.5, "answers_that_differ": 0.0}
    if "log" in sys.argv[1:]:
        whole = run(0, "spilled", "exports")
        figures |= {f"log_{name}": whole[name] for name in ("rectangles", "events", "s", "peak_mb", "export_peak_mb")}
        limits |= {"log_peak_mb": 1000.0, "log_export_peak_mb": 1000.0}
    return emit("spill", figures, limits)


def run(weeks: int, *how: str) -> dict[str, Any]:
    """One run in a process of its own, its rectangles `held` or `spilled`; 0 weeks: the whole log.

    With `exports`, its tables are then written as CSV and as Parquet.
    """
    command = [sys.executable, "-c", RUN, str(traces() / "HPC2N-2002-2.2-cln.swf.gz"), str(weeks), *how]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
