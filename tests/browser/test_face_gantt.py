"""A schedule in a notebook: the viewer of the pages in a frame, with nothing to fetch from anywhere."""

from __future__ import annotations

import pytest

import shadowtime as st

pytestmark = pytest.mark.browser

RIGID = st.generate("lublin", {"jobs": 60, "load": 0.8}, seed=3)


def run_of(kind: str) -> st.Schedule:
    workload, algorithm = {
        "rigid": lambda: (RIGID, "easy"),
        "two_tier": lambda: (st.convert(RIGID, "two_tier", seed=1), "measy"),
        "fractional": lambda: (st.convert(RIGID, "fractional", seed=1), "easy"),
        "moldable": lambda: (st.generate("moldable", {"jobs": 30, "processors": 16}, seed=1), "demt"),
        "multitask": lambda: (st.generate("multitask", {"jobs": 20, "machines": 5}, seed=1), "psrs"),
        "classed": lambda: (st.generate("classed", {}, seed=1), "pjs"),
    }[kind]()
    return st.simulate(workload, algorithm)


@pytest.mark.parametrize("kind", ["rigid", "two_tier", "fractional", "moldable", "multitask", "classed"])
def test_the_frame_draws_selects_and_explains_without_a_request(page, kind):
    schedule = run_of(kind)
    asked, faults = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)

    page.set_content(f"<body>{schedule.gantt()._repr_html_()}</body>")
    frame = page.frame_locator("iframe")
    frame.locator("#viewer canvas").first.wait_for()
    inner = page.frames[1]
    inner.wait_for_function("window.shadowtime?.viewers?.[0]?.debug?.().segments > 0")
    drawn = inner.evaluate("window.shadowtime.viewers[0].debug()")
    assert (drawn["segments"], drawn["jobs"]) == (len(schedule.segments), len(schedule.jobs))

    job = int(schedule.jobs["job_id"][3])
    inner.evaluate(f"document.dispatchEvent(new CustomEvent('shadowtime:select', {{detail: {{job: {job}}}}}))")
    frame.locator("#job-panel >> text=Ended").first.wait_for()
    assert f"Job {job}" in frame.locator("#job-panel").inner_text()
    assert faults == [] and [url for url in asked if not url.startswith(("about:", "data:", "blob:"))] == []


def test_a_window_holds_only_what_it_shows(page):
    schedule = run_of("rigid")
    middle = float(schedule.jobs["end"].max()) / 2
    part = schedule.gantt(start=middle, height=500)

    page.set_content(part._repr_html_())
    inner = page.frames[1]
    inner.wait_for_function("window.shadowtime?.viewers?.[0]?.debug?.().segments > 0")
    drawn = inner.evaluate("window.shadowtime.viewers[0].debug()")
    assert drawn["segments"] == int((schedule.segments["end"] > middle).sum()) < len(schedule.segments)
    assert drawn["window"][0] == pytest.approx(middle)
