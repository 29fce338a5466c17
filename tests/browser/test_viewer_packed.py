"""Tasks that share machines: rectangles upon one another, pieces of a task, and who came last."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from tests.browser.viewing import NAMES, Gallery, Viewer

pytestmark = pytest.mark.browser


def packed(gallery: Gallery, algorithm: str, **parameters: float) -> str:
    """A finished run of jobs of tasks; gives its id."""
    entry, _ = gallery.store.workloads.generate("multitask", {"jobs": 6, "machines": 2, **parameters}, 3)
    spec = RunSpec.of(gallery.store.workloads.load(entry.digest), algorithm)
    gallery.store.runs.accept(spec, jobs=entry.jobs)
    status = gallery.store.runs.begin(spec.digest)
    if status is not None:
        outcome = execute(spec, load_workload(spec, gallery.store))
        found = {name: getattr(outcome.schedule, name) for name in (*NAMES, "bands")}
        gallery.store.runs.finish(spec.digest, status.attempt, found, outcome.summary)
    return spec.id


def test_tasks_of_a_machine_are_drawn_upon_one_another(runs, page):
    viewer = Viewer(page, runs.page_of(packed(runs, "synchpack-3")))
    found = viewer.debug
    pane = found["panes"][0]
    heights = {round(one["h"]) for one in found["drawn"]}

    assert len(heights) > 3 and max(heights) < pane["h"] / 2
    first = found["drawn"][0]
    viewer.page.mouse.move(*viewer.middle(first["job"]))
    viewer.page.wait_for_selector(".gv-card:not([hidden])")
    assert "task" in viewer.text(".gv-card")


def test_the_panel_names_the_task_that_came_last(runs, page):
    run = packed(runs, "synchpack-3")
    jobs, pieces = (runs.store.runs.get(run).table(name) for name in ("jobs", "segments"))
    row = int(np.argmax([len(set(pieces["task"][pieces["job"] == one])) for one in range(len(jobs["end"]))]))
    viewer = Viewer(page, runs.page_of(run))
    viewer.page.evaluate(
        "(job) => document.dispatchEvent(new CustomEvent('shadowtime:select', { detail: { job } }))",
        int(jobs["job_id"][row]),
    )
    viewer.wait(f"d.selection === {int(jobs['job_id'][row])}")
    last = viewer.page.locator(".gv-life li").last
    last.get_by_text("came last").wait_for()

    assert f"task {int(jobs['last_task'][row])} on machine " in last.inner_text()
