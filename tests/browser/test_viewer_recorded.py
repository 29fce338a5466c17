"""A recorded schedule whose log overcommits its machine: lanes beyond it are hatched and named, areas rise above it."""

from __future__ import annotations

import io

import numpy as np
import pytest

from shadowtime.dashboard.components import run_panels
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from tests.browser.viewing import Gallery, Viewer

pytestmark = pytest.mark.browser

LINE = "{} {} {} 100 {} -1 -1 {} 900 -1 1 3 4 1 2 1 -1 -1\n"
VIEW = """() => {
  const { view } = shadowtime.viewers[0].run;
  return [view.lanes, view.capacity, shadowtime.viewers[0].view.bounds.lanes];
}"""
WORDS = """() => {
  const said = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    said.push(String(text));
    return fillText.call(this, text, ...place);
  };
  const { view } = shadowtime.viewers[0];
  view.set({ n0: 0, n1: view.bounds.lanes - 0.5 });
  return new Promise((done) => setTimeout(() => {
    CanvasRenderingContext2D.prototype.fillText = fillText;
    done(said);
  }, 600));
}"""


def recorded(gallery: Gallery) -> str:
    """A finished run of a log that has six processors in use on a machine of four; gives its id."""
    jobs = [(0, 0, 3), (10, 5, 3), (20, 200, 2)]
    text = "; MaxProcs: 4\n" + "".join(LINE.format(n, at, wait, p, p) for n, (at, wait, p) in enumerate(jobs, 1))
    entry, _ = gallery.store.workloads.add(io.BytesIO(text.encode()), "over.swf")
    spec = RunSpec.of(gallery.store.workloads.load(entry.digest), "recorded")
    gallery.store.runs.accept(spec, jobs=entry.jobs)
    status = gallery.store.runs.begin(spec.digest)
    assert status is not None
    outcome = execute(spec, load_workload(spec, gallery.store))
    found = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
    gallery.store.runs.finish(spec.digest, status.attempt, found, outcome.summary)
    return spec.id


def test_lanes_beyond_the_machine_are_shown_as_overcommitted(runs, page):
    run = recorded(runs)
    viewer = Viewer(page, runs.page_of(run))

    assert viewer.page.evaluate(VIEW) == [6, 4, 6]
    assert "overcommitted: 2 processors beyond the machine" in viewer.page.evaluate(WORDS)
    assert run_panels.explanation({}, is_running=False, overcommitted=2) == (
        "The log overcommits its machine by up to 2 processors, so no lower bound holds for it."
    )
    segments = runs.store.runs.get(run).table("segments")
    assert np.unique(segments["last"]).tolist() == [1, 2, 5]
