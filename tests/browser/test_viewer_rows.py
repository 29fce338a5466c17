"""Rows that are jobs or users."""

from __future__ import annotations

import re

import pytest

from tests.browser.viewing import Viewer
from tests.conftest import FOUR_SWF

pytestmark = pytest.mark.browser


def rows(viewer: Viewer, name: str):
    """What is drawn with these rows, once the names beside them have their room."""
    viewer.page.get_by_label("Rows").select_option(name)
    viewer.wait(f"d.rows === '{name}' && d.panes.length === 1")
    return viewer.rest()


def ranks(found) -> list[int]:
    """Jobs from the top down."""
    tops = {one["job"]: one["y"] for one in found["drawn"] if one["kind"] == "run"}
    return sorted(tops, key=tops.__getitem__)


def test_rows_are_jobs_in_an_order_or_users(runs, page):
    users = iter("1213")
    swf = re.sub(r"(?m)( 1) -1(?=( -1){6}$)", lambda found: f"{found[1]} {next(users)}", FOUR_SWF)
    four = Viewer(page, runs.page_of(runs.simulate(swf)))

    # They stand in the order that is asked for.
    by_wait = rows(four, "wait")
    assert (by_wait["lanes"], by_wait["nodes"]) == (4, [0, 3])
    assert ranks(by_wait) == [3, 2, 1, 4]
    assert ranks(rows(four, "start")) == [1, 4, 2, 3]
    assert ranks(rows(four, "size")) == [2, 1, 3, 4]
    assert ranks(rows(four, "submission")) == [1, 2, 3, 4]
    lanes = rows(four, "lanes")
    assert (lanes["lanes"], lanes["nodes"]) == (10, [0, 9])

    # A job is outlined while it waits.
    found = rows(four, "wait")
    waits = {one["job"]: one for one in found["drawn"] if one["kind"] == "wait"}
    ran = next(one for one in found["drawn"] if one["job"] == 3 and one["kind"] == "run")
    assert set(waits) == {2, 3}
    assert waits[3]["y"] == ran["y"] and waits[3]["x"] + waits[3]["w"] == pytest.approx(ran["x"], abs=1)
    stage = four.page.locator(".gv-stage").bounding_box()
    four.page.mouse.move(stage["x"] + waits[3]["x"] + 20, stage["y"] + waits[3]["y"] + 10)
    assert four.wait("d.hovered === 3")
    assert "waits 2 s to 110 s · 1 min 48 s" in four.text(".gv-card")

    # The rows are in the address, and a click pins.
    rows(four, "lanes")
    four.page.wait_for_url(lambda url: "rows=" not in url)
    found = rows(four, "wait")
    assert found["selection"] is None
    one = next(one for one in found["drawn"] if one["job"] == 2 and one["kind"] == "run")
    stage = four.page.locator(".gv-stage").bounding_box()
    four.page.mouse.click(stage["x"] + one["x"] + one["w"] / 2, stage["y"] + one["y"] + one["h"] / 2)
    assert four.wait("d.selection === 2")
    four.page.wait_for_url("**rows=wait**")
    four.page.reload()
    again = four.wait("d.rows === 'wait' && d.selection === 2")
    assert again["lanes"] == 4
    assert "By wait" in four.page.locator(".gv-rows option:checked").inner_text()

    # Each user has one row and one colour.
    found = rows(four, "user")
    assert (found["lanes"], found["colour"]) == (3, "user")
