"""Rows that are jobs, sorted or grouped."""

from __future__ import annotations

import pytest

from tests.browser.viewing import TWO_TIERS, Viewer, log

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


def test_jobs_are_rows(four):
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


def test_rows_of_users_and_of_two_tiers(runs, page):
    # Each user has one row and one colour.
    viewer = Viewer(page, runs.page_of(runs.simulate(log(40, 8))))
    found = rows(viewer, "user")
    names = viewer.page.evaluate("Array.from({ length: 7 }, (_, at) => shadowtime.viewers[0].run.nameOf(at))")
    assert (found["lanes"], found["colour"]) == (7, "user")
    assert names == [f"user {number}" for number in range(7)]

    # Both tiers of a job are on its row.
    viewer = Viewer(page, runs.page_of(runs.made(TWO_TIERS, log(3, 6), seed=1)))
    found = rows(viewer, "start")
    mine = [one for one in found["drawn"] if one["job"] == 12 and one["kind"] != "wait"]
    assert (found["tiers"], len({one["y"] for one in mine})) == (1, 1)
    assert [one["kind"] for one in sorted(mine, key=lambda one: one["x"])] == ["run", "stall", "run"]
