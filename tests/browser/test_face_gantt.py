"""A schedule in a notebook: the viewer of the pages in a frame, with nothing to fetch from anywhere."""

from __future__ import annotations

import pytest

import shadowtime as st

pytestmark = pytest.mark.browser

KINDS = ("rigid", "two_tier", "fractional", "moldable", "multitask", "classed")

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


def framed(page, gantt):
    """A document with nothing but this schedule; the frame that holds it, drawn."""
    page.set_content(f"<body>{gantt._repr_html_()}</body>")
    inner = page.locator("iframe").element_handle().content_frame()
    inner.locator("#viewer canvas").first.wait_for()
    inner.wait_for_function("window.shadowtime?.viewers?.[0]?.debug?.().segments > 0")
    return inner


def test_a_frame_draws_selects_and_explains_without_a_request(page):
    asked, faults = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)

    # Every kind of schedule is drawn whole, and a selected job is explained.
    for kind in KINDS:
        schedule = run_of(kind)
        inner = framed(page, schedule.gantt())
        drawn = inner.evaluate("window.shadowtime.viewers[0].debug()")
        assert (drawn["segments"], drawn["jobs"]) == (len(schedule.segments), len(schedule.jobs)), kind
        job = int(schedule.jobs["job_id"][3])
        inner.evaluate(f"document.dispatchEvent(new CustomEvent('shadowtime:select', {{detail: {{job: {job}}}}}))")
        inner.locator("#job-panel >> text=Ended").first.wait_for()
        assert f"Job {job}" in inner.locator("#job-panel").inner_text(), kind
        assert faults == [], kind
        assert [url for url in asked if not url.startswith(("about:", "data:", "blob:"))] == [], kind

    # A window holds only what it shows.
    schedule = run_of("rigid")
    middle = float(schedule.jobs["end"].max()) / 2
    drawn = framed(page, schedule.gantt(start=middle, height=500)).evaluate("window.shadowtime.viewers[0].debug()")
    assert drawn["segments"] == int((schedule.segments["end"] > middle).sum()) < len(schedule.segments)
    assert drawn["window"][0] == pytest.approx(middle)
    assert faults == [] and [url for url in asked if not url.startswith(("about:", "data:", "blob:"))] == []
