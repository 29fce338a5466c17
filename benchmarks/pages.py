"""Open pages on a real server: until the title is there, and until the figures in view have their data.

    python -m benchmarks.pages

The second visit of each page, with the scripts kept by the browser and the figures made by the server; the laboratory
is empty, so that pages of runs are not among them (see `gantt_open`).
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import emit
from benchmarks._site import chromium, serve
from benchmarks.gantt import FLAGS, VIEWPORT
from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.sharing import urls

PLAIN = {"new": urls.NEW, "runs": urls.RUNS, "algorithms": urls.ALGORITHMS, "glossary": urls.GLOSSARY}
AT_MOST = 3.0
PATIENCE = 90_000
TITLE = """new MutationObserver((_, observer) => {
  if (!document.querySelector('#page h1')) return;
  performance.mark('title');
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })"""
DRAWN = """() => {
  const plots = [...document.querySelectorAll('.js-plotly-plot')];
  const seen = plots.filter((plot) => plot.getBoundingClientRect().top < innerHeight);
  return plots.length && seen.every((plot) => plot.data.length);
}"""


def opened(page: Any, address: str, *, with_figures: bool) -> tuple[float, float]:
    """Return the seconds until the title, and until the figures in view."""
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("#page h1", timeout=PATIENCE)
    title = page.evaluate("performance.getEntriesByName('title')[0].startTime") / 1000
    if with_figures:
        page.wait_for_function(DRAWN, timeout=PATIENCE)
    return title, time.perf_counter() - began


def measure() -> dict[str, float]:
    """Measure all pages."""
    from playwright.sync_api import sync_playwright

    papers = {f"paper_{name.replace('-', '_')}": urls.paper(name) for name in PAGES}
    figures = {}
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        page = browser.new_context(viewport=VIEWPORT).new_page()
        page.add_init_script(TITLE)
        for name, path in {**PLAIN, **papers}.items():
            address, has_figures = f"http://127.0.0.1:{site.port}{path}", name in papers
            opened(page, address, with_figures=has_figures)
            title, drawn = opened(page, address, with_figures=has_figures)
            figures[f"{name}_title_s"] = round(title, 2)
            if has_figures:
                figures[f"{name}_figures_s"] = round(drawn, 2)
        browser.close()
    return figures


def main() -> int:
    """Measure, print, and return 0 when the limits are met."""
    figures = measure()
    return emit("pages", figures, {name: AT_MOST for name in figures if name.endswith("title_s")})


if __name__ == "__main__":
    sys.exit(main())
