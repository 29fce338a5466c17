"""The viewer's stretch has the floor that the run's summary has."""

from __future__ import annotations

import io
import json

import pytest

from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from tests.browser.viewing import NAMES, Viewer
from tests.conftest import three_with_tau

pytestmark = pytest.mark.browser

SEEN = """async () => {
  const { run, view, clock } = shadowtime.viewers[0];
  const { Paint } = await import("/assets/gantt/draw/paint.js");
  const { readTheme } = await import("/assets/gantt/draw/theme.js");
  const { stretchOf } = await import("/assets/gantt/model/colour-rules.js");
  const { ROW_ORDERS } = await import("/assets/gantt/model/rows.js");
  const rows = Array.from({ length: run.jobs.n }, (_, row) => row);
  const paint = new Paint(readTheme(document.documentElement), "stretch", run, clock);
  return { stretch: rows.map((row) => stretchOf(run.jobs, row, run.tau)), classes: Array.from(paint.classes),
           keys: rows.map((row) => ROW_ORDERS.stretch.key(run.jobs, row, run)) };
}"""


@pytest.mark.parametrize(("tau", "stretches", "classes"), [(100.0, [1, 1, 1], [0, 0, 0]), (10.0, [1, 2, 3], [0, 1, 2])])
def test_three_short_jobs_are_stretched_as_the_summary_says(runs, page, tau, stretches, classes):
    entry, _ = runs.store.workloads.add(io.BytesIO(json.dumps(three_with_tau(tau)).encode()), "three.json")
    spec = RunSpec.of(runs.store.workloads.load(entry.digest), "easy")
    runs.store.runs.accept(spec, jobs=entry.jobs)
    attempt = runs.store.runs.begin(spec.digest).attempt
    outcome = execute(spec, load_workload(spec, runs.store))
    runs.store.runs.finish(
        spec.digest, attempt, {name: getattr(outcome.schedule, name) for name in NAMES}, outcome.summary
    )

    seen = Viewer(page, runs.page_of(spec.id)).page.evaluate(SEEN)

    assert seen == {"stretch": stretches, "classes": classes, "keys": stretches}
    assert outcome.summary["metrics"]["max_bounded_stretch"] == max(stretches)
