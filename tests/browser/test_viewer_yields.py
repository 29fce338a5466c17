"""Nodes that are shared: rectangles as high as their share, and what a job gets of the CPU that it could use."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.dashboard.look import words
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from tests.browser.viewing import Gallery, Viewer

pytestmark = pytest.mark.browser

YIELDS = """async () => {
  const { yieldsOf } = await import("/assets/gantt/model/yields.js");
  const { run } = shadowtime.viewers[0];
  return Array.from({ length: run.jobs.n }, (_, row) => yieldsOf(run, row));
}"""
STANDING = """async () => {
  const { standing } = await import("/assets/gantt/model/stacking.js");
  const chunk = shadowtime.viewers[0].run.closed;
  return Array.from({ length: chunk.n }, (_, i) => standing(chunk, i));
}"""
USEFUL = """async () => {
  const { SoFar, Steps } = await import("/assets/gantt/model/steps.js");
  const { run } = shadowtime.viewers[0];
  const { start, end, n } = run.closed;
  const steps = new Steps(run.series, run.lanes);
  const times = Array.from({ length: 40 }, (_, k) => (start[k * 3 % n] + end[k * 3 % n]) / 2);
  const soFar = new SoFar(run);
  return times.map((t) => [steps.read(t).useful, soFar.read(t).useful]);
}"""


def shared(gallery: Gallery, algorithm: str) -> str:
    """A finished run of jobs that share eight nodes; gives its id."""
    entry, _ = gallery.store.workloads.generate("fractional", {"jobs": 60, "nodes": 8, "load": 1.2}, 4)
    spec = RunSpec.of(gallery.store.workloads.load(entry.digest), algorithm)
    gallery.store.runs.accept(spec, jobs=entry.jobs)
    status = gallery.store.runs.begin(spec.digest)
    if status is not None:
        outcome = execute(spec, load_workload(spec, gallery.store))
        found = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
        gallery.store.runs.finish(spec.digest, status.attempt, found, outcome.summary)
    return spec.id


def test_what_is_drawn_of_shared_nodes_is_what_was_simulated(runs, page):
    for algorithm in ("easy", "mcb8*/opt=min"):
        # What a job got adds up to its runtime.
        run = shared(runs, algorithm)
        jobs = runs.store.runs.get(run).table("jobs")
        viewer = Viewer(page, runs.page_of(run))
        found = viewer.page.evaluate(YIELDS)
        assert [one["got"] for one in found] == pytest.approx(jobs["runtime"].tolist(), rel=1e-6)
        assert all(0 < step["share"] <= 1 for one in found for step in one["steps"])
        if algorithm == "easy":
            assert all(one["stalled"] == 0 and len(one["steps"]) == 1 for one in found)
        else:
            assert max(one["stalled"] for one in found) >= 300

        # Useful CPU of a run that goes on is what its series say later.
        found = viewer.page.evaluate(USEFUL)
        assert [now for _, now in found] == pytest.approx([later for later, _ in found], abs=1e-6)
        assert max(now for _, now in found) > 1

    # Shares stand upon one another, and never above their node.
    pieces = runs.store.runs.get(run).table("segments")
    parts = viewer.page.evaluate(STANDING)
    assert [sum(height for _, height in one) for one in parts] == pytest.approx(pieces["share"].tolist(), abs=1e-5)
    for at in np.unique(pieces["start"]):
        for node in range(8):
            here = (pieces["start"] <= at) & (at < pieces["end"]) & (pieces["first"] <= node) & (node <= pieces["last"])
            stand = sorted(tuple(part) for row in np.flatnonzero(here) for part in parts[row])
            tops = [base + height for base, height in stand]
            assert all(top <= base + 1e-5 for top, (base, _) in zip(tops, stand[1:], strict=False)), (at, node)
            assert max(tops, default=0) <= 1 + 1e-5

    # The area has room above the capacity, and its legend gives what was idle.
    percent = words.percent(runs.store.runs.get(run).summary["metrics"]["normalized_underutilization"])
    legend = "async () => (await import('/assets/gantt/scene.js')).legendOf(shadowtime.viewers[0].source)"
    said = viewer.page.evaluate(legend)
    assert said[1] == ["under", "idle while jobs waited", f"idle while jobs waited: as much as {percent} of all work"]
    assert said[-1] == ["capacity", "capacity"]
    headroom = "async () => (await import('/assets/gantt/model/steps.js')).headroom(shadowtime.viewers[0].run)"
    assert viewer.page.evaluate(headroom) > 1


def test_the_panel_of_a_job_that_shares_its_nodes(runs, page):
    run = shared(runs, "mcb8*/opt=min")
    jobs, events = (runs.store.runs.get(run).table(name) for name in ("jobs", "events"))

    # It shows the job's yield and what moves cost.
    row = int(np.bincount(events["job"][events["kind"] == 5]).argmax())
    viewer = Viewer(page, runs.page_of(run))
    viewer.page.evaluate(
        "(job) => document.dispatchEvent(new CustomEvent('shadowtime:select', { detail: { job } }))",
        int(jobs["job_id"][row]),
    )
    viewer.page.wait_for_selector(".gv-yield-stall", state="attached")
    assert "without progress" in viewer.text(".gv-yield")
    viewer.page.locator(".gv-life", has_text="no progress for 5").wait_for()
    viewer.page.locator(".gv-yield-picture").click(position={"x": 150, "y": 30})
    assert jobs["release"][row] < viewer.page.evaluate("shadowtime.viewers[0].view.at") < jobs["end"][row]

    # A life of many moves is shown whole when asked for.
    row = int(np.bincount(events["job"]).argmax())
    viewer = Viewer(page, runs.page_of(run) + f"?job={jobs['job_id'][row]}")
    more = viewer.page.locator(".gv-more button")
    more.wait_for()
    hidden = int(more.inner_text().split()[1])
    shown = viewer.page.locator(".gv-life li").count() - 1
    more.click()
    assert viewer.page.locator(".gv-life li").count() == hidden + shown
    assert viewer.page.locator(".gv-more").count() == 0
