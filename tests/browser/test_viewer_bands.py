"""Batches and shelves of a planned run on the Gantt, and what a moldable job would take on other allotments."""

from __future__ import annotations

import pytest

from tests.browser.test_viewer_packed import packed
from tests.browser.viewing import Viewer

pytestmark = pytest.mark.browser


def moldable(runs, algorithm: str, **parameters) -> str:
    """A finished run of 30 jobs on 16 processors; gives its id."""
    return runs.compute(runs.generate("moldable", 3, jobs=30, processors=16), algorithm, **parameters)


def test_a_plan_has_shelves_batches_and_intervals_and_a_job_its_time_by_allotment(runs, page):
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

    # A selected job shows its time by allotment, and what it took.
    page.evaluate("document.dispatchEvent(new CustomEvent('shadowtime:select', { detail: { job: 3 } }))")
    page.locator(".gv-curve-taken").wait_for(state="attached")
    taken = page.evaluate("(({ jobs }) => jobs.processors[jobs.job_id.indexOf(3)])(shadowtime.viewers[0].run)")
    assert page.locator(".gv-curve-title").inner_text().endswith(f" on {taken}")
    assert page.locator(".gv-curve-taken").count() == 1
    assert " times the work of one processor" in page.locator(".gv-curve-words").inner_text()

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
