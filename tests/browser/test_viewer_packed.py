"""Tasks that share machines: rectangles upon one another, pieces of a task, and who came last."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from tests.browser.viewing import NAMES, Gallery, Viewer

pytestmark = pytest.mark.browser

STAND = """async ([start, end, share, task]) => {
  const { stackShares, standing } = await import("/assets/gantt/model/stacking.js");
  const n = start.length, zeros = new Array(n).fill(0);
  const chunk = { n, start, end, share, task, first: zeros, last: zeros };
  stackShares([chunk]);
  return start.map((_, i) => standing(chunk, i));
}"""


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


def stands(viewer: Viewer, *rows: tuple[float, float, float, int]) -> list[list[list[float]]]:
    return viewer.page.evaluate(STAND, [list(column) for column in zip(*rows, strict=True)])


def test_a_task_that_goes_on_keeps_its_place_and_one_without_a_gap_is_split(four):
    found = stands(four, (0, 4, 0.3, 0), (0, 9, 0.3, 1), (0, 4, 0.3, 2), (5, 9, 0.3, 2), (6, 9, 0.35, 3))

    assert [len(parts) for parts in found] == [1, 1, 1, 1, 2]
    assert found[3][0][0] == pytest.approx(found[2][0][0], abs=1e-6)
    assert sum(height for _, height in found[4]) == pytest.approx(0.35)


def test_nothing_lies_over_anything_and_heights_are_what_is_held(four):
    rng = np.random.default_rng(5)
    rows: list[tuple[float, float, float, int]] = []
    for at in range(300):
        room = 1.0 - sum(share for _, end, share, _ in rows if end > at)
        if room > 0.01:
            rows.append((float(at), at + float(rng.integers(1, 12)), float(room * rng.uniform(0.2, 1.0)), at))
    found = stands(four, *rows)

    assert [sum(height for _, height in parts) for parts in found] == pytest.approx([row[2] for row in rows], abs=1e-4)
    for at in range(300):
        there = sorted(part for row, parts in zip(rows, found, strict=True) if row[0] <= at < row[1] for part in parts)
        tops = np.array([base + height for base, height in there])
        assert (tops[:-1] <= np.array([base for base, _ in there])[1:] + 1e-4).all() and (tops <= 1.0 + 1e-4).all()


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
