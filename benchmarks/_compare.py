"""Measure what this version and older ones both do; run by `benchmarks.compare` in an environment of either.

`python _compare.py NAME ... FOLDER` prints a JSON object of figures: processor seconds, after a run that compiles.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path

PREFIX = "shadowtime." if find_spec("shadowtime") else ""
TRACE = "HPC2N-2002-2.2-cln.swf.gz"
TIMES = 3
LEAST_S = 2.0
"""Processor seconds of all turns of a figure: of three turns of 8 ms the least differs by a third between calls."""
PLANNERS = ("demt", "synchpack-3")
"""Algorithms that plan first: the release planned before the loop that is timed."""
FOUR = "; MaxProcs: 4\n" + "".join(f"{i} {i} -1 {10 * i} {i} -1 -1 {i} 60 -1 1 1 1 1 1 1 -1 -1\n" for i in range(1, 5))


def load(name: str):
    """Import a module of the version in whose environment this runs."""
    return import_module(PREFIX + name)


def least_seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return the least processor time and the least elapsed time of `work`, after one call that warms caches."""
    work()
    taken: list[float] = []
    elapsed: list[float] = []
    while len(taken) < TIMES or sum(taken) < LEAST_S:
        began, start = time.process_time(), time.perf_counter()
        work()
        taken.append(time.process_time() - began)
        elapsed.append(time.perf_counter() - start)
    return min(taken), min(elapsed)


def simulation(workload, slug: str) -> dict[str, float]:
    """Measure the loop alone (its slices, without tables) and the whole run with tables.

    Older versions made plans before the loop, so planners are compared by their whole run.
    """
    loops, runs = [], []
    while len(runs) <= TIMES or sum(runs[1:]) < LEAST_S:
        began = time.process_time()
        run = load("engine").Simulation(workload, slug)
        made = time.process_time()
        for _ in run.slices():
            pass
        ended = time.process_time()
        run.schedule()
        loops.append(ended - made)
        runs.append(time.process_time() - began)
    loop = {} if slug in PLANNERS else {f"{slug}_simulate_s": min(loops[1:])}
    return {**loop, f"{slug}_run_s": min(runs[1:])}


def log():
    """Return the log, read."""
    with log_path().open("rb") as stream:
        return load("engine").read(stream, TRACE)


def log_path() -> Path:
    """Return the path of the log."""
    return Path(os.environ["SHADOWTIME_TRACES"]) / TRACE


def generated(kind: str, **values):
    """Return jobs drawn with seed 1."""
    return load("engine").generate(kind, values, 1)


def two_tier(slug: str) -> dict[str, float]:
    """Measure 5,000 jobs of the Feitelson model."""
    return simulation(load("workers.papers.measy").Cell("feitelson", 5_000, 0.8, 1, slug).workload(), slug)


def reading(folder: Path) -> dict[str, float]:
    """Measure the log to checked columns, packed and unpacked."""
    read, packed = load("engine").read, log_path().read_bytes()
    plain = folder / "plain.swf"
    plain.write_bytes(gzip.decompress(packed))

    def once(path: Path) -> None:
        with path.open("rb") as stream:
            read(stream, path.name)

    return {"read_gzip_s": least_seconds(lambda: once(log_path()))[0],
            "read_plain_s": least_seconds(lambda: once(plain))[0]}  # fmt: skip


def storing(folder: Path) -> dict[str, float]:
    """Measure a run of the log from its workload: all of the worker's execution, and its tables into a store.

    The execution uses two processors where there are two, older versions one: it is compared by elapsed time, too.
    """
    execute, spec_of = load("workers.execute").execute, load("workers.spec").RunSpec.of
    workload = log()
    outcome = execute(spec_of(workload, "easy"), workload)
    tables = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
    store, specs = load("workers.store").open_store(folder / "store"), (spec_of(workload, "easy", seed=seed) for seed in count())  # fmt: skip # noqa: E501

    def keep() -> None:
        spec = next(specs)
        store.runs.accept(spec, jobs=len(workload))
        assert store.runs.finish(spec.digest, store.runs.begin(spec.digest).attempt, tables, outcome.summary)

    used, elapsed = least_seconds(lambda: execute(spec_of(workload, "easy"), workload))
    return {"execute_s": used, "execute_elapsed_s": elapsed, "store_s": least_seconds(keep)[0]}


def command_line(folder: Path) -> dict[str, float]:
    """Measure whole processes of the command line: its help, and a simulation of four jobs."""
    (folder / "four.swf").write_text(FOUR)
    start = [sys.executable, "-c", f"import sys; from {PREFIX}dashboard.cli import main; sys.exit(main())"]

    def seconds(*arguments: str) -> float:
        taken = []
        for _ in range(TIMES + 1):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([*start, *arguments], stdout=subprocess.DEVNULL, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(taken[1:])

    return {"cli_help_s": seconds("--help"),
            "cli_four_jobs_s": seconds("simulate", str(folder / "four.swf"), "-a", "easy", "--json")}  # fmt: skip


BENCHMARKS: dict[str, Callable[[Path], dict[str, float]]] = {
    "easy": lambda folder: simulation(log(), "easy"),
    "measy": lambda folder: two_tier("measy"),
    "dfrs": lambda folder: simulation(generated("fractional", jobs=1000, load=0.7), "greedypm*/per/opt=min/minvt=600"),
    "demt": lambda folder: simulation(generated("moldable", jobs=400, processors=200), "demt"),
    "synchpack": lambda folder: simulation(generated("multitask", jobs=100, machines=30), "synchpack-3"),
    "pjs": lambda folder: simulation(generated("classed", jobs=500, rate=8, mix="25/25/50"), "pjs"),
    "reading": reading,
    "storing": storing,
    "cli": command_line,
}


def main() -> None:
    """Measure the named parts and print."""
    *names, folder = sys.argv[1:]
    figures: dict[str, float] = {}
    for name in names:
        figures |= BENCHMARKS[name](Path(folder))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
