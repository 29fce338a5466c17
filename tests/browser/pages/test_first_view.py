"""A schedule can be used before Dash has started, and what was done to it then stays."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.sharing import urls

pytestmark = pytest.mark.browser

PATIENCE = 30_000


class Held:
    """A page whose Dash does not start until it is let go."""

    def __init__(self, browser, address: str):
        self.page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.said: list[str] = []
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.waiting: list = []
        self.free = False
        self.page.route("**/dash_renderer*", self.hold)
        self.page.goto(address, wait_until="commit")
        self.page.wait_for_selector("#first-view shadowtime-gantt[data-state=ready]")

    def hold(self, route) -> None:
        if self.free:
            route.continue_()
        else:
            self.waiting.append(route)

    def let_go(self) -> None:
        self.free = True  # for a request that is still to come
        for route in self.waiting:
            route.continue_()
        self.page.wait_for_selector("#page shadowtime-gantt[data-state=ready]")


def test_a_window_chosen_early_stays_and_what_the_link_could_not_show_is_said_when_the_page_is_there(browser, site):
    held = Held(browser, site.url + urls.run(site.runs["easy"]) + "?v=1&job=977")
    page = held.page
    assert page.locator("#first-view h1").inner_text() == "EASY on four"
    page.locator(".gv-stage").focus()
    page.keyboard.press(".")
    page.wait_for_function("() => shadowtime.viewers[0].view.at > 0")
    page.evaluate("shadowtime.viewers[0].view.set({ t0: 0, t1: 200, job: 4 })")
    held.let_go()

    assert page.locator("#first-view").count() == 0
    assert page.evaluate("shadowtime.viewers.length") == 1
    assert page.evaluate("shadowtime.viewers[0].debug().window") == [0, 200]
    assert page.evaluate("document.activeElement.className") == "gv-stage"
    assert "Job 4" in page.locator("#job-panel").inner_text()
    page.locator("#jobs-table .ag-row").first.wait_for()
    page.locator("#link-notice").filter(has_text="There is no job 977 in this run.").wait_for()
    assert held.said == []
    page.context.close()


def test_compared_schedules_are_linked_before_and_after(browser, site):
    runs = (site.runs["fcfs"], site.runs["easy"])
    held = Held(browser, site.url + urls.compare(urls.Comparison(runs=runs)))
    page = held.page
    page.wait_for_function("() => shadowtime.viewers.length === 2 && shadowtime.viewers.every((one) => one.clock)")
    page.evaluate("shadowtime.viewers[1].view.set({ t0: 0, t1: 200, at: 60 })")
    held.let_go()
    page.wait_for_function("() => shadowtime.viewers.every((one) => one.compared)")

    assert page.evaluate("shadowtime.viewers.map((one) => one.debug().window)") == [[0, 200], [0, 200]]
    page.locator(".st-rail").nth(1).filter(has_text="ends").wait_for()
    assert held.said == []
    page.context.close()


@pytest.mark.parametrize(("name", "moves"), [("run", 30), ("compare", 0)])
def test_a_page_keeps_still_while_its_schedules_are_loaded(page, site, name, moves):
    """They are requested with the page, have their place, and none of their controls is seen half made.

    moves: pixels that the page below may move; the stage of a run has whole rows, which are not known before.
    """
    page.goto(site.url + urls.RUNS)
    page.locator("#runs-grid .ag-row").first.wait_for()
    held, runs = [], list(site.runs.values())
    page.route("**/api/runs/*/segments*", lambda route: held.append(route))
    address = urls.run(runs[0]) if name == "run" else urls.compare(urls.Comparison(runs=tuple(runs)))
    page.evaluate("(address) => shadowtime.go(address)", address)
    page.locator(".gv-waiting").first.filter(has_text="Loading the schedule").wait_for()
    below = page.locator("#jobs-note" if name == "run" else "#compare-metrics")
    below.wait_for(state="attached")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.gv-waiting')).opacity === '1'")
    assert not page.locator(".gv-bar select, .gv-chip, .gv-scrub button").filter(visible=True).count()
    before = below.bounding_box()["y"]

    assert len(held) == (1 if name == "run" else 2)
    page.unroute("**/api/runs/*/segments*")  # which lets those that are held go on
    page.wait_for_function("() => shadowtime.viewers.length && shadowtime.viewers.every((one) => one.drawnOnce)")
    page.locator(".gv-bar select").first.wait_for()

    assert not page.locator(".gv-waiting").count()
    assert below.bounding_box()["y"] == pytest.approx(before, abs=moves)
