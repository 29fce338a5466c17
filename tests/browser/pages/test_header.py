"""The line of the workers in the header: when a page asks for it."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.components.health import AT_REST
from shadowtime.dashboard.sharing import urls

pytestmark = pytest.mark.browser

HIDDEN = """
window.isHidden = true;
Object.defineProperty(document, "hidden", { get: () => window.isHidden });
"""
SHOW = """
window.isHidden = false;
document.dispatchEvent(new Event("visibilitychange"));
"""
BEFORE_THE_LAYOUT = """
(function look() {
  if (document.querySelector("#link-notice")) return;
  if (window.dash_clientside?.set_props) {
    window.shownEarly = true;
    document.dispatchEvent(new Event("visibilitychange"));
  }
  setTimeout(look);
})();
"""


def test_a_page_opened_in_the_background_asks_once_and_again_when_it_is_shown(page, lab, serve):
    address = serve(create_app(lab.store, lab.queue, lab.settings).server)
    page.add_init_script(HIDDEN)
    page.goto(f"{address}{urls.GLOSSARY}")
    page.locator("#workers:not(:empty)").wait_for(state="attached")
    page.locator("#page h1").wait_for()
    asked = []
    page.on("request", lambda request: asked.append("health-tick.n_intervals" in (request.post_data or "")))

    page.wait_for_timeout(1000 * (AT_REST + 1))
    assert not any(asked)

    with page.expect_request(lambda request: "health-tick.n_intervals" in (request.post_data or ""), timeout=3000):
        page.evaluate(SHOW)


def test_a_page_that_is_shown_before_dash_has_drawn_it_does_not_fail(page, lab, serve):
    address = serve(create_app(lab.store, lab.queue, lab.settings).server)
    failed = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.add_init_script(HIDDEN + BEFORE_THE_LAYOUT)
    page.goto(f"{address}{urls.GLOSSARY}")
    page.locator("#page h1").wait_for()

    assert page.evaluate("window.shownEarly") and failed == []
