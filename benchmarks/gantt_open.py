"""Opening the page of a finished run of 1,000,000 rectangles on a real server: first view, then all of it.

    python -m benchmarks.gantt_open [--segments N]

`view_*`: until the first picture, with the scripts kept by the browser; `content_*`: until every rectangle is there, in
a browser that has seen nothing. Kilobytes are those of the run's data over the wire until then. `busy_*`: while two
workers of the site execute long runs.
"""

from __future__ import annotations

import io
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import emit_by_segments
from benchmarks._schedule import LANES, schedule
from benchmarks._site import Site, chromium, serve, workers
from benchmarks.gantt import FLAGS, VIEWPORT
from benchmarks.sweeps import until
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers import submit
from shadowtime.workers.connection import connect
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store

AT_MOST = {"view_s": 0.6, "busy_view_s": 0.8, "view_kb": 300.0, "content_s": 1.5, "content_mb": 5.0}
TIMES = 5
LONG, LONG_ALGORITHM, LONG_RUNS = 10_000, "greedypm*/per/opt=min/minvt=600", 60
"""Jobs and algorithm of a run of some seconds, and how many of them keep two workers busy."""
VIEW = "performance.getEntriesByName('shadowtime-gantt-ready')[0]?.startTime"
WHOLE = """async () => {
  const whole = () => shadowtime?.viewers?.[0]?.run.closed.n > 0;
  while (!whole()) await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.timeOrigin + performance.now();
}"""


def stored(site: Site, segments: int) -> str:
    """Store a finished run with made-up tables; return its id."""
    store = open_store(site.store)
    log = f"; MaxProcs: {LANES}\n1 0 -1 100 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    entry, _ = store.workloads.add(io.BytesIO(log.encode()), "made.swf")
    spec = RunSpec.of(store.workloads.load(entry.digest), "easy")
    # At once: a run that seems to run without a worker would be queued again by the server.
    store.runs.keep([(spec, schedule(segments), {"metrics": {}, "jobs": 1, "bounds": {}})])
    return spec.digest[:16]


class Opening:
    """One page load: times of the first view and of the whole run, and the bytes received by then."""

    def __init__(self, context: Any, address: str):
        page = context.new_page()
        asked: list[Any] = []
        page.on("requestfinished", lambda request: asked.append(request))
        page.goto(address, wait_until="commit")
        page.wait_for_function("() => window.shadowtime?.viewers?.length", timeout=60_000)
        whole = page.evaluate(WHOLE)
        origin = page.evaluate("performance.timeOrigin")
        self.view = page.evaluate(VIEW) / 1000
        self.content = (whole - origin) / 1000
        page.wait_for_timeout(300)
        data = [one for one in asked if "/api/runs/" in one.url]
        ended = {one: one.timing["startTime"] + max(0.0, one.timing["responseEnd"]) for one in data}
        sizes = {one: one.sizes()["responseBodySize"] for one in data}
        self.view_bytes = sum(sizes[one] for one in data if ended[one] <= origin + 1000 * self.view)
        self.content_bytes = sum(sizes.values())
        page.close()


def opened(browser: Any, address: str, *, has_scripts: bool) -> Opening:
    """Open the page in a new profile of the browser; has_scripts: with the scripts in its cache, and no data."""
    context = browser.new_context(viewport=VIEWPORT)
    if has_scripts:
        other = context.new_page()
        other.goto(address.rsplit("/", 1)[0])  # the list of runs
        other.wait_for_selector("#page h1")
        other.close()
    opening = Opening(context, address)
    context.close()
    return opening


@contextmanager
def busy(site: Site) -> Iterator[None]:
    """Let two workers execute long runs until the `with` block ends."""
    store = open_store(site.store)
    queue = RunQueue(connect(site.redis_url), Names(store.identity))
    specs = [RunSpec.of(generate("fractional", {"jobs": LONG}, seed), LONG_ALGORITHM) for seed in range(LONG_RUNS)]
    with workers(site) as ids:
        for spec in specs:
            submit.admit(store, queue, spec, LONG)
        until(lambda: store.runs.counts().get("running", 0) == len(ids))
        yield
        assert store.runs.counts().get("running", 0) == len(ids), "the runs have ended before the views"


def measure(segments: int) -> dict[str, Any]:
    """Measure all figures."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as site, sync_playwright() as playwright:
        address = f"http://127.0.0.1:{site.port}/runs/{stored(site, segments)}"
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        cold = Opening(browser.new_context(viewport=VIEWPORT), address)
        again, fresh = ([opened(browser, address, has_scripts=kept) for _ in range(TIMES)] for kept in (True, False))
        with busy(site):
            busy_again = [opened(browser, address, has_scripts=True) for _ in range(TIMES)]
        browser.close()
    return {
        "segments": segments,
        "first_of_the_server_s": round(cold.view, 3),
        "view_s": round(statistics.median(one.view for one in again), 3),
        "view_worst_s": round(max(one.view for one in again), 3),
        "busy_view_s": round(statistics.median(one.view for one in busy_again), 3),
        "busy_view_worst_s": round(max(one.view for one in busy_again), 3),
        "view_kb": round(max(one.view_bytes for one in again) / 1e3),
        "view_fresh_s": round(statistics.median(one.view for one in fresh), 3),
        "content_s": round(statistics.median(one.content for one in fresh), 3),
        "content_worst_s": round(max(one.content for one in fresh), 3),
        "content_mb": round(max(one.content_bytes for one in fresh) / 1e6, 2),
    }


if __name__ == "__main__":
    sys.exit(emit_by_segments("gantt_open", measure, AT_MOST, 1_000_000, __doc__))
