"""Compared runs in a browser: one window, one cursor, one selection; what is chosen stands in the address."""

from __future__ import annotations

import io
import re

import pytest

from shadowtime.dashboard.api import open_runs
from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from tests.dashboard.conftest import Site, ask, finish, four, lab, serve  # noqa: F401

pytestmark = pytest.mark.browser

PATIENCE = 30_000
DRAWN = "() => window.shadowtime?.viewers?.length === {n} && shadowtime.viewers.every((one) => one.compared)"


@pytest.fixture
def site(lab, four, finish, serve):  # noqa: F811
    """FCFS and EASY on the four-job example: job 4 starts at 110 and at 3, all else alike."""
    runs = {name: finish(four, name).id for name in ("fcfs", "easy")}
    runs["first"] = finish(four, "easy", parameters={"extra": "first"}).id
    return Site(serve(create_app(lab.store, lab.queue, lab.settings).server), runs)


def opened(page, site, *names: str, query: str = "", **more):
    """The comparison of the runs of these names, its schedules drawn."""
    page.set_default_timeout(PATIENCE)
    asked = Comparison(runs=tuple(site.runs[name] for name in names), **more)
    page.goto(site.url + urls.compare(asked) + query)
    if more.get("show") in (None, "stacked"):
        page.wait_for_function(DRAWN.format(n=len(names)))
    return page


def debug(page, which: int):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(f"shadowtime.viewers[{which}].debug()")


def click_job(page, which: int, job: int) -> None:
    """Click the middle of a job in one of the schedules."""
    box = next(one for one in debug(page, which)["drawn"] if one["job"] == job)
    stage = page.locator(".gv-stage").nth(which).bounding_box()
    page.mouse.click(stage["x"] + box["x"] + box["w"] / 2, stage["y"] + box["y"] + box["h"] / 2)


def rail(page, which: int, pattern: str) -> str:
    """What stands beside a schedule, as soon as it says so."""
    place = page.locator(".st-rail").nth(which)
    place.filter(has_text=re.compile(pattern)).wait_for()
    return place.inner_text().replace("\u202f", " ")


def test_schedules_share_window_cursor_and_selection(page, site):
    # They have one window, one cursor, one colouring and one time axis.
    opened(page, site, "fcfs", "easy")
    page.evaluate("shadowtime.viewers[1].view.set({ t0: 0, t1: 200, at: 60 })")
    one, other = debug(page, 0), debug(page, 1)
    assert one["window"] == other["window"] == [0, 200]
    assert one["at"] == other["at"] == 60 and one["colour"] == other["colour"] == "stretch"
    assert "1 running, 3 waiting" in rail(page, 0, "waiting") and "6 / 10 useful CPU" in rail(page, 0, "useful")
    assert "1 running, 2 waiting" in rail(page, 1, "2 waiting")
    assert "ends 1,110 s" in rail(page, 1, "ends")
    assert one["panes"][0]["x"] == other["panes"][0]["x"] and one["panes"][0]["w"] == other["panes"][0]["w"]

    # The job that is clicked in one is selected in all.
    opened(page, site, "fcfs", "easy")
    assert debug(page, 0)["selection"] is None
    page.evaluate("shadowtime.viewers[0].view.set({ t0: 0, t1: 200 })")
    click_job(page, 1, 4)
    page.wait_for_function("() => shadowtime.viewers.every((one) => one.debug().selection === 4)")
    page.locator("#compare-submitted").filter(has_text="4 submitted 3").wait_for()
    assert "Why did job 4 start sooner here?" in rail(page, 1, "Why")
    assert "Why" not in page.locator(".st-rail").nth(0).inner_text()
    assert "job=4" in page.url and "runs=" in page.url

    # "Why" opens the job's life under both, side by side.
    opened(page, site, "fcfs", "easy", query="&job=4")
    page.get_by_role("button", name="Why did job 4 start sooner here?").click()
    lives = page.locator("#compare-lives")
    lives.filter(has_text="backfilled: ends").wait_for()
    text = lives.inner_text().replace("\u202f", " ")
    assert "Job 4 under FCFS and under EASY" in text
    assert "Under EASY it starts and ends 1 min 47 s sooner than under FCFS" in text
    assert "At that instant FCFS had 4 of 10 processors free, enough for its 4" in text
    assert "2 other jobs waited, all of them submitted before it" in text and "it was not its turn" in text
    assert "the shadow time of job 2" in text and lives.locator(".gv-life").count() == 2
    assert f"why={site.runs['easy']}" in page.url

    # It names who held the machine and what freed it; a name leads to that job, and to the instant of its start.
    assert "EASY started it at 3 s: backfilled: ends 47 s before the shadow time of job 2." in text
    assert re.search("job 1 .*held 6 processors until 100 s\\.", text, re.IGNORECASE)
    assert "Under FCFS it started at 110 s, after 1 min 47 s: job 2 ended and freed" in text
    page.evaluate("shadowtime.viewers[0].view.set({ at: 60 })")
    lives.locator("li").filter(has_text="held 6 processors").locator(".gv-job-name").click()
    page.wait_for_function("() => shadowtime.viewers.every((one) => one.view.job === 1 && one.view.at === 0)")
    page.go_back()
    lives.filter(has_text="Job 4 under FCFS").wait_for()
    page.reload()
    lives.filter(has_text="backfilled: ends").wait_for()
    lives.get_by_role("button", name="Close").click()
    assert lives.is_hidden() and "why=" not in page.url

    # Stepping goes through the events of all.
    opened(page, site, "fcfs", "easy", query="&at=3")
    page.wait_for_function("() => shadowtime.viewers.every((one) => one.run.events)")
    times = []
    for _ in range(3):
        page.keyboard.press(".")
        times.append(debug(page, 0)["at"])
    assert times == [53, 100, 110]

    # A link shows the same to another person.
    opened(page, site, "fcfs", "easy", query="&v=1&from=0&to=200&job=4&colour=wait&at=53")
    page.evaluate("shadowtime.viewers[0].view.set({ at: 60 })")
    page.wait_for_function("() => location.search.includes('at=60')")
    context = page.context.browser.new_context(viewport={"width": 1440, "height": 900})
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_function(DRAWN.format(n=2))
    found = [debug(one, 1) for one in (page, other)]
    context.close()
    assert [(one["window"], one["selection"], one["colour"], one["at"]) for one in found] == [
        ([0, 200], 4, "wait", 60)
    ] * 2


def test_jobs_are_compared_one_by_one(page, site):
    # What is shown and the baseline stand in the address.
    opened(page, site, "fcfs", "easy")
    page.locator("#compare-show").get_by_text("Difference").click()
    page.locator("#differences-grid .ag-row").first.wait_for()
    page.get_by_role("textbox", name="Baseline").click()
    page.get_by_role("option", name="EASY", exact=True).click()
    page.locator("#compare-winners").filter(has_text="1 later").wait_for()
    page.locator("h2").filter(has_text="Job by job: FCFS against EASY").wait_for()
    assert "show=difference" in page.url and f"baseline={site.runs['easy']}" in page.url
    page.reload()
    page.locator("h2").filter(has_text="Job by job: FCFS against EASY").wait_for()
    assert page.locator("#compare-stack").is_hidden()

    # A row of the table selects its job; its columns are chosen.
    opened(page, site, "fcfs", "easy", show="difference")
    row = page.locator("#differences-grid .ag-center-cols-container .ag-row").nth(3)
    assert "1 min 47 s" in row.inner_text().replace("\u202f", " ")
    row.click()
    page.wait_for_function("() => shadowtime.viewers[0].view.job === 4")
    page.locator(".st-gridhead").get_by_role("button", name="Columns").click()
    page.locator("#differences-grid [col-id=processors]").first.wait_for()
    page.get_by_role("checkbox", name="Processors").uncheck()
    page.wait_for_function("() => !document.querySelector('#differences-grid [col-id=processors]')")

    # A point of the scatter selects its job.
    opened(page, site, "fcfs", "easy", "first", show="scatter")
    figure = page.locator("#compare-scatter .st-scatter[data-points='4']").nth(0)
    point = figure.locator(".scatterlayer .trace").nth(0).locator(".point")  # the one job that stretched less
    point.wait_for()
    box = point.bounding_box()
    assert page.locator("#compare-scatter .st-scatter:not([hidden])").count() == 2
    page.mouse.move(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 - 2)
    figure.locator(".hoverlayer").filter(has_text="Job 4").wait_for()
    page.mouse.click(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 - 2)
    page.wait_for_function("() => shadowtime.viewers[0].view.job === 4")
    figure.locator(".scatterlayer").filter(has_text="job 4").wait_for()
    assert "slowdown smaller for 1, larger for 0" in figure.locator(".st-scatterhead").inner_text()
    assert "lowdown under EASY" in figure.locator("[role=img]").get_attribute("aria-label")

    # The scatter goes when another view is chosen.
    page.locator("#compare-show").get_by_text("Stacked").click()
    page.locator("#compare-stack").wait_for()
    assert not page.locator("#compare-scatter").is_visible()


def test_distributions_and_metrics_below_the_schedules(page, site):
    # Distributions come after the schedules, and what they show stands in the address.
    opened(page, site, "fcfs", "easy")
    page.locator("#compare-distributions .js-plotly-plot").wait_for()
    page.locator("#compare-form").get_by_text("Histogram").click()
    page.locator("#compare-spread-note").filter(has_text="jobs in logarithmic bins").wait_for()
    page.locator("#compare-what").get_by_text("Wait").click()
    page.locator("#compare-spread-table").filter(has_text="below 10").wait_for(state="attached")
    page.wait_for_function("() => location.search.includes('spread=wait-count')")
    page.reload()
    page.locator("#compare-spread-table").filter(has_text="below 10").wait_for(state="attached")

    # The columns of the metrics are chosen.
    opened(page, site, "fcfs", "easy")
    change, ratio = (page.locator(f".st-versus tbody .st-if-{name}").nth(1) for name in ("change", "ratio"))
    assert change.is_hidden() and ratio.is_visible()
    page.locator("#compare-columns-button").click()
    page.get_by_role("checkbox", name="Against the baseline").check()
    page.get_by_role("checkbox", name="At most × optimal").uncheck()
    change.wait_for()
    assert ratio.is_hidden()
    assert "columns=bound,change" in page.url
    best = page.locator(".st-versus tr").filter(has_text="Mean wait").locator(".st-best")
    assert best.count() == 1 and best.locator("[aria-label='best: ']").count() == 1


def test_runs_are_chosen_added_and_left_out(page, site, lab, finish):  # noqa: F811
    # C leads from the list to the comparison.
    page.set_default_timeout(PATIENCE)
    page.goto(site.url + urls.RUNS)
    for name in ("fcfs", "easy"):
        page.locator(f"#runs-grid .ag-row[row-id='{site.runs[name]}'] input[type=checkbox]").check()
    page.locator(".st-dock-main").wait_for()
    page.keyboard.press("c")
    page.wait_for_function(DRAWN.format(n=2))
    page.locator("#page h1").filter(has_text="FCFS and EASY on four").wait_for()

    # A run is added and left out.
    opened(page, site, "fcfs", "easy", query="&job=4")
    page.get_by_role("textbox", name="Add a run").click()
    page.locator(f"[role=option][value='{site.runs['first']}']").click()
    page.wait_for_function(DRAWN.format(n=3))
    assert site.runs["first"] in page.url and "job=4" in page.url
    page.wait_for_function("() => shadowtime.viewers.every((one) => one.view.job === 4)")
    page.get_by_role("link", name="Remove FCFS").click()
    page.wait_for_function(DRAWN.format(n=2))
    page.locator("#page h1").filter(has_text="EASY on four").wait_for()
    assert site.runs["fcfs"] not in page.url

    # Runs of other jobs are refused, and aligned by id.
    swf = "; MaxProcs: 10\n1 0 -1 5 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    site.runs["one"] = finish(lab.store.workloads.add(io.BytesIO(swf.encode()), "one.swf")[0].id, "easy").id
    page.goto(site.url + urls.compare(Comparison((site.runs["fcfs"], site.runs["one"]))))
    page.locator("#compare-refusal").filter(has_text="These runs share no job.").wait_for()
    page.locator("#compare-align").click()
    page.wait_for_function(DRAWN.format(n=2))
    assert "align=id" in page.url
    assert "aligned by job id: 1 of 4 and 1 jobs" in page.locator(".st-comparehead").inner_text()


def test_no_complaint_and_no_overflow(browser, site):
    for scheme in ("light", "dark"):
        page = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme).new_page()
        said: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        opened(page, site, "fcfs", "easy", "first", query="&job=4")
        page.locator("#compare-distributions .js-plotly-plot").wait_for()
        for show in ("Difference", "Scatter", "Stacked"):
            page.locator("#compare-show").get_by_text(show).click()
            page.wait_for_timeout(200)
            for width in (1440, 900, 560, 400):
                page.set_viewport_size({"width": width, "height": 800})
                page.wait_for_timeout(60)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (scheme, show, width)
            page.set_viewport_size({"width": 1440, "height": 900})
        page.evaluate("shadowtime.go('/compare')")
        page.locator("#page h1").filter(has_text="Compare runs").wait_for()
        page.context.close()
        assert said == [], scheme


def test_runs_that_are_too_large_to_send_at_once(page, site, four, finish, monkeypatch):  # noqa: F811
    # A large run keeps the job of the link when the rest of it comes.
    monkeypatch.setattr(open_runs, "LARGE", 1)
    opened(page, site, "fcfs", "easy", query="&job=4")
    page.wait_for_function("() => shadowtime.viewers.every((one) => !one.run.wide && one.selected === 3)")
    assert "Why did job 4 start sooner here?" in rail(page, 1, "Why")

    # Runs that are too large to hold are compared, too: others, since tables of the first two are cached.
    monkeypatch.setattr(open_runs, "HUGE", 1)
    site.runs.update({f"huge {name}": finish(four, name, seed=7).id for name in ("fcfs", "easy")})
    opened(page, site, "huge fcfs", "huge easy", query="&job=4&at=60")
    assert "1 running, 3 waiting" in rail(page, 0, "waiting")
    page.get_by_role("button", name="Why did job 4 start sooner here?").click()
    lives = page.locator("#compare-lives")
    lives.filter(has_text="At that instant FCFS had 4 of 10 processors free").wait_for()
    lives.filter(has_text="2 other jobs waited.").wait_for()
    assert page.evaluate("shadowtime.viewers.every((one) => one.run.huge)")
    page.locator("#compare-show").get_by_text("Scatter").click()
    page.wait_for_function("() => document.querySelector('#compare-scatter .st-scatter')?.dataset.points === '4'")


def test_a_run_takes_part_as_it_comes(page, site, lab, four, ask, finish):  # noqa: F811
    given = {"parameters": {"extra": "first"}, "seed": 5}
    site.runs["coming"] = ask(four, "easy", **given).id
    opened(page, site, "fcfs", "coming")
    assert "Queued" in rail(page, 1, "Queued")
    page.locator("#compare-winners").filter(has_text="No job has ended under both yet").wait_for()
    finish(four, "easy", **given)

    assert "ends 1,110 s" in rail(page, 1, "ends") and "Queued" not in rail(page, 1, "ends")
    page.locator("#compare-winners").filter(has_text="1 sooner").wait_for()
    page.locator(".st-versus tr").filter(has_text="Mean wait").locator(".st-best").wait_for()
