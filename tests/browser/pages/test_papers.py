"""The pages of the papers as a person meets them, drawn from what is shipped."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.look import words
from shadowtime.dashboard.papers import PAGES
from shadowtime.workers.papers.kept import shipped, study_of
from tests.whole import whole_or

pytestmark = pytest.mark.browser

PATIENCE = 90_000
DRAWN = whole_or(tuple(PAGES), ("measy", "one-workload"))
"""Pages of which all figures are waited for, or on the others the first: `make soak` waits for all."""

HAVE_DATA = "() => [...document.querySelectorAll('.st-panel .js-plotly-plot')].every((plot) => plot.data.length)"
"""Also of the figures far below the window, which are drawn when nothing else is to be done."""


@pytest.fixture
def site(lab, serve, page):
    """The site, and a page that looks at it."""
    page.set_default_timeout(PATIENCE)
    return page, serve(create_app(lab.store, lab.queue, lab.settings).server)


def test_every_page_draws_its_figures_fits_a_narrow_window_and_gives_files_and_rules(site):
    page, address = site
    page.goto(f"{address}/papers")
    for name in ("measy", *(name for name in PAGES if name != "measy")):
        if name == "measy":
            page.locator("#measy h2 a").click()  # the list leads to a paper
        else:
            page.goto(f"{address}/papers/{name}")
        panels = sum(len(one.panels) for one in PAGES[name].drawings(shipped(name, "quick")["studies"]))
        page.locator(".st-panel .main-svg").nth(2 * (panels if name in DRAWN else 1) - 1).wait_for(state="attached")
        if name in DRAWN:
            page.wait_for_function(HAVE_DATA)
        assert page.locator(".st-claims tbody tr").count() >= 4
        assert page.locator("#paper-recompute").inner_text().startswith("Recompute")
        assert page.locator("body[data-page=papers]").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440
        for check in ALSO.get(name, ()):
            check(page)
        if name in ("measy", "dfrs"):
            page.set_viewport_size({"width": 400, "height": 800})
            page.goto(f"{address}/papers/{name}")
            page.locator(".st-panel .main-svg").first.wait_for(state="attached")
            assert page.evaluate("document.documentElement.scrollWidth") == 400
            page.set_viewport_size({"width": 1440, "height": 900})


def a_drawing_leaves_as_files(page):
    with page.expect_download() as picture:
        page.locator("#improvement a", has_text="SVG").click()
    with page.expect_download() as numbers:
        page.locator("#improvement a", has_text="CSV").click()
    text = picture.value.path().read_text(encoding="utf-8")
    assert picture.value.suggested_filename == "measy-full-improvement.svg"
    assert "<svg" in text and text.count("<path") > 100, "letters are outlines"
    assert numbers.value.suggested_filename == "measy-full-improvement.csv"


def numbers_are_read_as_tables(page):
    details = page.locator("#improvement details", has_text="as a table")
    assert not details.locator("table").count(), "thousands of cells that are not looked at slow a page down"
    details.locator("summary").click()
    first = details.locator("table").first
    first.wait_for()
    panel = PAGES["measy"].drawings(shipped("measy", "full")["studies"])
    panel = next(one for one in panel if one.key == "improvement").panels[0]
    assert details.locator(".st-paneltitle").first.inner_text() == panel.title
    assert first.locator("thead th").all_inner_texts()[1:] == [*(line.name for line in panel.lines), panel.grey]
    assert first.locator("tbody th").all_inner_texts() == [*panel.points]
    values = [words.number(value) for value in (*(line.values[0] for line in panel.lines), panel.paper[0])]
    assert first.locator("tbody tr").first.locator("td").all_inner_texts() == values


def a_claim_shows_its_rule(page):
    rule = page.locator(".st-rule div").first
    page.locator(".st-rule summary").first.click()
    rule.wait_for(state="visible")
    assert rule.inner_text().startswith("Holds if")


ALSO = {"measy": [a_drawing_leaves_as_files, numbers_are_read_as_tables], "demt": [a_claim_shows_its_rule]}


def test_recomputing_is_followed_until_the_new_result_is_shown(site, lab):
    page, address = site
    waiting: list[str] = []
    lab.queue.enqueue = lambda digest, priority="default", *, first=False: waiting.append(digest)
    page.goto(f"{address}/papers/measy?scale=quick")
    page.click("#paper-recompute")
    page.locator("#paper-progress", has_text="Queued").wait_for()
    study = study_of(lab.store.papers, "measy", "quick")
    study.change(("queued",), status="running")
    study.report({"done": 31, "total": 124, "seconds_left": 93.0})
    page.locator("#paper-progress", has_text="31 of 124 · about 2").wait_for()
    study.finish({**shipped("measy", "quick"), "made": "2999-01-01T00:00:00Z", "engine_version": "9.9.9+fresh"})

    page.locator(".st-facts", has_text="9.9.9+fresh").wait_for()
    assert waiting == ["paper-measy-quick-0", "paper-measy-quick-1"]
    assert page.locator(".st-paperlinks", has_text="Show the shipped result").count() == 1
