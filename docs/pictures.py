"""Takes the pictures of the docs from the running product: `make pictures`, with SHADOWTIME_TRACES set.

Week 20 of KTH-SP2 under EASY, in light and dark, held against FCFS, shared, and the page where it was asked for; an
experiment; a paper.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.laboratory import Laboratory  # noqa: E402
from tests.conftest import find_chromium, unused_ports  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
TRACE = "KTH-SP2-1996-2.1-cln.swf.gz"
WEEK = [{"name": "week", "parameters": {"k": 20}}]
READY = "() => window.shadowtime?.viewers?.[0]?.debug()?.status === 'finished'"


def main() -> int:
    """Run what the pictures show, then take them."""
    traces = os.environ.get("SHADOWTIME_TRACES")
    if not traces or not (Path(traces) / TRACE).is_file():
        print(f"SHADOWTIME_TRACES must name the folder that holds {TRACE}", file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    port, redis_port = unused_ports(2)
    with (
        tempfile.TemporaryDirectory() as folder,
        Laboratory(Path(folder), port, redis_port, gated=False) as laboratory,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": 1440, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
            )
            page = context.new_page()
            workload = send(page, laboratory.url, Path(traces) / TRACE)
            runs = [laboratory.queue(workload, name, conversions=WEEK) for name in ("fcfs", "easy")]
            for run in runs:
                laboratory.wait_for_status(run, "finished")
            page.goto(f"{laboratory.url}/runs/{runs[1]}")
            page.wait_for_function(READY)
            page.locator("#stretch-below:not(:empty)").wait_for()
            take(page, f"run-{scheme}")
            if scheme == "light":
                page.goto(f"{laboratory.url}/?workload={workload}")
                page.locator("#trace-body").get_by_text("jobs kept").wait_for()
                page.locator("#new-bounds:not(:empty)").wait_for()
                take(page, f"new-run-{scheme}")
                others(page, laboratory.url, runs)
            context.close()
        browser.close()
    return 0


def others(page: Page, url: str, runs: list[str]) -> None:
    """Compared runs, a link to them in the making, an experiment and a paper."""
    page.goto(f"{url}/compare?runs={','.join(runs)}")
    page.wait_for_function("() => shadowtime?.viewers?.length === 2 && shadowtime.viewers.every((one) => one.compared)")
    page.locator("#compare-distributions .js-plotly-plot").wait_for()
    take(page, "compare-light")
    page.locator("[data-share]").first.click()
    take(page, "share-light")
    page.goto(f"{url}/experiments/new?example=load")
    page.locator("#sweep-queue:enabled").click()
    page.locator(".st-pill-finished").wait_for(timeout=300_000)
    page.locator("#sweep-figure .js-plotly-plot").first.wait_for()
    take(page, "experiment-light")
    page.goto(f"{url}/papers/measy")
    page.locator(".st-drawing .js-plotly-plot").first.wait_for()
    take(page, "paper-light")


def send(page: Page, url: str, trace: Path) -> str:
    """Send a file to the server; gives the workload's id."""
    answer = page.request.post(f"{url}/api/workloads", multipart={"file": trace})
    assert answer.ok, answer.text()
    return answer.json()["id"]


def take(page: Page, name: str) -> None:
    """One picture, as soon as two in a row are the same: fonts, figures and tables have come."""
    before = b""
    while (now := page.screenshot()) != before:
        before = now
        page.wait_for_timeout(500)
    (PICTURES / f"{name}.png").write_bytes(now)


if __name__ == "__main__":
    sys.exit(main())
