"""Names that are HTML, in a real browser: they stand on the page as text, and make no element of it."""

from __future__ import annotations

import threading

import pytest
from werkzeug.serving import make_server

from tests.browser.viewing import PATIENCE
from tests.dashboard.api.named import make
from tests.dashboard.evil import EVIL, MARK, filled
from tests.workers.lab import wait_for

pytestmark = pytest.mark.browser

MADE = f"""() => [...document.querySelectorAll("*")].filter((one) =>
    [...one.attributes].some((its) => its.name.startsWith("{MARK}") || its.name.startsWith("on"))).length"""


@pytest.fixture
def site(tmp_path, free_port):
    made = make(tmp_path, max_uploads=0)
    ids = filled(made)
    made.server.testing = False
    web = make_server("127.0.0.1", free_port, made.server, threaded=True)
    web.daemon_threads = True
    threading.Thread(target=web.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{free_port}", ids
    web.shutdown()
    made.close()


def test_no_name_becomes_a_part_of_a_page_or_of_a_picture(page, site):
    address, ids = site
    pair = f"{ids['run_id']},{ids['second']}"
    places = {
        f"/runs/{ids['run_id']}": "#page h1",
        f"/runs/{ids['on_site']}": "#page h1",
        f"/compare?runs={pair}": "#page h1",
        f"/s/{ids['code']}": "#page h1",
        f"/workloads/{ids['tiers']}": "#page h1",
        f"/workloads/{ids['machines']}": "#page h1",
        f"/experiments/{ids['sweep_id']}": "#page h1",
        f"/?workload={ids['workload_id']}": "#page h1",
        f"/sites?workload={ids['machines']}": "#page h1",
        "/runs": ".ag-row",
        "/experiments": "#page h1",
        "/links": "#page h1",
    }
    for path, there in places.items():
        page.goto(address + path)
        page.locator(there).first.wait_for(timeout=PATIENCE)
        wait_for(lambda: MARK in said(page), f"name on {path}", PATIENCE / 1000)
        assert page.evaluate(MADE) == 0, path

    # A picture that is exported holds it as text.
    page.goto(f"{address}/runs/{ids['run_id']}")
    is_drawn = "!!shadowtime.exporting && shadowtime.viewers.some((one) => one.layout && one.width)"
    wait_for(lambda: page.evaluate(is_drawn), "schedule")
    found = page.evaluate(
        """async () => {
          const text = await (await shadowtime.exporting.view("svg")).text();
          const drawn = new DOMParser().parseFromString(text, "image/svg+xml");
          const texts = [...drawn.querySelectorAll("text")].map((one) => one.textContent);
          return [drawn.querySelectorAll("parsererror, script, b, foreignObject").length, texts.join(), text];
        }"""
    )
    assert found[0] == 0 and "<b" not in found[2]
    assert EVIL.partition(";")[0] in found[1]


def said(page):
    """What a person reads, in fields too."""
    values = page.evaluate("() => [...document.querySelectorAll('textarea, input')].map((one) => one.value).join()")
    return page.locator("body").inner_text() + values
