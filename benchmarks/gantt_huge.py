"""5,000,000 rectangles, which no browser holds: windows from the server, hover, click and search.

    python -m benchmarks.gantt_huge [--segments N]

`redraw` is from a change of the window to the picture of it at its own resolution, the server's answer included;
`draw` what a frame costs meanwhile, from what is known [ms].
"""

from __future__ import annotations

import logging
import sys
import time
from typing import Any

from benchmarks import emit_by_segments
from benchmarks._schedule import LANES, schedule
from benchmarks._site import chromium
from benchmarks._viewer_page import OneRun, app_of, served
from benchmarks.gantt import FLAGS, PAN, VIEWPORT, rank

AT_MOST = {"redraw_p95_ms": 250.0, "draw_p95_ms": 250.0}
SHARES = {"full": 1.0, "30 %": 0.3, "10 %": 0.1, "1 %": 0.01, "0.1 %": 0.001}
JUMPS = 12

JUMP = """async ([share, jumps]) => {
  const viewer = shadowtime.viewers[0], { view, run } = viewer, { t0, t1 } = view.bounds, whole = view.fitEnd() - t0;
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve)), times = [];
  const sharp = () => !run.wide.stale() && !run.wide.asking;
  for (let k = 0; k < jumps; k++) {
    const from = t0 + whole * (1 - share) * ((k * 0.618) % 1), began = performance.now();
    if (share === 1) view.set({ colour: ["job", "size"][k % 2] });
    view.set({ t0: from, t1: from + whole * share });
    await next();
    while (!sharp()) await next();
    await next();
    times.push(performance.now() - began);
  }
  view.set({ colour: "job" });
  return { times, level: viewer.debug().level, cells: Boolean(run.cells) };
}"""

ASK = """async (what) => {
  const viewer = shadowtime.viewers[0], { view, run } = viewer, times = [];
  view.fit();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const lanes = view.n1;
  for (let k = 0; k < 10; k++) {
    const t = view.bounds.t0 + ((view.bounds.t1 - view.bounds.t0) * (k + 0.5)) / 10, began = performance.now();
    if (what === "point") await run.wide.point({ t, lane: (37 * k) % lanes, tier: k % 2 }, 60, true);
    if (what === "life") await run.wide.want(1000 * (k + 1));
    if (what === "instant") await run.wide.instant(t);
    times.push(performance.now() - began);
  }
  return times;
}"""


def measure(segments: int) -> dict[str, Any]:
    """Measure all figures of one schedule."""
    from playwright.sync_api import sync_playwright

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    run = OneRun(schedule(segments), {"processors": LANES})
    figures: dict[str, Any] = {"segments": segments, "jobs": len(run.tables["jobs"]["user"])}
    sent: dict[str, int] = {}
    app = app_of(run)

    @app.after_request
    def weigh(response):
        from flask import request

        name = request.path.split("/")[-1]
        sent[name] = sent.get(name, 0) + (response.content_length or 0)
        return response

    with served(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for opening in ("first_of_the_server_s", "opened_s"):
            context = browser.new_context(viewport=VIEWPORT)
            page = context.new_page()
            sent.clear()
            page.goto(f"{address}/runs/{run.id}")
            page.wait_for_selector('shadowtime-gantt[data-state="ready"]', timeout=120_000)
            marked = page.evaluate("performance.getEntriesByName('shadowtime-gantt-ready')[0].startTime")
            figures[opening] = round(marked / 1000, 3)
            figures["opened_kb"] = round(
                sum(sent.get(name, 0) for name in ("view", "window", "segments", "jobs")) / 1e3
            )
            if opening != "opened_s":
                context.close()
        redraws, draws = [], []
        for name, share in SHARES.items():
            page.evaluate(JUMP, [share, 2])
            found = page.evaluate(JUMP, [share, JUMPS])
            figures[f"redraw_ms, {name}"] = {"p50": rank(found["times"], 0.5), "p95": rank(found["times"], 0.95)}
            redraws += found["times"]
            panned = page.evaluate(PAN, [share, 60])["draws"]
            figures[f"draw_p95_ms, {name}"] = rank(panned, 0.95)
            draws += panned
        figures |= {"redraw_p95_ms": rank(redraws, 0.95), "draw_p95_ms": rank(draws, 0.95)}
        for what in ("point", "life", "instant"):
            figures[f"{what}_p95_ms"] = rank(page.evaluate(ASK, what), 0.95)
        began = time.perf_counter()
        page.evaluate("document.dispatchEvent(new CustomEvent('shadowtime:find', { detail: { words: 'user 7' } }))")
        page.wait_for_function("() => shadowtime.viewers[0].run.found > 0 && shadowtime.viewers[0].run.cells?.lit")
        figures["search_ms"] = round((time.perf_counter() - began) * 1000, 1)
        figures["never_sent"] = not {"events", "series"} & sent.keys()
        browser.close()
    return figures


if __name__ == "__main__":
    sys.exit(emit_by_segments("gantt_huge", measure, AT_MOST, 5_000_000, __doc__))
