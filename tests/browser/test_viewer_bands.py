"""Batches and shelves of a planned run on the Gantt, and what a moldable job would take on other allotments."""

from __future__ import annotations

import pytest

from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from tests.browser.test_viewer_packed import packed
from tests.browser.viewing import NAMES, Viewer

pytestmark = pytest.mark.browser


def moldable(runs, algorithm: str, **parameters) -> str:
    """A finished run of 30 jobs on 16 processors; gives its id."""
    store = runs.store
    entry, _ = store.workloads.generate("moldable", {"jobs": 30, "processors": 16}, 3)
    spec = RunSpec.of(store.workloads.load(entry.digest), algorithm, parameters)
    store.runs.accept(spec, jobs=entry.jobs)
    status = store.runs.begin(spec.digest)
    if status is not None:
        outcome = execute(spec, load_workload(spec, store))
        found = {name: getattr(outcome.schedule, name) for name in (*NAMES, "bands")}
        store.runs.finish(spec.digest, status.attempt, found, outcome.summary)
    return spec.id


def test_shelves_batches_and_intervals_of_a_plan(runs, page):
    # Shelves stand above the processors with their lengths.
    viewer = Viewer(page, runs.page_of(moldable(runs, "dual")))
    viewer.wait("d.bands.length")
    first, second = viewer.debug["bands"]
    (pane,) = viewer.debug["panes"]
    t0, t1 = viewer.debug["window"]
    assert (first["name"], second["name"]) == ("shelf 1", "shelf 2")
    assert first["text"] == f"shelf 1 · {first['length']}"
    assert first["x"] + first["w"] == pytest.approx(second["x"])
    assert first["y"] + first["h"] < pane["y"]
    seconds = first["w"] / pane["w"] * (t1 - t0)
    assert second["w"] / pane["w"] * (t1 - t0) <= seconds / 2 + 1e-6

    # They are hidden by a key and shown by a button.
    low = viewer.debug["panes"][0]["y"]
    viewer.press("b")
    viewer.wait("!d.bands.length")
    high = viewer.debug["panes"][0]["y"]
    viewer.page.click(".gv-bandsbutton")
    viewer.wait("d.bands.length === 2")
    assert high < low == viewer.debug["panes"][0]["y"]

    # Batches have their numbers.
    viewer = Viewer(page, runs.page_of(moldable(runs, "demt", final="basic")))
    viewer.wait("d.bands.length > 1")
    assert all(band["name"].startswith("batch ") for band in viewer.debug["bands"])

    # Intervals of a linear program are hidden until the key is pressed.
    viewer = Viewer(page, runs.page_of(packed(runs, "synchpack-2", local=2)))
    page.locator(".gv-bandsbutton").wait_for()
    assert viewer.debug["bands"] == []
    viewer.press("b")
    viewer.wait("d.bands.length > 1")
    assert all(band["name"].startswith("interval ") for band in viewer.debug["bands"])

    # A run without a plan has none.
    viewer = Viewer(page, runs.page_of(runs.simulate()))
    assert viewer.debug["bands"] == []
    assert viewer.page.locator(".gv-bandsbutton").is_hidden()


def test_a_selected_job_shows_its_time_by_allotment(runs, page):
    page.goto(runs.page_of(moldable(runs, "sequential")))
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div id=job-panel></div>')")
    page.wait_for_function("() => shadowtime.viewers[0]?.debug().segments")
    page.evaluate("document.dispatchEvent(new CustomEvent('shadowtime:select', { detail: { job: 3 } }))")
    title = page.locator(".gv-curve-title")
    title.wait_for()

    assert title.inner_text().endswith(" on 1")
    assert page.locator(".gv-curve-taken").count() == 1
    assert "1.00 times the work of one processor" in page.locator(".gv-curve-words").inner_text()
