"""The whole way from a trace to a short link without a pointer."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.sharing import urls
from tests.dashboard.api.named import make

pytestmark = pytest.mark.browser

PATIENCE = 30_000
MOST = 120
"""Tab stops from one control to the next."""
SEEN = """() => {
    let one = document.activeElement;
    if (one === document.body) return ""; // on its way around through the frame of the browser
    for (let up = 0; one && up < 4; up++, one = one.parentElement)
        if (getComputedStyle(one).outlineStyle !== "none") return "";
    return document.activeElement.outerHTML.slice(0, 160);
}"""
"""What has the focus, if that is not seen; an outline may be that of a box around it."""


def tab_to(page, selector: str, key: str = "Tab") -> None:
    """Press Tab until what a selector names has the focus, which is seen at every stop."""
    passed = []
    for _ in range(MOST):
        page.keyboard.press(key)
        passed.append(page.evaluate("document.activeElement.outerHTML.slice(0, 90)"))
        assert page.evaluate(SEEN) == ""
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached: {passed}")


def test_from_a_trace_to_a_link_by_the_keyboard_alone(browser, serve, tmp_path):
    made = make(tmp_path)
    name = made.store.workloads.get(made.workload()).name.removesuffix(".swf")
    url = serve(made.server)
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE)
    press = page.keyboard.press

    # The first page: a trace that is there, another algorithm, and the button that queues.
    page.goto(f"{url}{urls.NEW}")
    page.locator(".st-samples").get_by_text(name, exact=True).wait_for()
    tab_to(page, ".st-samples *:is(a, button)")
    while page.evaluate("document.activeElement.textContent.trim()") != name:
        press("Tab")
    press("Enter")
    page.locator("#new-queue").filter(has_text="EASY").wait_for()
    tab_to(page, "input[type=checkbox][id*=pick][id*=conservative]")
    press("Space")
    page.locator("#queue").filter(has_text="Queue 3 runs").wait_for()
    tab_to(page, "#queue")
    press("Enter")
    page.wait_for_url(f"**{urls.RUNS}**")
    page.locator("#runs-grid .ag-row").nth(2).wait_for()
    runs = {run["algorithm"]: run["id"] for run in made.client.get("/api/runs").json["runs"]}
    for run in runs.values():
        made.finish(run)
    page.locator("#runs-grid .st-state-finished").nth(2).wait_for()

    # A run of the list.
    tab_to(page, "#runs-grid .ag-cell[col-id=algorithm]")
    press("Enter")
    page.wait_for_url(f"**{urls.RUNS}/*")

    # A job of its schedule, and why it started.
    page.locator("shadowtime-gantt[data-state=ready]").wait_for()
    tab_to(page, ".gv-stage")
    tab_to(page, ".gv-list")
    press("ArrowDown")
    press("Enter")
    page.locator("#job-panel h2", has_text="Job 4").wait_for()
    page.locator(".gv-stage [role=status]").filter(has_text="Selected: Job 4").wait_for()

    # The comparison with another run, where the same job says why it started later.
    tab_to(page, ".st-actions a[href*='/compare']", "Shift+Tab")
    press("Enter")
    page.locator("#page h1").filter(has_text="with another run").wait_for()
    tab_to(page, f"#page a[href$='{runs['fcfs']}']")
    press("Enter")
    page.locator("#compare-stack shadowtime-gantt[data-state=ready]").nth(1).wait_for()
    tab_to(page, ".gv-list")
    press("ArrowDown")
    press("Enter")
    page.locator(".gv-stage [role=status]").filter(has_text="FCFS: Selected: Job 4").wait_for()
    tab_to(page, ".st-railwhy button")
    press("Enter")
    page.locator(".st-liveswhy").wait_for()

    # A short link.
    tab_to(page, "[data-share]", "Shift+Tab")
    press("Enter")
    tab_to(page, ".st-share input[name=title]")
    page.keyboard.type("By hand")
    press("Enter")
    page.locator(".st-share-made input").wait_for()
    assert "/s/" in page.locator(".st-share-made input").input_value()
    page.context.close()
