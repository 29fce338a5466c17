"""Tasks that share machines: rectangles upon one another."""

from __future__ import annotations

import pytest

from tests.browser.viewing import Gallery, Viewer

pytestmark = pytest.mark.browser


def packed(gallery: Gallery, algorithm: str, **parameters: float) -> str:
    """A finished run of jobs of tasks; gives its id."""
    return gallery.compute(gallery.generate("multitask", 3, jobs=6, machines=2, **parameters), algorithm)


def test_tasks_of_a_machine_are_drawn_upon_one_another(runs, page):
    viewer = Viewer(page, runs.page_of(packed(runs, "synchpack-3")))
    found = viewer.debug
    pane = found["panes"][0]
    heights = {round(one["h"]) for one in found["drawn"]}

    assert len(heights) > 3 and max(heights) < pane["h"] / 2
    first = found["drawn"][0]
    viewer.page.mouse.move(*viewer.middle(first["job"]))
    viewer.page.wait_for_selector(".gv-card:not([hidden])")
    assert "task" in viewer.text(".gv-card")
