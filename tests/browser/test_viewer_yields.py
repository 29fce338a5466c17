"""Nodes that are shared: what the panel of a job gives of the CPU that it could use."""

from __future__ import annotations

import numpy as np
import pytest

from tests.browser.viewing import Viewer

pytestmark = pytest.mark.browser


def test_the_panel_of_a_job_that_shares_its_nodes(runs, page):
    run = runs.compute(runs.generate("fractional", 4, jobs=60, nodes=8, load=1.2), "mcb8*/opt=min")
    jobs, events = (runs.store.runs.get(run).table(name) for name in ("jobs", "events"))

    # It shows the job's yield and what moves cost.
    row = int(np.bincount(events["job"][events["kind"] == 5]).argmax())
    viewer = Viewer(page, runs.page_of(run))
    viewer.page.evaluate(
        "(job) => document.dispatchEvent(new CustomEvent('shadowtime:select', { detail: { job } }))",
        int(jobs["job_id"][row]),
    )
    viewer.page.wait_for_selector(".gv-yield-stall", state="attached")
    assert "without progress" in viewer.text(".gv-yield")
    viewer.page.locator(".gv-life", has_text="no progress for 5").wait_for()
    viewer.page.locator(".gv-yield-picture").click(position={"x": 150, "y": 30})
    assert jobs["release"][row] < viewer.page.evaluate("shadowtime.viewers[0].view.at") < jobs["end"][row]

    # A life of many moves is shown whole when asked for.
    row = int(np.bincount(events["job"]).argmax())
    viewer = Viewer(page, runs.page_of(run) + f"?job={jobs['job_id'][row]}")
    more = viewer.page.locator(".gv-more button")
    more.wait_for()
    hidden = int(more.inner_text().split()[1])
    shown = viewer.page.locator(".gv-life li").count() - 1
    more.click()
    assert viewer.page.locator(".gv-life li").count() == hidden + shown
    assert viewer.page.locator(".gv-more").count() == 0
