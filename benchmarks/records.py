"""Measure the records: submitting, storing and listing beside another version, and 100,000 runs and 10,000 outcomes.

`python -m benchmarks.records [--against COMMIT]`. What both versions do is measured in turns, in folders of the same
disk; the other version is a checkout of the commit in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks import emit
from shadowtime.workers.records import schema
from shadowtime.workers.records.run_rows import new_row, result_row
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.records.sweeps import SweepStatus
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store.base import SORTS, Status, progress_of
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.utc import utc_text

ROOT = Path(__file__).resolve().parent.parent
RELEASE = "e5d00eb"
"""The last release."""
RUNS, TOGETHER = 100_000, 2000
OUTCOMES, BATCH = 10_000, 32
ROUNDS = 3
FILTERS: tuple[dict[str, Any], ...] = (
    {}, {"status": ["failed"]}, {"algorithm": "demt"}, {"text": "week 13"}, {"text": "nothing of this"},
    {"owners": []}, {"status": ["finished"], "algorithm": "easy", "owners": ["user:anna"]},
    {"workload": f"{13:016x}"}, {"workload": "f" * 16},
)  # fmt: skip
LIMITS = {
    "worst_page_ms": 20.0, "open_s": 1.0, "outcomes_s": 2.0, "accept_p95_ratio": 1.0, "begin_and_finish_ratio": 1.0,
    "list_50_ratio": 1.0,
}  # fmt: skip


def main() -> int:
    """Measure, print, and return 0 when the limits are met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.records", description="Runs and outcomes as rows.")
    parser.add_argument("--against", default=RELEASE, metavar="COMMIT", help=f"the other version ({RELEASE})")
    other = parser.parse_args().against
    with tempfile.TemporaryDirectory(dir=ROOT.parent) as name:
        folder = Path(name)
        figures = {**beside(folder, other), **many(folder / "many"), **sweep(folder / "sweep")}
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return emit("records", figures, LIMITS)


def beside(folder: Path, commit: str) -> dict[str, float]:
    """Return the figures of both versions, and the ratios of ours to the other's."""
    checkout = folder / "other"
    subprocess.run(["git", "clone", "-q", "--shared", str(ROOT), str(checkout)], check=True)
    subprocess.run(["git", "-C", str(checkout), "checkout", "-q", commit], check=True)
    places = {"ours": ROOT, "other": checkout}
    measured: dict[str, list[dict[str, float]]] = {name: [] for name in places}
    for number in range(ROUNDS):
        for name, place in places.items():
            store = folder / f"{name}-{number}"
            command = [sys.executable, "-P", str(Path(__file__).parent / "_store.py"), str(store)]
            path = {"PYTHONPATH": str(place), "PATH": "/usr/bin:/bin"}
            done = subprocess.run(command, cwd=place, env=path, check=True, capture_output=True, text=True)
            measured[name].append(json.loads(done.stdout))
    best = {who: {name: min(one[name] for one in some) for name in some[0]} for who, some in measured.items()}
    figures = {f"{who}_{name}": value for who, found in best.items() for name, value in found.items()}
    ratios = {f"{name.removesuffix('_ms')}_ratio": best["ours"][name] / best["other"][name] for name in best["ours"]}
    return {**figures, **ratios}


def many(folder: Path) -> dict[str, float]:
    """Return how long pages of 50 of 100,000 runs take, and opening the store."""
    fill(RecordStore(folder))
    began = time.perf_counter()
    store = RecordStore(folder)
    store.runs.list()
    opened = time.perf_counter() - began
    store.tidy()
    pages = {
        (sort, ascending, number): seconds(lambda: store.runs.list(sort=sort, ascending=ascending, **asked))  # noqa: B023
        for sort in SORTS
        for ascending in (False, True)
        for number, asked in enumerate(FILTERS)
    }
    worst = max(pages, key=lambda key: pages[key])
    return {
        "open_s": opened,
        "worst_page_ms": 1000 * pages[worst],
        "worst_page": f"{worst[0]}, {FILTERS[worst[2]]}",  # type: ignore[dict-item]
        "median_page_ms": 1000 * statistics.median(pages.values()),
        "counts_ms": 1000 * seconds(lambda: store.runs.counts("week 13", [])),
    }


def fill(store: RecordStore) -> None:
    """Record runs of six algorithms over a month, nine of ten finished."""
    draw = random.Random(1)
    start = datetime(2025, 1, 1, tzinfo=UTC)
    for first in range(0, RUNS, TOGETHER):
        rows, results = [], []
        for number in range(first, first + TOGETHER):
            algorithm = draw.choice(["easy", "fcfs", "keasy", "demt", "pjs", "synchpack-1"])
            spec = RunSpec({"digest": "0" * 64, "case": None}, (), {"processors": 10}, "actual", algorithm, {}, number,
                           "0.1.0")  # fmt: skip
            began = start + timedelta(seconds=26 * number)
            accepted, ended = (utc_text(began + timedelta(seconds=some)) for some in (0.0, draw.uniform(0.1, 100.0)))
            state = draw.choice(["finished"] * 18 + ["failed", "cancelled"])
            status = Status(state, accepted=accepted,
                            started=accepted, ended=ended, progress=progress_of(draw.randrange(1, 99_999)))  # fmt: skip
            rows.append(new_row(spec, status, f"{number % 97:016x}{0:048x}", f"KTH-SP2 week {number % 97}"))
            if status.is_finished:
                results.append(result_row(spec.digest, {"metrics": {"makespan": 1.0}, "pad": "x" * 3000}, {}))
        with store.database.write() as connection:
            connection.execute(schema.runs.insert(), rows)
            connection.execute(schema.results.insert(), results)


def sweep(folder: Path) -> dict[str, float]:
    """Return how long 10,000 outcomes take to be recorded, as batches record them, and to be read."""
    store = RecordStore(folder)
    spec = SweepSpec(
        workloads=({"generator": "uniform", "parameters": {"jobs": 10}, "seed": None},), seeds=tuple(range(OUTCOMES)),
        conversions=(), loads=(), platform={}, estimates=None, tau=None,
        variants=({"algorithm": "easy", "parameters": {}},), engine_version="0.1.0",
    )  # fmt: skip
    store.sweeps.accept(spec, SweepStatus())
    lines = [
        {"index": index, "status": "finished", "run": f"{index:016x}", "parameters": {"overrun": "run"}, "round": 1,
         "metrics": {f"metric_{k}": index + k / 7 for k in range(20)}, "bounds": {"makespan": 1.0}, "took": 0.01}
        for index in range(OUTCOMES)
    ]  # fmt: skip
    began = time.perf_counter()
    for at in range(0, OUTCOMES, BATCH):
        store.sweeps.outcomes.record(spec.digest, lines[at : at + BATCH])
    recorded = time.perf_counter() - began
    return {"outcomes_s": recorded, "outcomes_read_s": seconds(lambda: store.sweeps.outcomes.after(spec.digest, 0))}


def seconds(act: Callable[[], object]) -> float:
    """Return the median of five calls."""
    timed = []
    for _ in range(5):
        began = time.perf_counter()
        act()
        timed.append(time.perf_counter() - began)
    return statistics.median(timed)


if __name__ == "__main__":
    sys.exit(main())
