"""Why a job of a Slurm site waited: a job is selected in the schedule, its panel comes, and leads to another job."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import urls
from tests.browser.viewing import wait_for_outages
from tests.dashboard.slurm_log import stream

pytestmark = pytest.mark.browser

PATIENCE = 60_000


@pytest.fixture
def site_run(lab, finish, serve, page):
    """Address of a server, the run of its small Slurm site, and the job that waited longest; what the log recorded has
    run, too."""
    page.set_default_timeout(PATIENCE)
    workload = lab.store.workloads.add(stream(), "site.tar")[0].id
    run = finish(workload, "slurm").id
    finish(workload, "recorded")
    jobs = lab.store.runs.get(run).table("jobs")
    job = int(jobs["job_id"][np.argmax(jobs["start"] - jobs["release"])])
    return serve(create_app(lab.store, lab.queue, lab.settings).server), run, job


def test_a_selected_job_says_why_it_waited(page, site_run):
    url, run, job = site_run
    page.goto(url + urls.run(run) + f"?v=1&job={job}")
    panel = page.locator("#run-priority")
    panel.get_by_text(f"job {job},").wait_for()
    panel.locator(".js-plotly-plot .scatterlayer .trace").nth(4).wait_for(state="attached")

    first = panel.locator(".st-heldby button").first
    other = first.get_attribute("data-job")
    first.click()
    page.locator("#job-panel h2").filter(has_text=f"Job {other}").wait_for()
    panel.locator(".st-note").filter(has_text=f"job {other},").or_(panel.get_by_text("did not wait")).wait_for()
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_function("() => document.documentElement.scrollWidth <= 390")


def test_outages_are_hatched_and_named_and_what_happened_is_one_click_away(page, site_run):
    url, run, _ = site_run
    page.goto(url + urls.run(run))
    page.locator("#run-site").get_by_text("1 outage of the site").wait_for()
    wait_for_outages(page)
    place = page.evaluate(
        """() => {
            const { viewer } = document.querySelector("#viewer shadowtime-gantt");
            const box = viewer.stageBox.getBoundingClientRect();
            const { layout, view } = viewer;
            const pane = layout.panes[0];
            const x = layout.x + ((4700 + view.bounds.t0 - view.t0) / (view.t1 - view.t0)) * layout.w;
            return [box.left + x, box.top + pane.y + pane.h * (7.5 / (view.n1 - view.n0))];
        }"""
    )
    page.mouse.move(*place)
    page.locator(".st-siteoutage").get_by_text("fan replaced").wait_for()

    page.get_by_role("button", name="Compare with the recorded schedule").click()
    page.locator("#compare-stack .st-lane").nth(1).wait_for()
    assert "/compare?" in page.url and run in page.url
