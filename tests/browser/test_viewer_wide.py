"""Runs too large to hold: a first window before all rectangles, and windows from the server for ever."""

from __future__ import annotations

import pytest

from tests.browser.viewing import Viewer, log

pytestmark = pytest.mark.browser

SEEDS = iter(range(100, 200))
"""Runs of their own: what is known of a run is kept by the server."""


@pytest.fixture
def huge(runs, page, monkeypatch):
    """Opens a run of 4,000 jobs of one processor as if it were huge; more than 300 rectangles are not sent."""
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", 1000)
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.HUGE", 2000)
    monkeypatch.setattr("shadowtime.dashboard.viewer.windows.MOST_RECTANGLES", 300)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    viewer = Viewer(page, runs.page_of(runs.simulate(log(4000, 100, apart=3, runtime=20), seed=next(SEEDS))))
    viewer.asked = asked
    return viewer


def test_a_huge_run_is_drawn_from_cells_and_has_jobs_to_hover_and_click(huge):
    found = huge.debug
    assert found["level"] == "density" and found["cells"]["columns"] > 300
    assert found["segments"] == 0

    # it is never sent whole
    assert not [url for url in huge.asked if url.startswith(("segments", "jobs")) and "small=1" not in url]
    assert not [url for url in huge.asked if url.startswith(("events", "series"))]

    # close by it has rectangles
    huge.page.evaluate("shadowtime.viewers[0].view.set({ t0: 6000, t1: 6300 })")
    found = huge.wait("d.cells === null && d.drawn.length > 50 && d.level !== 'density'")
    for job in (found["drawn"][20]["job"], found["drawn"][30]["job"]):
        huge.page.mouse.move(*huge.middle(job))
        assert huge.wait(f"d.hovered === {job}")
        huge.page.mouse.click(*huge.middle(job))
        huge.page.wait_for_function(
            "(words) => words.every((word) => document.querySelector('#job-panel').innerText.includes(word))",
            arg=[f"Job {job}", "Started", "Ended"],
        )
        assert huge.debug["selection"] == job
        assert "ran 20 s" in huge.text("#job-panel")

    # far away the server says what is under the pointer
    huge.reset()
    found = huge.wait("d.cells !== null && d.level === 'density'")
    pane = found["panes"][0]
    stage = huge.page.locator(".gv-stage").bounding_box()
    x, y = stage["x"] + pane["x"] + pane["w"] / 2, stage["y"] + pane["y"] + 4
    huge.page.mouse.move(x, y)
    found = huge.wait("d.hovered !== null")
    t = huge.time_at(x)
    assert abs(found["hovered"] * 3 - t) < 100
    assert huge.text(".gv-card").startswith(f"{found['hovered']} user")
    huge.page.mouse.click(x, y)
    assert huge.wait("d.selection !== null")["selection"] == found["hovered"]


def test_a_huge_run_has_a_cursor_jobs_to_find_and_ramps(huge):
    # a ramp reaches the cells
    huge.page.get_by_role("radio", name="Wait").click()
    huge.page.wait_for_function("() => shadowtime.viewers[0].run.cells?.ramp === 'wait'")
    assert huge.debug["colour"] == "wait"

    # the cursor lists the jobs that run there
    huge.reset()
    huge.page.evaluate("shadowtime.viewers[0].view.set({ at: 6000 })")
    huge.page.wait_for_function("() => document.querySelector('.gv-pair-running dd').textContent === '7'")
    huge.press(".")
    assert huge.wait("d.at === 6002")
    huge.page.wait_for_function("() => document.querySelectorAll('.gv-now-job').length >= 6")
    assert "processor" in huge.text(".gv-now")

    # a job is found, and a user's jobs
    huge.reset()
    huge.page.evaluate("document.dispatchEvent(new CustomEvent('shadowtime:select', { detail: { job: 2000 } }))")
    huge.page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('Job 2000')")
    assert huge.rest()["selection"] == 2000
    event = "new CustomEvent('shadowtime:find', { detail: { words: 'user 5' } })"
    huge.page.evaluate(f"document.dispatchEvent({event})")
    found = huge.wait("d.found === 571 && (d.cells === null || d.cells.lit)")
    assert found["find"] == "user 5"
    huge.page.wait_for_function("() => document.querySelector('.gv-found-words').textContent === 'user 5: 571 jobs'")


def test_a_large_run_shows_a_window_before_its_rectangles(runs, page, monkeypatch):
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", 1000)
    held: list = []
    page.route("**/segments?format=1", lambda route: held.append(route))
    run = runs.simulate(log(4000, 100, apart=3, runtime=20), seed=next(SEEDS))
    viewer = Viewer(page, runs.page_of(run) + "?v=1&from=3000&to=9000&colour=size")
    early = viewer.wait("d.cells !== null && d.level === 'density'")
    assert (early["window"], early["segments"], early["colour"]) == ([3000, 9000], 0, "size")
    assert viewer.page.locator(".gv-stage").get_attribute("aria-label").startswith("Schedule of 4,000 jobs")
    held[0].continue_()
    final = viewer.wait("d.segments === 4000")
    assert (final["window"], final["cells"]) == ([3000, 9000], None)

    # cells of the server are those that the browser counts
    counted, read = page.evaluate("""async () => {
      const { Cells } = await import("/assets/gantt/model/cells.js");
      const { Counter } = await import("/assets/gantt/model/counter.js");
      const { loadTable } = await import("/assets/api/tables.js"), { run } = shadowtime.viewers[0];
      const { parts } = await loadTable(`/api/runs/${run.id}/window?from=0&to=6000&columns=1200&rows=100`, "bundle");
      const cells = new Cells(parts.cells, "");
      const grid = { t0: 100, scale: 1 / 50, n0: 0, n1: 100, each: 5, width: 60, rows: 20 };
      const counters = [new Counter(), new Counter()];
      counters.forEach((counter) => counter.begin(grid, 1, null));
      run.chunks.forEach((chunk) => counters[0].add(chunk, false));
      counters[0].tiers[0].integrate(grid, null);
      cells.fill(grid, counters[1].tiers, 0);
      const line = (cells, r) => [...cells.slice(62 * r, 62 * r + 60)];
      return counters.map(({ tiers }) => Array.from({ length: 20 }, (_, r) => line(tiers[0].cells, r)).flat());
    }""")
    assert max(counted) > 4 * 1024
    assert all(abs(one - other) < 60 for one, other in zip(counted, read, strict=True))
