"""The editor of a site as a person meets it: paste, be corrected, store, run."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.app import create_app

pytestmark = pytest.mark.browser

PATIENCE = 30_000


@pytest.fixture
def editor(lab, serve, page):
    """The page with the bench of three machines in it."""
    page.set_default_timeout(PATIENCE)
    page.goto(serve(create_app(lab.store, lab.queue, lab.settings).server) + "/sites")
    page.locator("#site-said li").first.wait_for()
    return page


def test_a_site_from_a_mistake_to_jobs_of_a_new_run(editor, lab):
    # JSON and tables come out again.
    for name, ending in (("site", "my-site.json"), ("machines", "my-site-machines.csv")):
        with editor.expect_download() as saved:
            editor.click(f"[data-site-export={name}]")
        assert saved.value.suggested_filename == ending

    # What is wrong is said and marked, and nothing can be stored.
    text = editor.locator("#site-machines")
    text.fill(text.input_value() + "old1,new,\n")
    editor.locator("#site-said .st-notice-bad").wait_for()
    assert "row 5: old1 is of class old above" in editor.locator("#site-said").inner_text()
    assert text.get_attribute("aria-invalid") == "true"
    assert editor.locator("#site-store").is_disabled()

    # A pasted site becomes jobs of a new run.
    editor.fill("#site-machines", "machine\tclass\tcluster\nleft\tx\tboth\nright\tx\tboth\n")
    editor.fill("#site-experience", "job_class\tresource\tmean\nsort\tx\t60\nsort\tboth\t20\n")
    editor.locator("#site-said li", has_text="2 machines of 1 class").wait_for()
    editor.fill("#site-name", "two of a kind")
    editor.fill("#site-jobs", "7")
    editor.click("#site-store")
    editor.locator("#trace-body", has_text="two-of-a-kind.json").wait_for()
    editor.locator("#new-jobs", has_text="7").wait_for()
    (entry,) = lab.store.workloads.list().rows
    assert entry.kind == "classed" and entry.name == "two-of-a-kind.json"
    assert editor.locator("#trace-body", has_text="7 jobs of 1 class on 2 machines and 1 cluster").count() == 1
