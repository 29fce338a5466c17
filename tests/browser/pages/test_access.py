"""A visitor becomes an editor, asks in private, gives a link away, takes it back, and signs out: in real browsers."""

from __future__ import annotations

import pytest

from tests.dashboard.api.named import make
from tests.dashboard.conftest import Site

pytestmark = pytest.mark.browser


@pytest.fixture
def guarded(tmp_path, serve) -> tuple[Site, object]:
    """A laboratory with a token, and what stands behind it."""
    made = make(tmp_path, token="se cret")
    made.client.environ_base["HTTP_AUTHORIZATION"] = "Bearer se cret"
    public = made.ask(algorithm="fcfs").json["id"]
    made.finish(public)
    return Site(serve(made.server), {"fcfs": public}), made


def test_a_private_run_from_the_token_to_the_revoked_link_and_the_end_of_the_session(guarded, page, browser):
    site, made = guarded
    page.goto(f"{site.url}/runs/{site.runs['fcfs']}")
    page.locator("#page h1").wait_for()
    assert not page.locator("#share").is_visible()
    page.goto(f"{site.url}/?workload={made.workload()}")
    page.locator("[data-token]").last.click()
    page.locator("#token-notice input").fill("wrong")
    page.locator("#token-notice button").click()
    page.get_by_text("That is not a token of this server.").wait_for()
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    places = "[...document.querySelectorAll('#token-notice *')].map((one) => one.getBoundingClientRect().right)"
    assert max(page.evaluate(places)) <= 390, "no part of the notice lies outside a phone's screen"
    page.set_viewport_size(size)
    page.locator("#token-notice input").fill("se cret")
    page.locator("#token-notice button").click()

    page.get_by_text("Queue 2 runs").wait_for()
    page.locator("#new-private").and_(page.locator(":enabled")).wait_for()
    held, is_slow = [], True
    page.route("**/_dash-update-component*", lambda asked: held.append(asked) if is_slow else asked.continue_())
    page.locator("#new-private").check()
    page.locator("#queue").click()  # before the server has answered
    is_slow = False
    for answer in held:
        answer.continue_()
    page.locator("#runs-grid .st-icon-lock").first.wait_for()
    assert page.locator("#runs-grid .st-icon-lock").count() == 2
    assert page.evaluate("document.cookie") == "", "no script reads the token"

    private = made.client.get("/api/runs?algorithm=easy").json["runs"][0]["id"]
    made.finish(private)
    page.goto(f"{site.url}/runs/{private}")
    page.locator(".st-private").wait_for()
    page.locator("#share").click()
    page.get_by_text("Make a short link").click()
    page.get_by_text("Everyone who has it can read this private run").wait_for()
    link = page.locator(".st-share-made input").input_value()

    guest = browser.new_context().new_page()
    guest.goto(f"{site.url}/runs/{private}")
    guest.get_by_text("Run not found").wait_for()
    guest.goto(link)
    guest.get_by_text("Private, by link").wait_for()
    guest.locator(".st-viewer canvas").first.wait_for()
    assert not guest.locator("#share").is_visible()

    page.goto(f"{site.url}/links")
    page.locator("[data-revoke]").click()
    page.get_by_text("Revoke for good?").click()
    page.locator(".st-revoked").wait_for()
    guest.goto(link)
    guest.get_by_text("Link not found").wait_for()
    guest.goto(f"{site.url}/runs/{private}")
    guest.get_by_text("Run not found").wait_for()
    guest.context.close()

    # Who signs out on the page of sessions is a viewer again.
    page.goto(f"{site.url}/runs")
    page.locator("#runs-grid .ag-row").first.wait_for()
    assert page.locator("html").get_attribute("data-role") == "editor"
    page.locator(".st-visitor").click()
    page.get_by_role("menuitem", name="Sessions").click()
    page.get_by_text("this browser").wait_for()
    page.locator("[data-sign-out]").click()

    page.locator("html[data-role=viewer]").wait_for(state="attached")
    page.locator("#visitor-word", has_text="Viewer").wait_for()
    page.get_by_text("You are not signed in.").wait_for()
