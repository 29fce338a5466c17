"""Who is notified when a run ends: the form, and the notice that the browser shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.execute import execute, load_workload

pytestmark = pytest.mark.browser

RECORDED = """
window.shown = [];
class Recorded {
  static permission = "default";
  static async requestPermission() { return (Recorded.permission = "granted"); }
  constructor(title, { body }) {
    if (Recorded.permission !== "granted") throw new Error("not permitted");
    window.shown.push([title, body]);
  }
}
window.Notification = Recorded;
"""
"""In place of the browser's own notices, which no test sees."""


def test_a_person_is_notified_when_a_run_ends(page, lab, four, ask, serve):
    settings = replace(lab.settings, notice_secret="key")
    run = ask(four, "easy")
    page.add_init_script(RECORDED)
    page.set_default_timeout(30_000)
    page.goto(serve(create_app(lab.store, lab.queue, settings).server) + urls.run(run.id))

    page.get_by_role("button", name="Notify when it ends").click()
    form = page.get_by_role("dialog", name="Notify when it ends")
    form.get_by_label("Webhook (https://…)").fill("https://10.0.0.1/hook")
    form.get_by_role("button", name="Add").click()
    form.get_by_text("10.0.0.1 is private to a network").wait_for()
    form.get_by_label("Webhook (https://…)").fill("https://hooks.example/a")
    form.get_by_role("button", name="Add").click()
    form.get_by_text("waits for the end").wait_for()
    assert len(lab.store.notices.of(run.digest, "127.0.0.1")) == 1
    form.get_by_role("button", name="Remove https://hooks.example/a").click()
    form.get_by_text("waits for the end").wait_for(state="detached")
    assert lab.store.notices.of(run.digest, "127.0.0.1") == []

    assert page.evaluate("Notification.permission") == "default", "asked for at a click only"
    form.get_by_role("button", name="Notify me in this browser").click()
    form.get_by_text("This browser shows a notice at the end").wait_for()

    # Another page of the site shows it.
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Algorithms").click()
    page.wait_for_url("**/algorithms")
    finish(lab, run)
    page.wait_for_function("() => window.shown.length")
    assert page.evaluate("window.shown") == [["EASY on four", "Finished"]]

    # After the end, the configuration leads to the list.
    page.go_back()
    page.locator("[data-notices]").click()
    page.get_by_role("dialog", name="Notices").get_by_text("You have no notices.").wait_for()
    assert page.get_by_role("button", name="Notify when it ends").count() == 0


def finish(lab, spec) -> None:
    """Let the queued run end."""
    status = lab.store.runs.begin(spec.digest)
    outcome = execute(spec, load_workload(spec, lab.store))
    tables = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
    lab.store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)
