"""The viewer on small schedules: what is drawn, at which level, in which colours."""

from __future__ import annotations

import re

import pytest

from tests.browser.viewing import TWO_TIERS, Viewer, log

pytestmark = pytest.mark.browser


def test_every_job_is_drawn_where_and_when_it_ran_in_the_theme(four):
    found = four.debug
    (pane,) = found["panes"]
    t0, t1 = found["window"]

    def drawn(job: int) -> tuple[float, ...]:
        (box,) = (one for one in found["drawn"] if one["job"] == job)
        start = t0 + (box["x"] - pane["x"]) / pane["w"] * (t1 - t0)
        lanes = [(box["y"] - pane["y"]) / pane["h"] * 10, (box["y"] + box["h"] - pane["y"]) / pane["h"] * 10]
        return start, start + box["w"] / pane["w"] * (t1 - t0), *lanes

    assert (found["segments"], found["level"], found["nodes"], found["labels"]) == (4, "lanes", [0, 9], 3)
    assert drawn(1) == pytest.approx((0, 100, 0, 6))
    assert drawn(2) == pytest.approx((100, 110, 0, 10))
    assert drawn(3) == pytest.approx((110, 1110, 0, 4))
    assert drawn(4) == pytest.approx((3, 53, 6, 10))

    # the picture follows the theme
    ground = "(() => { const c = document.querySelector('.gv-base').getContext('2d');" \
             " return [...c.getImageData(600, 400, 1, 1).data.slice(0, 3)]; })()"  # fmt: skip
    light = four.page.evaluate(ground)
    four.page.evaluate("document.documentElement.setAttribute('data-mantine-color-scheme', 'dark')")
    four.settle()
    assert light == [255, 255, 255]
    assert four.page.evaluate(ground) == [25, 28, 31]

    # patterns tell classes apart without colours, as long as they are chosen, also after the page is opened again
    (box,) = (one for one in four.debug["drawn"] if one["job"] == 3)
    inks = f"""() => {{
        const context = document.querySelector('.gv-base').getContext('2d');
        const {{ data }} = context.getImageData({box["x"] + box["w"] / 2}, {box["y"] + 5}, 40, 40);
        return new Set(new Uint32Array(data.buffer)).size;
    }}"""
    assert four.page.evaluate(inks) == 1
    four.page.get_by_role("button", name="Patterns").click()
    four.settle()
    assert four.page.evaluate(inks) > 1
    four.page.reload()
    four.wait("d.drawn.length === 4")
    assert four.page.get_by_role("button", name="Patterns").get_attribute("aria-pressed") == "true"
    assert four.page.evaluate(inks) > 1


def test_it_is_drawn_at_device_pixels_and_without_a_worker(runs, browser):
    context = browser.new_context(viewport={"width": 1000, "height": 800}, device_scale_factor=2)
    page = context.new_page()
    viewer = Viewer(page, runs.page_of(runs.simulate()))
    viewer.settle()
    sizes = page.evaluate("[document.querySelector('.gv-base').width, document.querySelector('.gv-stage').clientWidth]")

    # tables are read without a worker too
    page.add_init_script("delete window.Worker")
    viewer = Viewer(page, runs.page_of(runs.simulate()))
    segments, worker = viewer.debug["segments"], page.evaluate("typeof Worker")
    context.close()
    assert sizes[0] == 2 * sizes[1]
    assert (segments, worker) == (4, "undefined")


def test_what_the_server_does_not_give_is_a_sentence(runs, page):
    viewer = Viewer(page, runs.page_of("0" * 16))
    assert "no run '0000000000000000' is known here" in viewer.text(".gv-notice")

    # a server that does not answer is asked again
    page.route("**/view", lambda route: route.abort())
    viewer = Viewer(page, runs.page_of(runs.simulate()))
    assert "The server does not answer" in viewer.text(".gv-notice")
    page.unroute("**/view")
    assert viewer.wait("d.segments === 4 && d.level")["level"] == "lanes"
    assert not page.locator(".gv-notice").count()


def test_two_tiers_are_drawn_and_their_kills_and_moves_explained(runs, page):
    held = []
    page.route("**/events?format=1", lambda route: held.append(route))
    tiers = Viewer(page, runs.page_of(runs.made(TWO_TIERS, log(3, 6), seed=1)))

    # both stand in the rows of their nodes
    found = tiers.debug
    (pane,) = found["panes"]
    row = pane["h"] / 6
    above = [one for one in found["drawn"] if one["job"] == 11]
    below = [one for one in found["drawn"] if one["job"] == 12 and one["tier"] == 1]
    assert (found["tiers"], found["level"]) == (2, "lanes")
    assert [one["y"] for one in above] == pytest.approx([pane["y"] + lane * row for lane in range(4)])
    assert above[0]["h"] == pytest.approx(0.6 * row) and below[0]["h"] == pytest.approx(0.4 * row)
    assert below[0]["y"] == pytest.approx(above[0]["y"] + 0.6 * row)

    # colours by tier and kind are offered where they mean something
    words = page.locator(".gv-bar [role=radio]").all_inner_texts()
    assert words == ["Job", "User", "Size", "Slowdown", "Wait", "Tier", "Kind"]

    # killed work is on the card, under a pointer that rests, as soon as it is known; and in the panel
    page.mouse.move(*tiers.middle(13))
    tiers.wait("d.hovered === 13")
    page.wait_for_function("() => document.querySelector('.gv-card').innerText.includes('killed')")
    assert "of work lost" not in tiers.text(".gv-card")
    while held:
        held.pop().continue_()
    page.unroute("**/events?format=1")
    page.wait_for_function("() => document.querySelector('.gv-card').innerText.includes('of work lost')")
    assert re.search("killed (at )?60 s: 40 s of work lost", tiers.text(".gv-card"))
    assert "background on processors 4–5" in tiers.text(".gv-card")
    page.mouse.click(*tiers.middle(13))
    page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('Killed')")
    assert "40 s of work lost" in tiers.text("#job-panel")

    # so are moves
    page.mouse.click(*tiers.middle(12))
    page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('Migrated')")
    moves = page.evaluate("""async () => {
      const { movesOf } = await import("/assets/gantt/model/moves.js");
      return movesOf(shadowtime.viewers[0].run.rectanglesOf(1)).map(({ time }) => time);
    }""")
    assert "Started in the background" in tiers.text("#job-panel")
    assert "Migrated to the foreground" in tiers.text("#job-panel")
    assert moves == [100]

    # each tier has a pane where rows are thin
    found = Viewer(page, runs.page_of(runs.made(TWO_TIERS, log(3, 120), seed=2))).debug
    assert found["level"] == "density" or found["level"] == "panes"
    assert [pane["tier"] for pane in found["panes"]] == [0, 1]
    assert found["panes"][0]["h"] == found["panes"][1]["h"]
