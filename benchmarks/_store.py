"""Measure what the stores of this version and of older ones both do; run by `benchmarks.records` in either checkout.

`python _store.py FOLDER` prints a JSON object of figures.
"""

import json
import statistics
import sys
import time
from importlib import import_module
from pathlib import Path

import numpy as np

RUNS, ROWS = 400, 1_000_000
KEPT = 320
PREFIX = "shadowtime." if (Path.cwd() / "py.typed").exists() else ""


def load(name: str):
    """Import a module of the checkout that is the working directory."""
    return import_module(PREFIX + name)


def main() -> None:
    """Measure and print."""
    tables, spec_of = load("engine.tables"), load("workers.spec").RunSpec
    store = load("workers.store").open_store(Path(sys.argv[1]))

    def spec(seed: int):
        workload = {"digest": "0" * 64, "case": None}
        return spec_of(workload, (), {"processors": 10}, "actual", "easy", {}, seed, "0.1.0")

    def made(n: int):
        schemas = {"jobs": tables.JOBS, "segments": tables.SEGMENTS, "events": tables.EVENTS, "series": tables.SERIES}
        return {name: {column: np.ones(n, dtype) for column, dtype in schemas[name].items()} for name in schemas}

    def timed(act) -> float:
        began = time.perf_counter()
        act()
        return time.perf_counter() - began

    summary = {"metrics": {"makespan": 1.0}, "bounds": {}, "pad": "x" * 3000}
    small = made(1000)
    accepted = [timed(lambda seed=seed: store.runs.accept(spec(seed), jobs=1000)) for seed in range(RUNS)]

    def run(seed: int) -> None:
        begun = store.runs.begin(spec(seed).digest)
        store.runs.finish(spec(seed).digest, begun.attempt, small, summary)

    ran = [timed(lambda seed=seed: run(seed)) for seed in range(RUNS)]
    listed = [timed(lambda: store.runs.list(limit=50)) for _ in range(50)]
    batches = range(10_000, 10_000 + KEPT, 32)
    kept = [timed(lambda at=at: store.runs.keep([(spec(at + k), small, summary) for k in range(32)])) for at in batches]
    large = {**small, "segments": made(ROWS)["segments"]}

    def run_large(seed: int) -> None:
        store.runs.accept(spec(seed))
        store.runs.begin(spec(seed).digest)
        store.runs.finish(spec(seed).digest, 1, large, summary)

    stored = [timed(lambda seed=seed: run_large(seed)) for seed in range(20_000, 20_003)]
    first = [timed(lambda seed=seed: store.runs.get(spec(seed).digest).table("segments")["start"][:1000].sum())
             for seed in range(20_000, 20_003)]  # fmt: skip
    again = [timed(lambda: store.runs.get(spec(20_000).digest).table("segments")["start"][:1000].sum())
             for _ in range(20)]  # fmt: skip
    figures = {
        "accept_p95_ms": 1000 * statistics.quantiles(accepted, n=20)[-1],
        "begin_and_finish_ms": 1000 * statistics.median(ran),
        "list_50_ms": 1000 * statistics.median(listed),
        "keep_ms_a_run": 1000 * statistics.median(kept) / 32,
        "store_1m_segments_ms": 1000 * statistics.median(stored),
        "first_window_verified_ms": 1000 * statistics.median(first),
        "window_ms": 1000 * statistics.median(again),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
