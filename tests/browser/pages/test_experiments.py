"""An experiment from the form to the runs behind a point, as a person meets it."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.sharing import urls
from tests.dashboard.test_experiments import QUESTION, site, swept  # noqa: F401

pytestmark = pytest.mark.browser

PATIENCE = 60_000


@pytest.fixture
def opened(browser, serve, site):  # noqa: F811
    """`opened(address, width)`: a page, and what its console complains of."""
    contexts = []
    address_of = serve(site.server)

    def go(address, width=1280):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address_of + address)
        return page, said

    yield go
    for context in contexts:
        context.close()


def test_a_figure_is_chosen_its_points_lead_to_runs_and_it_leaves_as_a_file(opened, swept):  # noqa: F811
    view = swept(QUESTION)
    page, said = opened(urls.experiment(view.sweep.id))
    plot = page.locator("#sweep-figure .js-plotly-plot").first
    plot.locator(".scatterlayer .point").first.wait_for()
    page.evaluate(
        "document.querySelector('#sweep-figure .js-plotly-plot')"
        ".emit('plotly_click', { points: [{ customdata: [3] }] })"
    )
    behind = page.locator("#sweep-behind")
    behind.filter(has_text=view.point_name(3)).wait_for()
    assert behind.locator("a").count() == 3

    page.locator("#sweep-show").get_by_text("Map").click()
    page.locator("#sweep-figure").filter(has_text="the best of each column").wait_for()
    page.wait_for_function("() => location.search.includes('show=heat')")
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").click()
    assert download.value.suggested_filename == "by-load-map-mean_flow.svg"
    page.reload()
    page.locator("#sweep-figure").filter(has_text="the best of each column").wait_for()
    assert said == []


def test_the_form_says_what_it_comes_to_and_what_is_wrong(opened, swept):  # noqa: F811
    page, said = opened(f"{urls.EXPERIMENTS}/new?example=load")
    button = page.get_by_role("button", name="Queue 75 runs")
    button.wait_for()
    assert "5 seeds × 1 workload × 3 variants × 5 loads" in page.locator("#sweep-count").inner_text()
    page.locator("#sweep-in-seeds").fill("1-3")
    page.get_by_role("button", name="Queue 45 runs").wait_for()
    page.get_by_role("button", name="keasy", exact=True).click()
    page.get_by_role("button", name="Queue 60 runs").wait_for()
    assert '"keasy"' in page.locator("#sweep-as-toml").inner_text()
    said.clear()
    page.locator("#sweep-in-loads").fill("0.5, much")
    page.locator("#sweep-count .st-notice").filter(has_text='Loads: "much" must be a number').wait_for()
    assert page.locator("#sweep-queue").is_disabled()
    page.locator("#sweep-in-loads").fill("0.5")
    page.get_by_role("button", name="Queue 12 runs").wait_for()
    page.get_by_role("button", name="TOML").click()
    page.locator("#sweep-toml").fill('workloads = ["lublin"]\nalgorithms = ["easy"]\n')
    page.get_by_role("button", name="Queue 1 run", exact=True).wait_for()
    assert [text for text in said if "400" not in text] == []


def test_no_page_of_experiments_is_wider_than_its_window(opened, swept):  # noqa: F811
    view = swept(QUESTION)
    for address, there in (
        (urls.EXPERIMENTS, "#sweeps-list article"),
        (f"{urls.EXPERIMENTS}/new", "#sweep-queue:enabled"),
        (urls.experiment(view.sweep.id), "#sweep-figure .js-plotly-plot"),
    ):
        page, _ = opened(address, 900)
        page.locator(there).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 900, address
        page.set_viewport_size({"width": 400, "height": 900})
        page.wait_for_function("() => document.documentElement.scrollWidth <= 400")  # figures are drawn anew


def test_an_example_fills_the_form_and_back_brings_the_one_before(opened):
    page, said = opened(f"{urls.EXPERIMENTS}/new")
    name = page.locator("#sweep-in-name")
    page.get_by_role("button", name="Queue 75 runs").wait_for()
    assert name.input_value() == "Backfilling over the load"
    page.get_by_role("button", name="TOML").click()
    page.get_by_role("link", name="What a migration may cost").click()
    page.get_by_role("button", name="Queue 35 runs").wait_for()
    assert name.input_value() == "What a migration may cost"
    assert "measy migration_cost=0,20,120,480,900" in page.locator("#sweep-in-algorithms").input_value()
    page.get_by_role("link", name="Jobs whose size").click()
    page.get_by_role("button", name="Queue 120 runs").wait_for()
    assert page.locator("#sweep-in-processors").input_value() == ""
    page.go_back()
    page.get_by_role("button", name="Queue 35 runs").wait_for()
    page.go_back()
    page.get_by_role("button", name="Queue 75 runs").wait_for()
    assert name.input_value() == "Backfilling over the load"
    assert said == []
