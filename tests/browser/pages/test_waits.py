"""Outages and groups on the page of a run, and from there who waited: another group, a search, the files."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import urls
from tests.browser.viewing import wait_for_outages
from tests.dashboard.waits_log import stream

pytestmark = pytest.mark.browser

PATIENCE = 60_000


@pytest.fixture
def log(lab, finish, serve, page):
    """Address of a site, and its runs of a log of Slurm under EASY and FCFS."""
    page.set_default_timeout(PATIENCE)
    workload = lab.store.workloads.add(stream(), "jobs.txt")[0].id
    runs = [finish(workload, name, platform={"processors": 16}).id for name in ("easy", "fcfs")]
    return serve(create_app(lab.store, lab.queue, lab.settings).server), runs


def test_a_person_sees_outages_and_groups_of_a_run_and_who_waited(page, log):
    # Outages of the log are shown and hidden in the schedule.
    url, (easy, _) = log
    page.goto(url + urls.run(easy))
    page.get_by_role("button", name="Show outages of the log").click()
    page.locator("#run-outages-said").filter(has_text="1 outage").wait_for()

    wait_for_outages(page)
    page.get_by_role("button", name="Hide outages").click()
    wait_for_outages(page, shown=False)

    # Below the tables, the jobs by user and class.
    page.locator("#groups-button").click()
    page.locator("#groups-grid .ag-row").first.wait_for()
    page.locator("#groups-shown .js-plotly-plot .scatterlayer path").first.wait_for()
    page.get_by_role("radiogroup", name="Group by").get_by_text("Size class").click()
    page.get_by_role("heading", name="By size class").wait_for()
    page.get_by_role("radiogroup", name="Value").get_by_text("Bounded slowdown").click()
    page.get_by_role("heading", name="Bounded slowdown by class").wait_for()
    page.locator("#groups-button").click()
    page.locator("#groups-grid").wait_for(state="detached")

    # The page of the waits is of another group, searched, and leaves as files.
    page.get_by_role("link", name="Who waited").click()
    page.locator("#waits-likeness").filter(has_text="Recorded mean wait").wait_for()
    page.locator("#waits-figure .js-plotly-plot .point").first.wait_for()
    grid = page.locator("#waits-table")
    grid.get_by_text("13 others").first.wait_for()

    page.locator("#waits-by").get_by_text("Hour").click()
    grid.get_by_text("09:00").wait_for()
    page.locator("#waits-show").get_by_text("Longest").click()
    page.locator("#waits-figure").get_by_text("longest wait").wait_for()
    page.wait_for_function("() => location.search.includes('by=hour&show=longest')")
    with page.expect_download() as download:
        page.locator("#waits-csv").click()
    assert download.value.suggested_filename == f"{easy}-waits-by-hour.csv"
    with page.expect_download() as download:
        page.locator("[data-place=waits-figure]").first.click()
    assert download.value.suggested_filename == "waits-figure.svg"

    page.locator("#waits-by").get_by_text("User").click()
    page.locator("#waits-find").fill("user2")
    page.locator("#waits-note").filter(has_text="matches").wait_for()
    assert "anna" not in grid.inner_text()


def test_the_maps_are_of_the_record_and_of_each_run(page, log):
    url, (easy, fcfs) = log
    page.goto(url + urls.compare(urls.Comparison(runs=(easy, fcfs))))
    page.get_by_role("link", name="Who waited").click()
    page.locator("#waits-outages").filter(has_text="1 outage").wait_for()
    page.locator("#waits-busy").get_by_text("By nodes").wait_for()
    page.locator("#waits-of").get_by_text("FCFS").click()
    page.locator("#waits-busy").get_by_text("By processors").wait_for()
    page.locator("#waits-busy .js-plotly-plot .hm").nth(1).wait_for(state="attached")
    with page.expect_download() as download:
        page.locator("[data-place=waits-busy]").last.click()
    assert download.value.suggested_filename == "waits-busy.png"
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_function("() => document.documentElement.scrollWidth <= 390")
