"""How time and memory grow from 10,000 to 10,000,000 jobs: simulating, reading, storing, and the first view.

    python -m benchmarks.scaling [--most N] [--parts easy,reading] [--picture docs/pictures/scaling.svg]

Jobs of the model of Lublin and Feitelson at load 0.7 on 128 processors, converted to two tiers for MEASY. Each figure
is of a process of its own, whose compiled code is loaded before: wall time [s], and the peak of resident memory [GB] of
the whole process. `reading` reads those jobs as a log (SWF, not packed), `storing` keeps the run of EASY, `first view`
is from the request of the browser to the picture of that stored run on a server that has not shown it. The exponent of
a part is the slope of the line through its three largest sizes, both axes logarithmic: 1 is proportional to the jobs.
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import shadowtime as st
from benchmarks import durations, emit
from benchmarks._growth import draw
from benchmarks._site import chromium
from shadowtime.engine.workload import swf
from shadowtime.engine.workload.writers import write_swf

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
LOAD = 0.7
BLOCK = 1_000_000
"""Jobs that are drawn at once; the generator draws up to 2,000,000."""
MOST = {"measy": 1_000_000}
"""The conversion to two tiers draws for at most 50 million processes, and these jobs have nine on average."""
FITTED = 3
MOST_GB = 8.0
"""Of 10,000,000 jobs, in any part."""


def once(work: Callable[[], object]) -> float:
    """Return the seconds of one call."""
    return durations(work, 1, time.perf_counter)[0]


def jobs_of(n: int) -> st.Workload:
    """Return the jobs of a size; of more than BLOCK, blocks that begin with the last submission of the one before."""
    size = min(n, BLOCK)
    blocks = [st.generate("lublin", {"jobs": size, "load": LOAD}, seed=seed) for seed in range(1, 1 + n // size)]
    jobs = {name: np.concatenate([block.jobs[name] for block in blocks]) for name in blocks[0].jobs}
    ends = np.cumsum([0.0, *(block.jobs["release"][-1] for block in blocks[:-1])])
    jobs["release"] = jobs["release"] + np.repeat(ends, size)
    jobs["job_id"] = np.arange(1, n + 1)
    return blocks[0].with_(jobs=jobs)


def simulated(slug: str, n: int) -> float:
    """Return the seconds of a simulation with its tables, in memory."""
    from shadowtime.engine.simulation import simulate
    from shadowtime.engine.workload.conversions.convert import convert

    def made(size: int) -> st.Workload:
        return convert(jobs_of(size), "two_tier", {}, 1) if slug == "measy" else jobs_of(size)

    simulate(made(300), slug)
    workload = made(n)
    return once(lambda: simulate(workload, slug))


def read(n: int) -> float:
    """Return the seconds from a log in a file to checked jobs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.swf"
        write = [sys.executable, "-m", "benchmarks.scaling", "--write", str(path), "--jobs", str(n)]
        subprocess.run(write, check=True)  # whose memory does not count
        swf.warm()
        return once(lambda: st.read(path))


def stored(n: int) -> float:
    """Return the seconds in which a finished run is kept."""
    with tempfile.TemporaryDirectory() as folder:
        return _kept(n, Path(folder))[0]


def viewed(n: int) -> float:
    """Return the seconds from the browser's request to the picture of a stored run."""
    from playwright.sync_api import sync_playwright

    from benchmarks._viewer_page import app_of, served
    from benchmarks.gantt import FLAGS, load

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        _, store, run = _kept(n, Path(folder))
        with served(app_of(store)) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            page, taken = load(browser, f"{address}/runs/{run}")
            page.wait_for_load_state("networkidle")
            browser.close()
    return taken


def _kept(n: int, folder: Path) -> tuple[float, Any, str]:
    """Execute EASY and keep the run; return the seconds of the keeping, the store, and the id of the run."""
    from shadowtime.workers.execute import execute
    from shadowtime.workers.spec import RunSpec
    from shadowtime.workers.store import open_store

    store = open_store(folder)
    workload = jobs_of(n)
    spec = RunSpec.of(workload, "easy")
    store.runs.accept(spec, jobs=n)
    status = store.runs.begin(spec.digest)
    with store.runs.spool(spec.digest) as spool:
        outcome = execute(spec, workload, spool=spool)
        tables = outcome.tables()
        taken = once(lambda: store.runs.finish(spec.digest, status.attempt, tables, outcome.summary))
    assert store.runs.get(spec.digest).status.is_finished
    return taken, store, spec.id


PARTS: Mapping[str, Callable[[int], float]] = {
    "easy": lambda n: simulated("easy", n),
    "conservative": lambda n: simulated("conservative", n),
    "measy": lambda n: simulated("measy", n),
    "reading": read,
    "storing": stored,
    "first view": viewed,
}


def measured(part: str, n: int) -> dict[str, float]:
    """Measure one part at one size in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scaling", "--part", part, "--jobs", str(n)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(answer.stdout)


def exponent(sizes: np.ndarray, values: np.ndarray) -> float:
    """Return the slope through the largest sizes, at least two."""
    last = slice(-FITTED, None)
    return float(np.polyfit(np.log(sizes[last]), np.log(values[last]), 1)[0])


def main() -> int:
    """Measure, print, and return 0 when the largest size fits into memory."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--most", type=int, default=SIZES[-1], choices=SIZES[1:], help="largest number of jobs")
    arguments.add_argument("--parts", default=",".join(PARTS), help=f"what is measured, of {', '.join(PARTS)}")
    arguments.add_argument("--picture", type=Path, help="SVG file to draw")
    arguments.add_argument("--part", help=argparse.SUPPRESS)
    arguments.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    arguments.add_argument("--jobs", type=int, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.write:
        with asked.write.open("wb") as file:
            write_swf(jobs_of(asked.jobs), file)
        return 0
    if asked.part:
        seconds = PARTS[asked.part](asked.jobs)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(json.dumps({"seconds": round(seconds, 4), "gb": round(peak, 3)}))
        return 0
    if unknown := set(asked.parts.split(",")) - PARTS.keys():
        arguments.error(f"--parts names {', '.join(sorted(unknown))}, but there are only {', '.join(PARTS)}")
    sizes = [n for n in SIZES if n <= asked.most]
    figures: dict[str, Any] = {"jobs": sizes}
    for part in asked.parts.split(","):
        taken = [n for n in sizes if n <= MOST.get(part, n)]
        found = [measured(part, n) for n in taken]
        values = {name: [one[name] for one in found] for name in ("seconds", "gb")}
        figures[part] = {**values, "exponent": round(exponent(np.array(taken), np.array(values["seconds"])), 2)}
        print(part, figures[part], file=sys.stderr)
    if asked.picture:
        draw(figures, asked.picture)
    figures["peak_gb"] = max(max(one["gb"]) for one in figures.values() if isinstance(one, dict))
    return emit("scaling", figures, {"peak_gb": MOST_GB})


if __name__ == "__main__":
    sys.exit(main())
