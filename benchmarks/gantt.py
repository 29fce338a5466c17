"""The viewer with 1,000,000 rectangles in a headless Chromium without a GPU: first picture, then redraws while panning.

    python benchmarks/gantt.py [--segments N]

Prints one JSON object. `draw` is the time in our own code, `frame` the time from one frame of the browser to the next,
compositing included; both in milliseconds. The baseline draws the same rectangles the plain way: one `fillRect` each.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks._schedule import LANES, schedule
from benchmarks._viewer_page import OneRun, app_of, served
from shadowtime.dashboard.viewer import tiles
from shadowtime.engine.tables import rows

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VIEWPORT = {"width": 1440, "height": 900}
LOADS = 5
FRAMES = 60
SHARES = {"full range": 1.0, "10 %": 0.1, "1 %": 0.01}

PAN = """async ([share, frames]) => {
  const viewer = shadowtime.viewers[0], { view } = viewer, { t0, t1 } = view.bounds, whole = view.fitEnd() - t0;
  const span = Math.min(whole * share, whole * 0.999), room = whole - span;
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const draws = [], intervals = [];
  view.set({ t0: t0 + room * 0.3, t1: t0 + room * 0.3 + span });
  for (let k = 0; k < 5; k++) await next();
  let before = await next();
  for (let k = 0; k < frames; k++) {
    const from = t0 + room * (0.3 + (0.4 * k) / frames);
    viewer.times.length = 0;
    view.set({ t0: from, t1: from + span });
    const now = await next();
    draws.push(viewer.times[0]);
    intervals.push(now - before);
    before = now;
  }
  return { draws: draws.filter(Number.isFinite), intervals: intervals.slice(1), level: viewer.debug().level };
}"""

HOVER = """async () => {
  const viewer = shadowtime.viewers[0], box = viewer.stageBox.getBoundingClientRect(), times = [];
  for (let k = 0; k < 100; k++) {
    const at = { clientX: box.left + 80 + 8 * k, clientY: box.top + 80 + 2 * k, bubbles: true };
    const began = performance.now();
    viewer.stageBox.dispatchEvent(new PointerEvent("pointermove", at));
    times.push(performance.now() - began);
  }
  return times;
}"""

SELECT = """async () => {
  const viewer = shadowtime.viewers[0], { jobs } = viewer.run, times = [];
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let k = 0; k < 10; k++) {
    await next();
    const began = performance.now();
    viewer.view.set({ job: jobs.job_id[Math.floor((jobs.n * (k + 0.5)) / 10)] });
    await next();
    times.push(performance.now() - began);
  }
  viewer.view.set({ job: null });
  return times;
}"""

BASELINE = """() => {
  const { closed } = shadowtime.viewers[0].run, { t0, t1, lanes } = shadowtime.viewers[0].run;
  const canvas = Object.assign(document.createElement("canvas"), { width: 960, height: 470 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const began = performance.now(), scale = 960 / (t1 - t0), row = 470 / lanes;
  for (let i = 0; i < closed.n; i++) {
    context.fillStyle = closed.tier[i] ? "#c67f18" : "#4f86c6";
    const height = (closed.last[i] - closed.first[i] + 1) * row;
    const x = (closed.start[i] - t0) * scale, width = (closed.end[i] - closed.start[i]) * scale;
    context.fillRect(x, closed.first[i] * row, width, height);
  }
  context.getImageData(0, 0, 1, 1);
  return performance.now() - began;
}"""


def rank(values: list[float], share: float) -> float:
    """Return the value below which `share` of all lie [ms]."""
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))], 1)


def spread(values: list[float]) -> dict[str, float]:
    return {"p50": rank(values, 0.5), "p95": rank(values, 0.95), "max": rank(values, 1.0)}


def panned(page: Any, share: float) -> dict[str, Any]:
    """Measure redraws while a window of `share` of the run is panned."""
    found = page.evaluate(PAN, [share, FRAMES])
    return {"level": found["level"], "draw": spread(found["draws"]), "frame": spread(found["intervals"])}


def load(browser: Any, url: str) -> tuple[Any, float]:
    """Open a page in a fresh profile; return it and the seconds from its navigation to the first picture."""
    page = browser.new_context(viewport=VIEWPORT).new_page()
    page.goto(url)
    page.wait_for_selector('shadowtime-gantt[data-state="ready"]', timeout=60_000)
    return page, page.evaluate("performance.getEntriesByName('shadowtime-gantt-ready')[0].startTime") / 1000


def measure(segments: int, chromium: str) -> dict[str, Any]:
    """Measure all figures of one schedule."""
    from playwright.sync_api import sync_playwright

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    tables = schedule(segments)
    run = OneRun(tables, {"processors": LANES})
    began = time.perf_counter()
    sizes = {name: len(tiles.encode(table, tiles.HINTS[name])) for name, table in tables.items()}
    encoding = time.perf_counter() - began
    result: dict[str, Any] = {
        "segments": rows(tables["segments"]),
        "jobs": rows(tables["jobs"]),
        "encode_s": round(encoding, 3),
        "bytes_per_segment": round(sizes["segments"] / rows(tables["segments"]), 2),
        "bytes": sizes,
    }
    with served(app_of(run)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        url = f"{address}/runs/{run.id}"
        page, cold = load(browser, url)
        page.context.close()
        times = []
        for _ in range(LOADS):
            page, seconds = load(browser, url)
            times.append(seconds)
            if len(times) < LOADS:
                page.context.close()
        result["interactive_s"] = {
            "median": round(statistics.median(times), 3),
            "worst": round(max(times), 3),
            "first of the server": round(cold, 3),
        }
        page.wait_for_function("() => shadowtime.viewers[0].stage.summaries.plain?.ready", timeout=60_000)
        for name, share in SHARES.items():
            result[f"redraw_ms, {name}"] = panned(page, share)
        # The first second, before coverage is summed up in idle time, every rectangle is counted for every frame.
        page.evaluate("shadowtime.viewers[0].stage.summaries.of = () => null")
        result["redraw_ms, full range, counted"] = panned(page, 1.0)
        page.evaluate("delete shadowtime.viewers[0].stage.summaries.of")
        result["hover_ms"] = spread(page.evaluate(HOVER))
        page.evaluate("shadowtime.viewers[0].view.fit()")
        page.wait_for_timeout(500)
        result["select_ms"] = spread(page.evaluate(SELECT))
        baseline = page.evaluate(BASELINE)
        result["baseline_fillrect_ms"] = round(baseline, 1)
        result["faster_than_baseline"] = round(baseline / result["redraw_ms, full range"]["draw"]["p50"], 1)
        browser.close()
    return result


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--segments", type=int, default=1_000_000)
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    if found is None:
        sys.exit("no chromium on PATH; Debian: apt-get install chromium")
    print(json.dumps(measure(arguments.parse_args().segments, found), indent=2))
