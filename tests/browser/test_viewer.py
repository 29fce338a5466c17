"""The viewer on small schedules: what is drawn, at which level, in which colours."""

from __future__ import annotations

import re

import pytest

from tests.browser.viewing import TWO_TIERS, Viewer, log

pytestmark = pytest.mark.browser


def test_every_job_is_drawn_where_and_when_it_ran(four):
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


def test_the_picture_follows_the_theme(four):
    ground = "(() => { const c = document.querySelector('.gv-base').getContext('2d');" \
             " return [...c.getImageData(600, 400, 1, 1).data.slice(0, 3)]; })()"  # fmt: skip
    light = four.page.evaluate(ground)
    four.page.evaluate("document.documentElement.setAttribute('data-mantine-color-scheme', 'dark')")
    four.settle()

    assert light == [255, 255, 255]
    assert four.page.evaluate(ground) == [25, 28, 31]


def test_it_is_drawn_at_device_pixels(runs, browser):
    context = browser.new_context(viewport={"width": 1000, "height": 800}, device_scale_factor=2)
    viewer = Viewer(context.new_page(), runs.page_of(runs.simulate()))
    viewer.settle()
    sizes = viewer.page.evaluate(
        "[document.querySelector('.gv-base').width, document.querySelector('.gv-stage').clientWidth]"
    )
    context.close()

    assert sizes[0] == 2 * sizes[1]


def test_tables_are_read_without_a_worker_too(runs, page):
    page.add_init_script("delete window.Worker")
    viewer = Viewer(page, runs.page_of(runs.simulate()))

    assert viewer.debug["segments"] == 4


def test_an_unknown_run_is_a_sentence(runs, page):
    viewer = Viewer(page, runs.page_of("0" * 16))

    assert "no run '0000000000000000' is known here" in viewer.text(".gv-notice")


def test_levels_follow_what_can_be_read(runs, page):
    viewer = Viewer(page, runs.page_of(runs.simulate(log(4000, 100, apart=3, runtime=20))))
    assert viewer.debug["level"] == "density" and viewer.debug["labels"] == 0
    page.evaluate("shadowtime.viewers[0].view.set({ t0: 6000, t1: 6400 })")
    panes = viewer.debug
    page.evaluate("shadowtime.viewers[0].view.set({ n0: 0, n1: 10 })")
    lanes = viewer.debug

    assert (panes["level"], panes["nodes"]) == ("panes", [0, 99])
    assert (lanes["level"], lanes["nodes"]) == ("lanes", [0, 9])
    assert lanes["labels"] > 0


@pytest.fixture
def tiers(runs, page) -> Viewer:
    return Viewer(page, runs.page_of(runs.made(TWO_TIERS, log(3, 6), seed=1)))


def test_both_tiers_stand_in_the_rows_of_their_nodes(tiers):
    found = tiers.debug
    (pane,) = found["panes"]
    row = pane["h"] / 6
    above = [one for one in found["drawn"] if one["job"] == 11]
    below = [one for one in found["drawn"] if one["job"] == 12 and one["tier"] == 1]

    assert (found["tiers"], found["level"]) == (2, "lanes")
    assert [one["y"] for one in above] == pytest.approx([pane["y"] + lane * row for lane in range(4)])
    assert above[0]["h"] == pytest.approx(0.6 * row) and below[0]["h"] == pytest.approx(0.4 * row)
    assert below[0]["y"] == pytest.approx(above[0]["y"] + 0.6 * row)


def test_each_tier_has_a_pane_when_rows_are_thin(runs, page):
    viewer = Viewer(page, runs.page_of(runs.made(TWO_TIERS, log(3, 120), seed=2)))
    found = viewer.debug

    assert found["level"] == "density" or found["level"] == "panes"
    assert [pane["tier"] for pane in found["panes"]] == [0, 1]
    assert found["panes"][0]["h"] == found["panes"][1]["h"]


def test_killed_work_and_moves_are_told(tiers):
    tiers.page.mouse.move(*tiers.middle(13))
    tiers.wait("d.hovered === 13")
    tiers.page.wait_for_function("() => document.querySelector('.gv-card').innerText.includes('of work lost')")
    assert re.search("killed (at )?60 s: 40 s of work lost", tiers.text(".gv-card"))
    assert "background on processor 4–5" in tiers.text(".gv-card")
    tiers.page.mouse.click(*tiers.middle(13))
    tiers.page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('Killed')")
    assert "40 s of work lost" in tiers.text("#job-panel")
    tiers.page.mouse.click(*tiers.middle(12))
    tiers.page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('Migrated')")
    moves = tiers.page.evaluate("""async () => {
      const { movesOf } = await import("/assets/gantt/model/moves.js");
      return movesOf(shadowtime.viewers[0].run.rectanglesOf(1)).map(({ time }) => time);
    }""")

    assert "Started in the background" in tiers.text("#job-panel")
    assert "Migrated to the foreground" in tiers.text("#job-panel")
    assert moves == [100]


def test_colours_by_tier_and_kind_are_offered_where_they_mean_something(tiers):
    words = tiers.page.locator(".gv-bar [role=radio]").all_inner_texts()

    assert words == ["Job", "User", "Size", "Stretch", "Wait", "Tier", "Kind"]


def test_a_server_that_does_not_answer_is_asked_again(runs, page):
    page.route("**/view", lambda route: route.abort())
    viewer = Viewer(page, runs.page_of(runs.simulate()))
    assert "The server does not answer" in viewer.text(".gv-notice")
    page.unroute("**/view")

    assert viewer.wait("d.segments === 4 && d.level")["level"] == "lanes"
    assert not page.locator(".gv-notice").count()
