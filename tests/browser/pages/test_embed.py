"""A run in a frame of another site's page: who may show it, and what it leaves out."""

from __future__ import annotations

import threading

import pytest
from flask import Flask
from werkzeug.serving import make_server

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.settings import Settings

pytestmark = pytest.mark.browser


@pytest.fixture
def wiki(free_ports):
    """`wiki(body)`: the port at which a site of another person shows that page, under two names."""
    servers = []

    def start(body: str) -> int:
        other = Flask("wiki")
        other.get("/", endpoint="page")(lambda: body)
        servers.append(make_server("127.0.0.1", free_ports(1)[0], other, threaded=True))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return servers[-1].port

    yield start
    for server in servers:
        server.shutdown()


def test_a_listed_site_frames_a_run_and_another_does_not(browser, page, lab, four, finish, serve, wiki):
    other = wiki('<iframe width="1200" height="800"></iframe>')
    listed, stranger = f"http://localhost:{other}", f"http://127.0.0.1:{other}"
    settings = Settings(store=lab.settings.store, embed_origins=(listed,))
    run = finish(four, "easy").id
    address = serve(create_app(lab.store, lab.queue, settings).server)

    # The form under Share has the code of the frame, with the view that is on the screen.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    page.goto(f"{address}{urls.run(run, urls.View(0, 200, job=2))}")
    page.locator("shadowtime-gantt[data-state=ready]").wait_for(timeout=30_000)
    page.locator("#share").click()
    page.get_by_role("button", name="Copy frame code").click()
    page.get_by_text("The frame code is copied.").wait_for()
    code = page.evaluate("navigator.clipboard.readText()")
    given = page.evaluate(
        "(code) => { const at = document.createElement('div'); at.innerHTML = code;"
        " const one = at.firstElementChild; return [one.tagName, one.src, one.title]; }",
        code,
    )
    shown = urls.View.parse(given[1].partition("?")[2])
    assert (given[0], given[2]) == ("IFRAME", "EASY on four") and (shown.start, shown.end, shown.job) == (0, 200, 2)

    def framed(page, origin: str) -> str:
        page.goto(origin)
        page.locator("iframe").evaluate(
            "(one, url) => new Promise((done) => { one.onload = done; one.src = url; })", given[1]
        )
        return page.frames[1].url

    refused = browser.new_context().new_page()
    assert framed(refused, stranger).startswith("chrome-error:"), "the browser refused to show it"
    refused.context.close()
    assert framed(page, listed).startswith(address)
    frame = page.frame_locator("iframe")
    frame.locator("shadowtime-gantt[data-state=ready]").wait_for(timeout=30_000)
    frame.locator("#page h1").wait_for(timeout=30_000)
    assert not frame.locator(".st-header").is_visible()
    assert not frame.locator("#delete-run").is_visible()

    with page.context.expect_page() as opened:
        frame.locator(".st-embedlink").click()
    assert opened.value.url.startswith(f"{address}{urls.run(run)}") and "embed" not in opened.value.url
