"""Two tiers at the paper's size: 200,000 Feitelson-like jobs on 320 processors at load 0.8, from jobs to stored run.

`python -m benchmarks.two_tier`. Compiled code cached; each run in a process of its own, so that peaks are one run's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks import emit, seconds
from shadowtime.engine import Simulation, simulate
from shadowtime.workers.papers.measy import Cell

JOBS, SHORT, TWIN_JOBS = 200_000, 5_000, 400

STORED = """
import json, resource, sys, time
from pathlib import Path
from shadowtime.engine.simulation import simulate
from shadowtime.workers.warm import warm_ordering
from shadowtime.workers.execute import execute
from shadowtime.workers.papers.measy import Cell
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
jobs, slug, folder = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
simulate(Cell("feitelson", 100, 0.8, 1, slug).workload(), slug)
workload = Cell("feitelson", jobs, 0.8, 1, slug).workload()
warm_ordering()
store = open_store(folder)
spec = RunSpec.of(workload, slug)
execute(RunSpec.of(small := Cell("feitelson", 300, 0.8, 1, slug).workload(), slug), small)
began = time.perf_counter()
store.runs.accept(spec, jobs=len(workload))
status = store.runs.begin(spec.digest)
outcome = execute(spec, workload)
simulated = time.perf_counter()
schedule = outcome.schedule
names = ("jobs", "segments", "events", "series", "rates")
tables = {name: getattr(schedule, name) for name in names}
assert store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)
print(json.dumps({
    "to_stored_s": time.perf_counter() - began, "simulate_s": schedule.timing["simulate_s"],
    "store_s": time.perf_counter() - simulated, "segments": len(schedule.segments["job"]),
    "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    figures: dict[str, Any] = {}
    for slug in ("keasy", "measy"):
        in_a_process(JOBS // 4, slug)  # compiles what is not compiled yet
        stored = in_a_process(JOBS, slug)
        half = in_a_process(JOBS // 2, slug)
        figures |= {f"{slug}_{name}": value for name, value in stored.items()}
        figures[f"{slug}_growth"] = stored["simulate_s"] / half["simulate_s"]
        figures[f"{slug}_short_s"] = short(slug)
    figures["times_faster_than_twin"] = against_twin()
    at_most = {"to_stored_s": 3.0, "peak_memory_mb": 1500.0, "short_s": 0.1, "growth": 3.0}
    limits = {f"{slug}_{name}": limit for slug in ("keasy", "measy") for name, limit in at_most.items()}
    return emit("two_tier", figures, {**limits, "measy_to_stored_s": 1.8})


def in_a_process(jobs: int, slug: str) -> dict[str, float]:
    """Measure from the jobs in memory to the finished run in a store."""
    with tempfile.TemporaryDirectory() as folder:
        answer = subprocess.run(
            [sys.executable, "-c", STORED, str(jobs), slug, folder], capture_output=True, text=True, check=True
        )
    return json.loads(answer.stdout)


def short(slug: str) -> float:
    """Return the seconds of 5,000 jobs, simulated and made into tables."""
    workload = Cell("feitelson", SHORT, 0.8, 1, slug).workload()
    return seconds(lambda: Simulation(workload, slug).run())


def against_twin() -> float:
    """Return the speed-up over the slow, obvious twin of the tests, on a few hundred jobs."""
    from tests.reference.two_tier_twin import Twin

    workload = Cell("feitelson", TWIN_JOBS, 0.8, 1, "keasy").workload()
    jobs, parts = workload.jobs, workload.parts
    rows = [
        (
            *(float(jobs[name][i]) for name in ("release", "runtime", "requested")),
            parts["usage"][a:b].tolist(),
            parts["phi"][a:b].tolist(),
            float(jobs["loss"][i]),
        )
        for i, (a, b) in enumerate(zip(parts["first"][:-1], parts["first"][1:], strict=True))
    ]
    twin = seconds(lambda: Twin(rows, 320, "keasy").run(), times=1)
    return twin / seconds(lambda: simulate(workload, "keasy"))


if __name__ == "__main__":
    sys.exit(main())
