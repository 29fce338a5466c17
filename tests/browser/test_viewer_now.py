"""Who runs where, and who waits and why, at the cursor."""

from __future__ import annotations

import pytest

from tests.browser.viewing import TWO_TIERS, Viewer, log

pytestmark = pytest.mark.browser


def lists(viewer: Viewer, running: int, waiting: int) -> list[list[str]]:
    """The two lists, as soon as they hold so many jobs."""
    viewer.page.wait_for_function(
        "([a, b]) => { const heads = [...document.querySelectorAll('.gv-now h3')].map((head) => head.textContent);"
        " return heads[0] === `${a} running` && heads[1] === `${b} waiting`; }",
        arg=[running, waiting],
    )
    columns = viewer.page.locator(".gv-now-column").all()
    return [[item.replace("\u202f", " ") for item in column.locator("li").all_inner_texts()] for column in columns]


def test_the_cursor_tells_who_runs_where_and_who_waits_why(four):
    four.page.wait_for_function("() => shadowtime.viewers[0].run.events")
    four.press("i", ".", ".", ".")
    running, waiting = lists(four, 2, 2)
    assert running == ["1 processors 0–5; until 100 s", "4 processors 6–9; until 53 s"]
    assert waiting == [
        "2 for 2 s, first in the queue: asks for 10, 0 processors are free; promised to start by 100 s",
        "3 for 1 s, asks for 4, 0 processors are free",
    ]

    # a job of the list is pinned by a click, and Escape closes the list first
    four.page.locator(".gv-now-job").nth(2).click()
    assert four.wait("d.selection === 2")
    four.press("Escape")
    assert not four.page.locator(".gv-now").is_visible() and four.debug["selection"] == 2

    # a job that fits beside what runs could delay the head of the queue
    four.press("i", ".")
    assert "could delay job 2" in lists(four, 1, 2)[1][1]


def test_other_algorithms_have_other_reasons(runs, page):
    # first come, first served: all wait behind the first
    viewer = Viewer(page, runs.page_of(runs.simulate(algorithm="fcfs")))
    page.evaluate("shadowtime.viewers[0].view.set({ at: 50 })")
    page.get_by_role("button", name="Who runs, who waits").click()
    _, waiting = lists(viewer, 1, 3)
    assert waiting[0].startswith("2 for 49 s, first in the queue: asks for 10, 4 processors are free")
    assert waiting[2] == "4 for 47 s, behind job 2, which is first in the queue"

    # two tiers: a job that is being moved, and one that was killed
    viewer = Viewer(page, runs.page_of(runs.made(TWO_TIERS, log(3, 6), seed=1)))
    page.evaluate("shadowtime.viewers[0].view.set({ at: 105 })")
    viewer.press("i")
    running, waiting = lists(viewer, 1, 1)
    assert running == ["12 foreground, processors 0–3, being moved; until 110 s"]
    assert waiting[0].startswith("13 ")
