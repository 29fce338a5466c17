"""Why a job of a Slurm site waited: a job is selected in the schedule, its panel comes, and leads to another job."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import urls
from tests.dashboard.slurm_log import stream

pytestmark = pytest.mark.browser

PATIENCE = 60_000


@pytest.fixture
def site_run(lab, finish, serve):
    """Address of a server, the run of its small Slurm site, and the job that waited longest."""
    run = finish(lab.store.workloads.add(stream(), "site.tar")[0].id, "slurm").id
    jobs = lab.store.runs.get(run).table("jobs")
    job = int(jobs["job_id"][np.argmax(jobs["start"] - jobs["release"])])
    return serve(create_app(lab.store, lab.queue, lab.settings).server), run, job


def test_a_selected_job_says_why_it_waited(page, site_run):
    url, run, job = site_run
    page.set_default_timeout(PATIENCE)
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
