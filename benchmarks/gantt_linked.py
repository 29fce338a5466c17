"""Two linked schedules of 1,000,000 rectangles each: panning, scrubbing, searching and clicking in one light the other.

    python -m benchmarks.gantt_linked [--segments N]

A frame counts the work for both; `draw` in our own code, `frame` from one frame of the browser to the next [ms].
"""

from __future__ import annotations

import logging
import sys
from typing import Any

from benchmarks import emit_by_segments
from benchmarks._schedule import LANES, schedule
from benchmarks._site import chromium
from benchmarks._viewer_page import OneRun, SeveralRuns, app_of, served
from benchmarks.gantt import FLAGS, VIEWPORT, rank

SEEDS = (1, 2)
FRAMES = 60
AT_MOST = {
    "full_range_p95_ms": 150.0, "ten_percent_p95_ms": 60.0, "scrub_worst_frame_ms": 50.0,
    "click_to_lit_p95_ms": 50.0, "search_to_lit_p95_ms": 50.0,
}  # fmt: skip

HELP = """
  const viewers = shadowtime.viewers, { view } = viewers[0], { t0, t1 } = view.bounds, whole = view.fitEnd() - t0;
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const rest = async () => { for (let k = 0; k < 6; k++) await next(); };
  const drawn = () => viewers.reduce((sum, viewer) => sum + (viewer.times[0] || 0), 0);
"""

PAN = (
    "async ([share, frames]) => {"
    + HELP
    + """
  const span = Math.min(whole * share, whole * 0.999), room = whole - span, draws = [], intervals = [];
  view.set({ t0: t0 + room * 0.3, t1: t0 + room * 0.3 + span });
  await rest();
  let before = await next();
  for (let k = 0; k < frames; k++) {
    viewers.forEach((viewer) => (viewer.times.length = 0));
    view.set({ t0: t0 + room * (0.3 + (0.4 * k) / frames), t1: t0 + room * (0.3 + (0.4 * k) / frames) + span });
    const now = await next();
    draws.push(drawn());
    intervals.push(now - before);
    before = now;
  }
  return { draws, intervals: intervals.slice(1) };
}"""
)

SCRUB = (
    "async ([share, frames]) => {"
    + HELP
    + """
  const span = whole * share, box = viewers[0].stageBox.getBoundingClientRect(), intervals = [];
  view.set({ t0: t0 + whole * 0.4, t1: t0 + whole * 0.4 + span });
  await rest();
  const at = (type, x) => {
    const where = { clientX: box.left + 60 + x, clientY: box.top + 10, bubbles: true, pointerId: 1, button: 0 };
    viewers[0].stageBox.dispatchEvent(new PointerEvent(type, where));
  };
  viewers[0].stageBox.setPointerCapture = () => {};
  at("pointerdown", 0);
  let before = await next();
  for (let k = 0; k < frames; k++) {
    at("pointermove", 10 * (k % 90));
    const now = await next();
    intervals.push(now - before);
    before = now;
  }
  at("pointerup", 0);
  return intervals.slice(1);
}"""
)

LIT = (
    "async (words) => {"
    + HELP
    + """
  const { jobs } = viewers[0].run, times = [];
  view.fit();
  await new Promise((resolve) => setTimeout(resolve, 400));
  for (let k = 0; k < 20; k++) {
    await rest();
    viewers.forEach((viewer) => (viewer.times.length = 0));
    const began = performance.now();
    if (words) view.set({ find: `user ${k}`, job: null });
    else view.set({ job: jobs.job_id[Math.floor((jobs.n * (k + 0.5)) / 20)] });
    const until = performance.now();
    await next();
    await next();
    times.push(until - began + drawn());
  }
  view.set({ job: null, find: null });
  return times;
}"""
)


def measure(segments: int) -> dict[str, Any]:
    """Measure all figures of two linked schedules."""
    from playwright.sync_api import sync_playwright

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    runs = [OneRun(schedule(segments, seed), {"processors": LANES}, digit=str(seed)) for seed in SEEDS]
    with served(app_of(SeveralRuns(*runs))) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        page = browser.new_context(viewport=VIEWPORT).new_page()
        page.goto(f"{address}/runs/{runs[0].id},{runs[1].id}")
        ready = "() => shadowtime.viewers.length === 2 && shadowtime.viewers.every((one) => one.run.closed.n > 0"
        page.wait_for_function(f"{ready} && one.stage.summaries.plain?.ready)", timeout=120_000)
        figures: dict[str, Any] = {
            "segments": 2 * segments,
            "jobs": sum(len(run.tables["jobs"]["user"]) for run in runs),
        }
        for name, share in (("full_range", 1.0), ("ten_percent", 0.1), ("one_percent", 0.01)):
            found = page.evaluate(PAN, [share, FRAMES])
            figures[f"{name}_p50_ms"] = rank(found["draws"], 0.5)
            figures[f"{name}_p95_ms"] = rank(found["draws"], 0.95)
            figures[f"{name}_frame_p95_ms"] = rank(found["intervals"], 0.95)
        for share in (0.1, 0.01):
            frames = page.evaluate(SCRUB, [share, 2 * FRAMES])
            worst = max(figures.get("scrub_worst_frame_ms", 0.0), rank(frames, 1.0))
            figures |= {"scrub_frame_p50_ms": rank(frames, 0.5), "scrub_worst_frame_ms": worst}
        for name, words in (("click", False), ("search", True)):
            times = page.evaluate(LIT, words)
            figures |= {f"{name}_to_lit_p50_ms": rank(times, 0.5), f"{name}_to_lit_p95_ms": rank(times, 0.95)}
        browser.close()
    return figures


if __name__ == "__main__":
    sys.exit(emit_by_segments("gantt_linked", measure, AT_MOST, 1_000_000, __doc__))
