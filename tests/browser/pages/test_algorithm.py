"""The page of an algorithm: the lines that light up are those of the events of its schedule."""

from __future__ import annotations

import re

import pytest

from shadowtime.dashboard.explained.examples import EXPLANATIONS, held
from shadowtime.dashboard.sharing import urls

pytestmark = pytest.mark.browser

PATIENCE = 30_000


def test_a_line_lights_up_at_each_event_and_try_it_fills_the_form(page, site):
    page.set_default_timeout(PATIENCE)
    page.goto(site.url + urls.algorithm("easy"))
    lit = page.locator(".st-pseudocode li[aria-current=step]")
    slider = page.get_by_label("Step of the example")
    line_of = EXPLANATIONS["easy"].line_of()
    steps = held()["easy"]["steps"]

    slider.focus()
    for number, (_, event, job, _) in enumerate(steps[:14], start=1):
        page.locator(f".st-lessonbar input[aria-valuetext='Step {number} of {len(steps)}']").wait_for()
        assert lit.get_attribute("data-line") == str(line_of[event])
        assert f"Job {job} " in page.locator(".st-lessonsaid").inner_text()
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    page.locator(f".st-lessonbar input[aria-valuetext='Step {len(steps)} of {len(steps)}']").wait_for()
    jobs = {int(text) for text in page.locator(".st-lessonsvg .st-lessonid").all_text_contents()}
    assert len(jobs) > 6 and jobs <= set(range(1, 13))
    texts = page.locator(".st-lessonsvg svg > text:not([class])").all_text_contents()
    assert len([text for text in texts if re.fullmatch(r"\d+\sh", text)]) >= 2, "the ticks are whole hours"

    page.get_by_role("button", name="Previous step").click()
    page.locator(f".st-lessonbar input[aria-valuetext='Step {len(steps) - 1} of {len(steps)}']").wait_for()
    page.get_by_role("link", name="Try it").click()
    page.get_by_role("checkbox", name="EASY", exact=True).and_(page.locator(":checked")).wait_for()
    page.locator("#new-command").filter(has_text=re.compile(r"uniform.*12.*-a easy", re.DOTALL)).wait_for()
