"""Who runs where, and who waits and why, at the cursor."""

from __future__ import annotations

import pytest

from tests.browser.viewing import Viewer

pytestmark = pytest.mark.browser


def lists(viewer: Viewer, running: int, waiting: int) -> list[list[str]]:
    """What is listed of events, of jobs that wait and of those that run, as soon as there are so many."""
    viewer.page.wait_for_function(
        "([a, b]) => { const heads = [...document.querySelectorAll('.gv-now h3')].map((head) => head.textContent);"
        " return heads.includes(`${a} running`) && heads.includes(`${b} waiting`); }",
        arg=[running, waiting],
    )
    columns = viewer.page.locator(".gv-now-column").all()
    return [[item.replace("\u202f", " ") for item in column.locator("li").all_inner_texts()] for column in columns]


def test_steps_show_what_was_decided_and_why_others_stay_without_covering_the_schedule(four):
    four.page.wait_for_function("() => shadowtime.viewers[0].run.events")
    four.press(".", ".", ".")
    decided, waiting, running = lists(four, 2, 2)
    assert decided == ["4 started; backfilled: ends 47 s before the shadow time of job 2"]
    assert running == ["1 processors 0–5; until 100 s", "4 processors 6–9; until 53 s"]
    assert waiting == [
        "2 for 2 s, first in the queue: asks for 10, 0 processors are free; promised to start by 100 s",
        "3 for 1 s, asks for 4, 0 processors are free",
    ]
    boxes = [four.page.locator(place).bounding_box() for place in (".gv-stage", ".gv-scrub", ".gv-now")]
    stage, scrub, now = ((box["y"], box["y"] + box["height"]) for box in boxes)
    assert stage[1] <= scrub[0] + 1 and scrub[1] <= now[0] + 1 and now[1] <= four.page.viewport_size["height"]

    # a job that fits beside what runs would delay the head of the queue, whose name leads to it and to that instant
    four.press(".")
    assert lists(four, 1, 2)[1][1] == "3 for 51 s, may not backfill: it would delay job 2 by 15 min 53 s"
    four.page.evaluate("shadowtime.viewers[0].view.set({ at: 60 })")
    four.page.locator(".gv-now-head").filter(has_text="At 60").wait_for()
    four.page.locator(".gv-now li").filter(has_text="may not backfill").locator(".gv-job-name").last.click()
    assert four.wait("d.selection === 2 && d.at === 60")

    # Escape closes the strip first; steps do not open it again, its key does
    four.press("Escape")
    assert not four.page.locator(".gv-now").is_visible() and four.debug["selection"] == 2
    four.press(",")
    four.wait("d.at === 53")
    assert not four.page.locator(".gv-now").is_visible()
    four.press("i")
    lists(four, 1, 2)

    # so does its button
    button = four.page.get_by_role("button", name="Who runs, who waits")
    button.click()
    assert not four.page.locator(".gv-now").is_visible()
    button.click()
    lists(four, 1, 2)
