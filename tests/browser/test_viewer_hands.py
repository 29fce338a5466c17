"""The viewer in a person's hands: mouse, keys, links, and without eyes."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.browser.viewing import Viewer

pytestmark = pytest.mark.browser


def test_the_mouse_zooms_pans_and_brushes(four):
    # the wheel zooms time at the pointer
    x, y = four.middle(1)
    before = four.time_at(x)
    four.page.mouse.move(x, y)
    four.page.mouse.wheel(0, -400)
    found = four.wait("d.window[1] - d.window[0] < 1000")
    assert four.time_at(x) == pytest.approx(before, abs=2)
    assert found["nodes"] == [0, 9]

    # Shift and the wheel zoom lanes
    four.reset()
    four.page.mouse.move(*four.middle(1))
    four.page.keyboard.down("Shift")
    four.page.mouse.wheel(0, -120)
    four.page.keyboard.up("Shift")
    found = four.wait("d.nodes[1] - d.nodes[0] < 9")
    assert found["nodes"][0] <= 3 <= found["nodes"][1]
    assert found["window"][0] == 0

    # dragging pans
    four.reset()
    four.press("+", "+")
    start = four.rest()["window"]
    x, y = four.middle(3)
    four.page.mouse.move(x, y)
    four.page.mouse.down()
    four.page.mouse.move(x - 100, y, steps=4)
    four.page.mouse.up()
    panned = four.debug["window"]
    assert panned[0] > start[0] and panned[1] - panned[0] == pytest.approx(start[1] - start[0])

    # Ctrl and dragging brush
    a, z = four.time_at(500), four.time_at(700)
    four.page.keyboard.down("Control")
    four.page.mouse.move(500, y)
    four.page.mouse.down()
    four.page.mouse.move(700, y, steps=4)
    four.page.mouse.up()
    four.page.keyboard.up("Control")
    assert four.rest()["window"] == pytest.approx([a, z], abs=1)

    # the brush of the strip moves the window
    four.reset()
    strip = four.page.locator(".gv-overview-canvas").bounding_box()
    y = strip["y"] + strip["height"] / 2
    four.page.mouse.move(strip["x"] + 0.25 * strip["width"], y)
    four.page.mouse.down()
    four.page.mouse.move(strip["x"] + 0.5 * strip["width"], y, steps=4)
    four.page.mouse.up()
    t1 = four.debug["window"][1] / 0.5
    assert four.debug["window"] == pytest.approx([0.25 * t1, 0.5 * t1], rel=0.02)


def test_an_area_is_summed_up_and_kept_with_its_note_in_the_link(four):
    (left, top), (right, bottom) = four.middle(1), four.middle(3)
    four.page.keyboard.down("Shift")
    four.page.mouse.move(left, min(top, bottom))
    four.page.mouse.down()
    four.page.mouse.move(right, max(top, bottom), steps=4)
    four.page.mouse.up()
    four.page.keyboard.up("Shift")
    panel = four.page.get_by_role("region", name="Selected area")
    panel.wait_for()
    assert "% idle" in four.text(".gv-area") and "Demand in this time:" in four.text(".gv-area")
    panel.get_by_label("Note").fill("the long job alone")
    four.page.wait_for_url(re.compile(r"area=[\d.]+,[\d.]+,\d-\d&note=the\+long\+job\+alone"))
    four.page.reload()
    panel.wait_for()
    assert panel.get_by_label("Note").input_value() == "the long job alone"
    four.page.locator(".gv-stage").focus()
    four.press("Escape")
    panel.wait_for(state="hidden")
    four.page.wait_for_url(lambda url: "area=" not in url and "note=" not in url)


def test_keys_zoom_pan_and_fit(four):
    whole = four.debug["window"]
    four.press("+")
    half = four.rest()["window"]
    four.press("d")
    right = four.rest()["window"]
    four.press("a", "-")
    four.rest()
    four.press("0")
    assert half[1] - half[0] == pytest.approx((whole[1] - whole[0]) / 2)
    assert right[0] > half[0]
    assert four.rest()["window"] == pytest.approx(whole)

    # lanes
    four.press("e")
    near = four.rest()["nodes"]
    four.press("q")
    assert near == [3, 7]
    assert four.rest()["nodes"] == [0, 9]

    # keys are listed
    four.press("?")
    assert four.page.get_by_role("region", name="Keys").is_visible()
    four.press("Escape")
    assert not four.page.get_by_role("region", name="Keys").is_visible()


def test_the_cursor_steps_from_event_to_event_and_plays(runs, page):
    held = []
    for table in ("events", "series"):
        page.route(f"**/api/runs/*/{table}*", lambda route: held.append(route))
    four = Viewer(page, runs.page_of(runs.simulate()))

    # steps that are taken before the events are there are not lost
    four.press(".", ".")
    page.wait_for_function("() => Boolean(shadowtime.viewers[0].run.loadingEvents)")
    assert four.debug["at"] == 0
    for route in held:
        route.continue_()
    assert four.wait("d.at > 1")["at"] == 2
    page.wait_for_function("() => shadowtime.viewers[0].run.events")

    # the readout is spoken
    four.reset()
    four.press(".")
    page.wait_for_function("() => document.querySelector('.gv-scrub [aria-live]').textContent.startsWith('1')")
    spoken = page.locator(".gv-scrub [aria-live]").text_content().replace("\u202f", " ")
    assert spoken == "1 s: 1 running, 1 waiting, 6 / 10 useful"

    # the cursor steps from event to event; from 3 s on the head of the queue has a promise
    four.reset()
    assert four.debug["promise"] is None
    times = []
    for _ in range(4):
        four.press(".")
        times.append(four.debug["at"])
    four.press(",")
    assert times == [1, 2, 3, 53]
    assert four.debug["at"] == 3
    assert four.debug["promise"] == {"row": 1, "size": 10, "time": 100}
    assert four.debug["ghosts"] == [{"row": 1, "time": 100, "ranges": [[0, 9]]}]
    assert four.text(".gv-pair-cursor dd") == "3 s"
    assert [four.text(f".gv-pair-{name} dd") for name in ("running", "waiting", "useful", "demand")] == [
        "2", "2", "10 / 10", "24",
    ]  # fmt: skip

    # playing moves the cursor and pausing stops it
    four.reset()
    four.press(" ")
    assert four.wait("d.at > 0")["playing"]
    four.press(" ")
    stopped = four.debug
    assert not stopped["playing"]
    assert four.debug["at"] == stopped["at"]

    # who prefers reduced motion sees the cursor at a few places instead of moving
    four.page.emulate_media(reduced_motion="reduce")
    four.reset()
    places = four.page.evaluate("""async () => {
        const [viewer] = shadowtime.viewers, seen = new Set();
        viewer.scrub.play();
        while (viewer.view.at === 0) await new Promise(requestAnimationFrame);
        for (let frame = 0; frame < 6; frame++) {
            seen.add(viewer.view.at);
            await new Promise(requestAnimationFrame);
        }
        viewer.scrub.pause();
        return [...seen];
    }""")
    assert len(places) <= 2 and places[0] > 0


def test_a_job_is_hovered_pinned_and_explained(four):
    # jobs can be walked and pinned without a mouse
    four.page.wait_for_selector(".gv-list li", state="attached")
    four.page.locator(".gv-stage").focus()
    label = four.page.locator(".gv-stage").get_attribute("aria-label")
    four.press("Tab", "ArrowDown")
    active = four.page.evaluate(
        "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).innerText"
    )
    assert label.startswith("Schedule of 4 jobs, 10 processors, 4 rectangles; 4 jobs in this window")
    assert active.replace("\u202f", " ") == "Job 4, 4 processors, 3 s to 53 s, started at once · slowdown 1.00"
    assert four.debug["hovered"] == 4
    four.press("Enter")
    assert four.debug["selection"] == 4
    assert four.page.locator(".gv-list [aria-selected=true]").get_attribute("data-job") == "4"

    # the selected job is spoken, and a table says what the canvas shows
    four.page.locator(".gv-stage [role=status]").filter(has_text="Selected: Job 4, 4 processors").wait_for()
    four.press("t")
    assert four.page.evaluate("document.activeElement.className") == "gv-table"
    four.page.wait_for_function(
        "() => document.querySelector('.gv-table').getBoundingClientRect().bottom <= window.innerHeight"
    )
    assert four.text(".gv-tablehead") == "4 jobs of 0 s – 1,110 s, by start."
    lines = [line.split() for line in four.page.locator(".gv-table tr").all_inner_texts()]
    assert lines[0] == ["Job", "Start", "End", "Processors", "Wait"]
    assert [line[0] for line in lines[1:]] == ["1", "4", "2", "3"]
    assert " ".join(lines[2]) == "4 3 s 53 s 4 0 s"
    four.page.locator(".gv-table button").filter(has_text="2").click()
    four.page.locator(".gv-stage [role=status]").filter(has_text="Selected: Job 2").wait_for()
    four.press("t")
    assert not four.page.locator(".gv-table").is_visible()

    # the card of a hovered job covers nothing of it
    four.reset()
    x, y = four.middle(4)
    four.page.mouse.move(x, y)
    assert four.wait("d.hovered === 4")
    card = four.page.locator(".gv-card").bounding_box()
    assert four.text(".gv-card").startswith("4 4 processors")
    assert "3 s to 53 s · 50 s" in four.text(".gv-card")
    assert not (card["x"] <= x <= card["x"] + card["width"] and card["y"] <= y <= card["y"] + card["height"])
    four.page.mouse.move(5, 5)
    assert four.wait("d.hovered === null")
    assert not four.page.locator(".gv-card").is_visible()

    # a click pins a job, moves the cursor, and shows why it started; another one lets it go
    four.page.mouse.click(*four.middle(4))
    found = four.debug
    assert found["selection"] == 4 and found["at"] == pytest.approx(four.time_at(x), abs=1)
    four.page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('backfilled')")
    life = four.text("#job-panel")
    assert "backfilled: ends 47 s before the shadow time of job 2" in life
    assert [word for word in ("Submitted", "Started", "Ended") if word in life] == ["Submitted", "Started", "Ended"]
    four.page.mouse.click(*four.middle(4))
    assert four.debug["selection"] is None
    assert "Click a job" in four.text("#job-panel")

    # a job that waited shows its promise
    four.page.mouse.click(*four.middle(2))
    four.page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('Reserved')")
    assert "promised to start by 100 s, its shadow time" in four.text("#job-panel")
    assert "needed 6 more processors; the first to end was job 1 at 100 s" in four.text("#job-panel")
    assert "waited 1 min 39 s · slowdown 10.9" in four.text("#job-panel")

    # a chosen job is an entry of the history
    four.reset()
    four.page.mouse.click(*four.middle(4))
    four.page.wait_for_url(re.compile(r"v=1&job=4"))
    four.page.go_back()
    assert four.wait("d.selection === null")
    four.page.go_forward()
    assert four.wait("d.selection === 4")
    four.press("Escape")
    assert four.debug["selection"] is None

    # a walk by keyboard is one entry: Back leads out of it at once
    four.reset()
    entries = four.page.evaluate("history.length")
    four.page.locator(".gv-list").focus()
    four.press("Home", "Enter", "ArrowDown", "Enter", "ArrowDown", "Enter")
    assert four.wait("d.selection === 2")
    assert four.page.evaluate("history.length") == entries + 1
    four.page.go_back()
    assert four.wait("d.selection === null")

    # the page can ask for a job
    four.reset()
    four.press("+", "+")
    before = four.rest()
    assert before["selection"] is None
    four.page.evaluate("document.dispatchEvent(new CustomEvent('shadowtime:select', { detail: { job: 4 } }))")
    found = four.rest()
    assert found["selection"] == 4
    assert found["window"][0] < 53 and found["window"][1] > 3


def test_an_address_shows_the_same_view_to_somebody_else(runs, four, browser):
    four.press("+", ".", ".")
    four.rest()
    four.page.get_by_role("radio", name="Slowdown").click()
    four.page.mouse.click(*four.middle(3))
    four.page.wait_for_url(re.compile(r"from=.*job=3&colour=stretch&at=\d"))
    mine = four.debug
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    theirs = Viewer(page, four.page.url).debug
    context.close()
    assert theirs["window"] == pytest.approx(mine["window"])
    assert theirs["at"] == pytest.approx(mine["at"], rel=1e-5)
    assert [theirs[key] for key in ("nodes", "selection", "colour")] == [
        mine[key] for key in ("nodes", "selection", "colour")
    ]
    assert mine["colour"] == "stretch"

    # what an address says wrongly is left out
    wrong = "?v=1&from=9&to=3&nodes=7-2&job=x&colour=rainbow&at=soon"
    found = Viewer(four.page, runs.page_of(runs.simulate()) + wrong).debug
    assert found["nodes"] == [0, 9] and found["window"][0] == 0 and found["selection"] is None
    assert found["colour"] == "job" and found["at"] == 0


@pytest.fixture
def touched(runs, browser):
    """The four-job example under two fingers: `pinch` moves them from one pair of points to another."""
    context = browser.new_context(viewport={"width": 800, "height": 900}, has_touch=True, is_mobile=True)
    viewer = Viewer(context.new_page(), runs.page_of(runs.simulate()))
    session = context.new_cdp_session(viewer.page)

    def touch(kind: str, points) -> None:
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def pinch(start, end, steps: int = 5) -> None:
        touch("touchStart", start)
        for k in range(1, steps + 1):
            between = [
                [a + (z - a) * k / steps for a, z in zip(p, q, strict=True)] for p, q in zip(start, end, strict=True)
            ]
            touch("touchMove", between)
        touch("touchEnd", [])

    viewer.pinch = pinch
    yield viewer
    context.close()


def test_fingers_pinch_pan_and_tap(touched):
    # side by side they pinch time
    y = touched.middle(3)[1]
    t = touched.time_at(400)
    touched.pinch([(350, y), (450, y)], [(200, y), (600, y)])
    found = touched.rest()
    assert found["window"][1] - found["window"][0] == pytest.approx(1118.9 / 4, rel=0.03)
    assert touched.time_at(400) == pytest.approx(t, abs=5)
    assert found["nodes"] == [0, 9]

    # above one another they pinch lanes
    touched.reset()
    x, y = touched.middle(3)
    touched.pinch([(x, y - 50), (x, y + 50)], [(x, y - 150), (x, y + 150)])
    found = touched.rest()
    assert found["nodes"][1] - found["nodes"][0] < 5
    assert found["window"] == touched.debug["window"] and found["window"][0] == 0

    # one finger pans, and its tap pins
    touched.reset()
    touched.pinch([(350, 300), (450, 300)], [(200, 300), (600, 300)])
    before = touched.rest()["window"]
    touched.pinch([(400, 300)], [(300, 300)])
    after = touched.rest()["window"]
    assert after[0] > before[0]
    touched.page.touchscreen.tap(*touched.middle(3))
    assert touched.wait("d.selection === 3")


def test_parts_of_the_scrub_bar_stand_beside_each_other_at_any_width(four):
    size = four.page.viewport_size
    for width in (1440, 1000, 860, 700, 560, 390):
        four.page.set_viewport_size({"width": width, "height": 900})
        boxes = four.page.evaluate(
            """() => [...document.querySelectorAll(".gv-scrub > button, .gv-scrub > .gv-switch, .gv-scrub .gv-pair")]
                .map((part) => part.getBoundingClientRect()).filter((box) => box.width)
                .map(({ left, right }) => [left, right])"""
        )
        assert all(before[1] <= after[0] for before, after in pairwise(boxes)), width
        assert boxes[-1][1] <= width
    four.page.set_viewport_size(size)
