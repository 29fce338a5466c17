"""The offline report from the pages: Export saves a file that opens by itself."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison

pytestmark = pytest.mark.browser

PATIENCE = 30_000
DRAWN = "() => window.shadowtime?.viewers?.length && window.shadowtime.viewers.every((one) => one.drawnOnce)"


def saved(page, folder, name):
    """The file that the entry of the menu saves."""
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Offline report (HTML)").click()
    assert download.value.suggested_filename == name
    download.value.save_as(folder / name)
    return folder / name


def test_export_saves_a_run_and_a_comparison(browser, site, tmp_path):
    first, second = site.runs["fcfs"], site.runs["easy"]
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)

    page.goto(site.url + urls.run(second))
    page.wait_for_selector("#page h1")
    one = saved(page, tmp_path, f"{second}-report.html")
    page.goto(site.url + urls.compare(Comparison(runs=(first, second))))
    page.wait_for_selector("#page h1")
    two = saved(page, tmp_path, f"{first}-{second}-report.html")
    context.set_offline(True)
    for path, count, title in ((one, 1, "EASY on four"), (two, 2, "FCFS and EASY on four")):
        page.goto(path.as_uri())
        page.wait_for_function(DRAWN)
        assert page.locator("h1").inner_text() == title
        drawn = page.evaluate("shadowtime.viewers.map((one) => one.debug().segments)")
        assert drawn == [4] * count
    context.close()
