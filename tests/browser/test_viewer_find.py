"""Jobs that are searched for stand out, however far away, and can be gone through."""

from __future__ import annotations

import pytest

from tests.browser.viewing import Viewer, log

pytestmark = pytest.mark.browser


def find(viewer: Viewer, words: str) -> None:
    viewer.page.evaluate(
        "(words) => document.dispatchEvent(new CustomEvent('shadowtime:find', { detail: { words } }))", words
    )


def test_jobs_of_a_size_are_lit_listed_and_gone_through(four):
    find(four, "size > 4")
    assert four.wait("d.found === 2")
    assert four.text(".gv-found-words") == "above 4 processors: 2 jobs"
    four.page.get_by_role("button", name="Next", exact=True).click()
    first = four.rest()["selection"]
    assert four.text(".gv-found-words") == "above 4 processors: 2 jobs, 1 of 2 selected"
    four.page.get_by_role("button", name="Next", exact=True).click()
    second = four.rest()["selection"]
    assert [first, second] == [1, 2]

    # Escape lets the job go, then the search
    four.press("Escape")
    assert four.debug["selection"] is None and four.debug["found"] == 2
    four.press("Escape")
    assert four.debug["find"] is None
    assert not four.page.locator(".gv-found").is_visible()

    # the list holds what was found
    four.reset()
    find(four, "size 4")
    four.wait("d.found === 2")
    four.page.wait_for_function("() => document.querySelector('.gv-list li')?.dataset.job > 2")
    jobs = four.page.locator(".gv-list li").evaluate_all("items => items.map((item) => item.dataset.job)")
    assert sorted(jobs) == ["3", "4"]
    assert "2 jobs of 4 processors in this window" in four.page.locator(".gv-stage").get_attribute("aria-label")

    # where none is in the window, a button leads to them
    four.reset()
    four.page.evaluate("shadowtime.viewers[0].view.set({ t0: 200, t1: 300 })")
    find(four, "size 10")
    assert four.wait("d.found === 1")
    assert four.text(".gv-found-words") == "10 processors: 1 job, none in this window"
    four.page.get_by_role("button", name="Show them all").click()
    found = four.rest()
    assert found["window"][0] <= 100 < 110 <= found["window"][1] < 120
    find(four, "user 99")
    four.settle()
    assert four.text(".gv-found-words") == "No job of user 99 in this run"


def test_far_away_jobs_are_painted_over_the_cells(runs, page):
    viewer = Viewer(page, runs.page_of(runs.simulate(log(4000, 100, apart=3, runtime=20))))
    far = viewer.debug
    assert (far["level"], far["labels"], far["painted"]) == ("density", 0, 0)
    find(viewer, "job 5-7")
    assert viewer.wait("d.found === 3 && d.painted > 0")["painted"] == 3
    ink = """() => {
      const { panes: [pane] } = shadowtime.viewers[0].debug();
      const context = document.querySelector(".gv-base").getContext("2d");
      const { data } = context.getImageData(pane.x, pane.y, pane.w, pane.h), colour = [79, 134, 198];
      let found = 0;
      const same = (at) => colour.every((channel, k) => data[at + k] === channel);
      for (let at = 0; at < data.length; at += 4) if (same(at)) found += 1;
      return found;
    }"""
    few = page.evaluate(ink)
    find(viewer, "user 5")
    assert viewer.wait("d.found === 571 && d.painted !== 3")["painted"] == 1
    assert page.evaluate(ink) > few + 571 * 4
    assert viewer.debug["level"] == "density"

    # of 400 jobs, those of a user are lit: every seventh
    viewer = Viewer(page, runs.page_of(runs.simulate(log(400, 8))))
    find(viewer, "user 3")
    found = viewer.wait("d.found !== null")
    lit = page.evaluate("[...shadowtime.viewers[0].lit.mask]")
    assert (found["find"], found["found"]) == ("user 3", 57)
    assert [row for row, on in enumerate(lit) if on] == list(range(3, 400, 7))
    assert viewer.text(".gv-found-words") == "user 3: 57 jobs"
