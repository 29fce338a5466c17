"""Sharing and exporting as a person meets them: the form, what a link shows, pictures that hold what is drawn."""

from __future__ import annotations

import base64
import json
import re
import struct
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.workers import rerun
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.queue import Health
from shadowtime.workers.records import schema
from shadowtime.workers.records.database import upsert
from shadowtime.workers.records.links import of_values, row_of
from shadowtime.workers.spec import RunSpec
from tests.dashboard.conftest import HereQueue

pytestmark = pytest.mark.browser

PATIENCE = 30_000
KEPT = Path(__file__).parents[2] / "dashboard" / "kept" / "links"
VIEWS = {
    "xwi76fyk": {
        "window": [0, 200],
        "nodes": [2, 8],
        "selection": 2,
        "colour": "stretch",
        "at": 53,
        "find": "size > 4",
    },
    "ck7ipxkv": {"window": [3, 120], "nodes": [0, 9], "selection": 4, "colour": "wait", "at": 5.5, "find": None},
}
"""What the links below `kept` were made for, by versions that were released: neither is ever changed."""

SENTENCES = {
    "v=2&from=0&to=5": "This link was made by a later version of Shadowtime.",
    "v=x": "A part of this link could not be read and is left out: v=x.",
    "v=1&from=5&colour=rainbow&find=all": "left out: from=5, colour=rainbow, find=all.",
    "v=1&job=99": "There is no job 99 in this run.",
    "v=1&from=90000&to=90001": "The window of this link lies outside of this run.",
    "v=1&nodes=90-95": "The link shows processor 90; the last one here is 9.",
}


class WorkingQueue(HereQueue):
    """A worker that computes again at once; all else that it is asked for is left to the test."""

    def __init__(self, store):
        super().__init__(Health(True, 2, 0))
        self.store = store

    def enqueue(self, digest, priority="default", client=None):
        if not rerun.is_requested(self.store, digest):
            raise QueueAway
        rerun.recompute(self.store, digest)

    def held(self, digests):
        return set(digests)


@pytest.fixture
def site(lab, four, finish, serve):
    """The pages over a store with FCFS and EASY on four jobs."""
    runs = {name: finish(four, name).id for name in ("fcfs", "easy")}
    app = create_app(lab.store, WorkingQueue(lab.store), lab.settings)
    return SimpleNamespace(url=serve(app.server), runs=runs, store=lab.store)


@pytest.fixture
def page(browser, site):
    """A fresh profile that may copy; it must have nothing to complain of."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
    made = context.new_page()
    made.set_default_timeout(PATIENCE)
    said: list[str] = []
    made.on("pageerror", lambda error: said.append(str(error)))
    made.on("console", lambda message: said.append(message.text) if "Content Security" in message.text else None)
    yield made
    context.close()
    assert said == []


def opened(page, address: str, viewers: int = 1) -> None:
    page.goto(address)
    page.wait_for_function(
        "(n) => window.shadowtime?.viewers?.filter((one) => one.drawnOnce).length === n", arg=viewers
    )
    page.wait_for_selector("#link-notice", state="attached")


def debug(page):
    return page.evaluate("shadowtime.viewers[0].debug()")


def test_the_form_makes_a_link_that_shows_the_same(page, site):
    # A view is shared by a short link with a title.
    opened(page, site.url + urls.run(site.runs["easy"], urls.View(0, 200, job=2, at=20)))
    page.get_by_role("button", name="Share").click()
    page.get_by_label("Title").fill("Why job 2 waits")
    page.keyboard.press("Enter")
    page.get_by_text("The link is copied.").wait_for()
    address = page.get_by_label("Link", exact=True).input_value()
    assert address == page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(re.escape(site.url) + "/s/[a-z2-7]{8}", address)
    page.keyboard.press("Escape")
    assert page.locator(".st-share").count() == 0
    assert page.evaluate("document.activeElement.id") == "share"
    opened(page, address)
    page.get_by_text("Why job 2 waits").wait_for()
    found = debug(page)
    assert (found["window"], found["selection"], found["at"]) == ([0, 200], 2, 20)
    assert "EASY on four" in page.locator("#link-notice").inner_text()

    # No site may frame views of this server: the form says so, and offers no code for it.
    opened(page, site.url + urls.run(site.runs["easy"]))
    page.locator("#share").click()
    page.locator(".st-share").get_by_text("SHADOWTIME_EMBED_ORIGINS lists no origin").wait_for()
    assert page.get_by_role("button", name="Copy frame code").count() == 0
    page.keyboard.press("Escape")

    # The form stays when the headline is drawn anew.
    opened(page, site.url + urls.run(site.runs["easy"]))
    page.locator("#share").click()
    page.get_by_label("Title").fill("Half a")
    page.evaluate("document.querySelector('#share').replaceWith(document.querySelector('#share').cloneNode(true))")
    page.get_by_label("Title").press_sequentially(" word")
    assert page.get_by_label("Title").input_value() == "Half a word"
    assert page.locator("#share").get_attribute("aria-expanded") == "true"
    page.evaluate("document.querySelector('#share').remove()")
    page.locator(".st-share").wait_for(state="detached")

    # What was changed a moment ago is in the link.
    opened(page, site.url + urls.run(site.runs["easy"]))
    page.get_by_role("button", name="Who runs, who waits").click()
    page.evaluate("shadowtime.viewers[0].view.set({ t0: 50, t1: 150, colour: 'wait', find: 'size > 4' })")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make a short link").click()
    page.get_by_text("The link is copied.").wait_for()
    link = site.store.links.read(page.get_by_label("Link", exact=True).input_value()[-8:])
    shown = urls.View.parse(link.target.partition("?")[2])
    assert shown == urls.View(50, 150, colour="wait", find="size > 4", panels=("now",))
    opened(page, f"{site.url}/s/{link.code}")
    page.get_by_role("region", name="At the cursor").get_by_text("1 running").wait_for()

    # What a link asks for and the page cannot show is said.
    queries = list(SENTENCES)
    opened(page, f"{site.url}{urls.run(site.runs['easy'])}?{queries[0]}")
    notice = page.locator("#link-notice")
    for query in queries:
        page.evaluate(
            """(query) => {
              history.replaceState(null, "", `?${query}`);
              window.dispatchEvent(new PopStateEvent("popstate"));
            }""",
            query,
        )
        notice.get_by_text(SENTENCES[query]).wait_for()
        assert debug(page)["segments"] == 4
    notice.get_by_role("button", name="Close").click()
    assert notice.inner_text() == ""


def test_a_comparison_is_shared_as_it_stands_and_saved_sharp(page, site):
    runs = ",".join(site.runs.values())
    opened(page, f"{site.url}/compare?runs={runs}&baseline={site.runs['easy']}&v=1&job=4&from=0&to=120", 2)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make a short link").click()
    page.get_by_text("The link is copied.").wait_for()
    link = site.store.links.read(page.get_by_label("Link", exact=True).input_value()[-8:])
    assert [kept.id for kept in link.runs] == list(site.runs.values())
    comparison = urls.Comparison.parse(link.target.partition("?")[2])
    assert (list(comparison.runs), comparison.baseline) == (list(site.runs.values()), site.runs["easy"])
    assert urls.View.parse(link.target.partition("?")[2]) == urls.View(0, 120, job=4)

    # A PNG is sharp and shows all compared runs.
    opened(page, f"{site.url}/compare?runs={','.join(site.runs.values())}&v=1&from=0&to=200", 2)
    message = picture(page, "png")
    colours = page.evaluate(
        """async () => {
          const bitmap = await createImageBitmap(await shadowtime.exporting.view("png"));
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          context.drawImage(bitmap, 0, 0);
          return new Set(new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)).size;
        }"""
    )
    width = page.evaluate("shadowtime.viewers[0].width")
    assert message[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">I", message[16:20])[0] == 2 * (width + 40)
    assert colours > 20


def test_links_of_released_versions_and_of_runs_that_are_computed_again(page, site):
    # Links of released versions show what they were made for.
    for code in sorted(VIEWS):
        link = of_values(code, json.loads((KEPT / f"{code}.json").read_bytes()))
        with site.store.database.write() as connection:
            upsert(connection, schema.links, row_of(link))
        for kept in link.runs:
            if site.store.runs.accept(kept.question, jobs=4):
                fill(site.store, kept.question, site.store.runs.begin(kept.digest))
        opened(page, f"{site.url}/s/{code}", len(link.runs))
        found = debug(page)
        assert {name: found[name] for name in VIEWS[code]} == VIEWS[code]
        assert page.locator("#link-notice .st-notice-warn").count() == 0

    # A linked run that is computed again is the same to the last bit.
    link, _ = shared.make(site.store, urls.run(site.runs["easy"]), "Four jobs")
    opened(page, f"{site.url}/s/{link.code}")
    page.get_by_role("button", name="Run again and compare").click()
    page.get_by_text("Bit-identical: every table of the re-run is the same to the last bit").wait_for()

    # A table that differs is named.
    kept = replace(link.runs[0], tables={**link.runs[0].tables, "segments": "0" * 64})
    with site.store.database.write() as connection:
        upsert(connection, schema.links, row_of(replace(link, runs=(kept,))))
    opened(page, f"{site.url}/s/{link.code}")
    page.get_by_role("button", name="Run again and compare").click()
    page.get_by_text("Not identical: segments differs").wait_for()

    # Where the run was deleted, the link asks its question again.
    run = site.runs["easy"]
    link, _ = shared.make(site.store, urls.run(run, urls.View(0, 200, job=2)), "Why job 2 waits")
    site.store.runs.delete(run)
    page.goto(f"{site.url}/s/{link.code}")
    page.get_by_text("This link shows a run that was deleted.").wait_for()
    page.get_by_role("button", name="Run again").click()
    page.get_by_text("The re-run waits for a worker.").wait_for()
    digest = link.runs[0].digest
    status = site.store.runs.begin(digest)
    fill(site.store, RunSpec.from_json(link.runs[0].spec), status)
    page.get_by_text("Bit-identical").wait_for()
    page.get_by_role("link", name="Open the view of the re-run").click()
    page.wait_for_function("() => window.shadowtime?.viewers?.[0]?.drawnOnce")
    assert debug(page)["selection"] == 2


def fill(store, spec, status) -> None:
    """What a worker does, whatever engine the question names."""
    outcome = execute(spec, load_workload(spec, store))
    tables = {name: getattr(outcome.schedule, name) for name in rerun.COMPARED}
    assert store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)


# ---- pictures ----


def picture(page, kind: str) -> bytes:
    """The exported view, asked for before the frame of a change."""
    text = page.evaluate(
        """async (kind) => {
          await document.fonts.ready;
          shadowtime.viewers[0].repaint();
          const bytes = new Uint8Array(await (await shadowtime.exporting.view(kind)).arrayBuffer());
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
        }""",
        kind,
    )
    return base64.b64decode(text)


def test_a_view_is_exported(page, site, monkeypatch):
    # The view is saved under the name of its run.
    opened(page, site.url + urls.run(site.runs["easy"]))
    for kind in ("PNG", "SVG"):
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=f"This view as {kind}").click()
        assert download.value.suggested_filename == f"{site.runs['easy']}.{kind.lower()}"

    # An SVG holds the rectangles and labels of the view.
    opened(page, site.url + urls.run(site.runs["easy"], urls.View(0, 200)))
    drawn = ElementTree.fromstring(picture(page, "svg"))
    texts = [
        "".join(element.itertext()).replace("\u202f", " ") for element in drawn.iter() if element.tag.endswith("}text")
    ]
    for label in (
        "EASY on four",
        "0 s – 200 s",
        "1 · 6 proc.",
        "2",
        "4 · 4 proc.",
        "Processors",
        f"Shadowtime · {site.runs['easy']}",
    ):
        assert label in texts, label
    box = next(one for one in debug(page)["drawn"] if one["job"] == 1)
    hue = page.evaluate("""async () => {
      const { css } = await import("/assets/base/colour.js");
      const { hueOf } = await import("/assets/gantt/model/colour-rules.js");
      return css(shadowtime.viewers[0].theme.jobs[hueOf(1)]);
    }""")
    filled = [one.get("d") for one in drawn.iter() if one.tag.endswith("}path") and one.get("fill") == hue]
    left = [float(x) for d in filled for x in re.findall(r"M([\d.]+) ", d)]
    assert min(abs(x - 2 * box["x"]) for x in left) < 4  # two device pixels to a CSS pixel

    # The trace is that of the window.
    opened(page, site.url + urls.run(site.runs["easy"], urls.View(100, 110)))
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Trace of this window for Perfetto").click()
    text = Path(download.value.path()).read_text()
    assert download.value.suggested_filename == f"{site.runs['easy']}-trace.json"
    assert '"job 2"' in text and '"job 1"' not in text

    # Blocks are rectangles and density is a picture in the SVG.
    store = site.store
    entry, _ = store.workloads.generate("uniform", {"jobs": 200, "processors": 64}, 1)
    spec = RunSpec.of(store.workloads.load(entry.id), "easy")
    store.runs.accept(spec, jobs=200)
    fill(store, spec, store.runs.begin(spec.digest))
    opened(page, site.url + urls.run(spec.id))
    assert debug(page)["level"] == "panes"
    blocks = picture(page, "svg").decode()
    page.evaluate("shadowtime.exporting.limit(10)")
    pixels = picture(page, "svg").decode()
    assert (blocks.count("<image"), pixels.count("<image")) == (1, 2)  # the areas; and the pane
    assert blocks.count("<path") > 150 > pixels.count("<path")

    # A run of which only windows are sent is linked and exported.
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", 500)
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.HUGE", 1000)
    entry, _ = site.store.workloads.generate("uniform", {"jobs": 3000, "processors": 64}, 1)
    spec = RunSpec.of(site.store.workloads.load(entry.id), "easy")
    site.store.runs.accept(spec, jobs=3000)
    fill(site.store, spec, site.store.runs.begin(spec.digest))
    opened(page, site.url + urls.run(spec.id, urls.View(job=1500)))
    assert page.evaluate("Boolean(shadowtime.viewers[0].run.wide)")
    assert page.locator("#link-notice").inner_text() == ""
    assert debug(page)["selection"] == 1500
    drawn = picture(page, "svg").decode()
    assert drawn.count("<image") == 2 and "EASY on Uniform" in drawn
