"""The first picture of a running run of very many jobs, on a real server with a real worker.

    python -m benchmarks.gantt_live [--jobs N]

A browser opens the page of the run as soon as it is queued. Seconds from the moment when the worker begins to simulate
(`first_s`) or to read the jobs (`begun_s`) until rectangles are drawn, as cells or one by one; `jobs_s`: until all jobs
are known to the viewer; `run_s`: until the run is finished.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks import emit
from benchmarks._site import ROOT, Site, chromium, serve
from benchmarks.gantt import FLAGS, VIEWPORT
from shadowtime.workers.connection import connect
from shadowtime.workers.live import STREAM
from shadowtime.workers.redis_names import Names
from shadowtime.workers.store import open_store

JOBS = 750_000
AT_MOST = {"easy_first_s": 1.0, "measy_first_s": 1.0}
PATIENCE = 180.0
WATCH = """() => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  const held = (cells) => cells && cells.sums.some((sums) => sums.some((sum) => sum > 0));
  const look = () => {
    const viewer = window.shadowtime?.viewers?.[0], run = viewer?.run;
    if (viewer?.drawnOnce) {
      const one = run.chunks.some((chunk) => chunk.n > 0);
      if (!seen.first && (one || held(run.cells))) seen.first = now();
      if (!seen.jobs && !run.wide && run.jobs?.n > 0) seen.jobs = now();
    }
    requestAnimationFrame(look);
  };
  look();
}"""


RUNS = {
    "easy": {"algorithm": "easy"},
    "measy": {"algorithm": "measy", "conversions": ["two_tier"]},
}
"""Runs of the jobs as they are stored, and of jobs that a conversion makes of them."""


def measure(jobs: int) -> dict[str, Any]:
    """Measure all runs."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as site, sync_playwright() as playwright:
        worker = subprocess.Popen(
            [sys.executable, "-m", "shadowtime.workers.worker"], cwd=ROOT, env={**site.environment}
        )
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        try:
            wait_until(lambda: ask(site, "/healthz")["workers"] == 1)
            question = {"generator": "lublin", "parameters": {"jobs": jobs, "load": 0.8}}
            workload = ask(site, "/api/workloads", question)["id"]
            page = browser.new_context(viewport=VIEWPORT).new_page()
            page.goto(f"http://127.0.0.1:{site.port}/runs")
            page.wait_for_selector("#page h1")
            page.add_init_script(f"({WATCH})()")
            figures = {"jobs": jobs}
            for name, question in RUNS.items():
                found = one(site, page, {"workload": workload, **question})
                figures |= {f"{name}_{figure}": round(value, 2) for figure, value in found.items()}
        finally:
            browser.close()
            worker.kill()
            worker.wait()
    return figures


def one(site: Site, page: Any, question: Mapping[str, Any]) -> dict[str, float]:
    """Queue a run, open its page at once, and return its figures."""
    run = ask(site, "/api/runs", question)["id"]
    page.goto(f"http://127.0.0.1:{site.port}/runs/{run}", wait_until="commit")
    page.wait_for_function("() => window.seen?.first && window.seen?.jobs", timeout=PATIENCE * 1000)
    seen = page.evaluate("seen")
    wait_until(lambda: ask(site, f"/api/runs/{run}")["status"] == "finished")
    began, simulated = starts(site, run)
    return {
        "first_s": seen["first"] / 1000 - simulated,
        "begun_s": seen["first"] / 1000 - began,
        "jobs_s": seen["jobs"] / 1000 - simulated,
        "run_s": moment(ask(site, f"/api/runs/{run}")["ended"]) - began,
    }


def starts(site: Site, run: str) -> tuple[float, float]:
    """Return when the worker took the run, and when it published its first progress [s since 1970]."""
    names = Names(open_store(site.store).identity)
    entries: Any = connect(site.redis_url).xrange(names.key(STREAM))
    messages = [(int(key.split(b"-")[0]) / 1000, json.loads(entry[b"message"])) for key, entry in entries]
    mine = [(when, message) for when, message in messages if message["run"] == run]
    taken = next(when for when, message in mine if message["status"] == "running")
    return taken, next(when for when, message in mine if message["progress"].get("segments"))


def moment(text: str) -> float:
    """Return a time of the API as seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()


def ask(site: Site, path: str, question: Any = None) -> Any:
    """Return the answer of the API."""
    body = None if question is None else json.dumps(question).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{site.port}{path}", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def wait_until(condition: Any) -> None:
    """Wait for a condition, asked ten times a second."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.1)


def main() -> int:
    """Measure, print, and return 0 when the limit is met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gantt_live", description="First picture of a live run.")
    parser.add_argument("--jobs", type=int, default=JOBS, help=f"of the run ({JOBS:,})")
    return emit("gantt_live", measure(parser.parse_args().jobs), AT_MOST)


if __name__ == "__main__":
    sys.exit(main())
