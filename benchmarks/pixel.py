"""Measure from a worker's message to the screen: publish to painted frame in one browser, with 19 more open streams."""

from __future__ import annotations

import http.client
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks import emit
from benchmarks._site import Site, chromium, serve
from shadowtime.workers.connection import connect
from shadowtime.workers.live import Publisher
from shadowtime.workers.redis_names import Names
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store

STREAMS = 19
MESSAGES = 200
PAUSE = 0.1
"""Seconds between messages: a worker sends at most ten a second."""
LIMIT_MS = 100.0

FOLLOW = """run => {
  window.heard = [];
  const place = document.createElement("output");
  document.body.append(place);
  shadowtime.live.subscribe(run, (news) => {
    const heard = performance.timeOrigin + performance.now();
    place.textContent = news.progress.jobs_done;
    requestAnimationFrame(() => {
      // The frame with the new text is painted after this callback: the next task comes behind the paint.
      const channel = new MessageChannel();
      channel.port1.onmessage = () =>
        window.heard.push([news.progress.jobs_done, heard, performance.timeOrigin + performance.now()]);
      channel.port2.postMessage(0);
    });
  });
}"""


def main() -> int:
    """Measure, print, and return 0 when the limit is met."""
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as site, ExitStack() as stack:
        digest = accept(site)
        for _ in range(STREAMS):
            stack.enter_context(another_stream(site, digest[:16]))
        playwright = stack.enter_context(sync_playwright())
        page = stack.enter_context(browser(playwright)).new_page()
        page.goto(f"http://127.0.0.1:{site.port}/runs")
        until(page, "Boolean(window.shadowtime?.live)")
        page.evaluate(FOLLOW, digest[:16])
        until(page, "shadowtime.live.state.state === 'live' && heard.length > 0")
        sent = publish(site, digest)
        until(page, f"heard.some(([n]) => n === {MESSAGES})")
        heard = {int(n): (call, paint) for n, call, paint in page.evaluate("heard")}
    to_callback = [(heard[n][0] / 1000 - at) * 1000 for n, at in sent.items() if n in heard]
    to_pixel = [(heard[n][1] / 1000 - at) * 1000 for n, at in sent.items() if n in heard]
    figures = {
        "streams": STREAMS + 1,
        "messages": MESSAGES,
        "heard": len(to_pixel),
        "callback_p50_ms": percentile(to_callback, 50),
        "callback_p95_ms": percentile(to_callback, 95),
        "pixel_p50_ms": percentile(to_pixel, 50),
        "pixel_p95_ms": percentile(to_pixel, 95),
        "pixel_max_ms": round(max(to_pixel), 1),
    }
    return emit("pixel", figures, {"pixel_p95_ms": LIMIT_MS})


def until(page: Page, condition: str, patience: float = 20.0) -> None:
    """Wait until a condition holds in the page, evaluated from outside: the content policy forbids evaluation
    inside."""
    deadline = time.monotonic() + patience
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            raise SystemExit(f"after {patience:g} s there is still no: {condition}")
        time.sleep(0.05)


def accept(site: Site) -> str:
    """Queue a run without any worker; return its digest."""
    store = open_store(site.store)
    entry, _ = store.workloads.generate("uniform", {"jobs": MESSAGES}, 1)
    spec = RunSpec.of(store.workloads.load(entry.digest), "easy")
    store.runs.accept(spec, jobs=MESSAGES)
    return spec.digest


def publish(site: Site, digest: str) -> dict[int, float]:
    """Publish the progress of the run; return when each message was sent [s since 1970], by its number."""
    store = open_store(site.store)
    publisher = Publisher(connect(site.redis_url), Names(store.identity))
    status = store.runs.get(digest).status.but(status="running")
    sent = {}
    for n in range(1, MESSAGES + 1):
        progress = {**status.progress, "jobs_done": n, "fraction": n / MESSAGES}
        sent[n] = time.time()
        if not publisher.publish(digest, status.but(progress=progress)):
            raise SystemExit("Redis does not answer")
        time.sleep(PAUSE)
    return sent


@contextmanager
def another_stream(site: Site, run: str) -> Iterator[None]:
    """Read another stream until the `with` block ends."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.request("GET", f"/api/live?runs={run}")
    answer = connection.getresponse()
    assert answer.status == 200, answer.status
    sock = connection.sock

    def read() -> None:
        while answer.read1(65536):
            continue

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield
    finally:
        sock.shutdown(socket.SHUT_RDWR)  # the reader gets the end of the stream
        reader.join()
        connection.close()


@contextmanager
def browser(playwright) -> Iterator[Page]:
    """Open a fresh profile of a headless Chromium without a graphics card."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip
    instance = playwright.chromium.launch(executable_path=chromium(), headless=True, args=flags)
    try:
        yield instance.new_context(viewport={"width": 1440, "height": 900})
    finally:
        instance.close()


def percentile(values: list[float], percent: int) -> float:
    return round(statistics.quantiles(values, n=100, method="inclusive")[percent - 1], 1)


if __name__ == "__main__":
    sys.exit(main())
