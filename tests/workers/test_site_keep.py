"""A loop's plan and its measurement as two runs of the store."""

from __future__ import annotations

import json

import numpy as np

from shadowtime.engine import generate, simulate
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.samples import find_sample
from shadowtime.workers.site_keep import keep_measured, keep_plan, stored
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store


def test_both_are_runs_on_the_same_jobs(tmp_path):
    store = open_store(tmp_path)
    workload = generate("classed", {"site": "bench", "jobs": 6})
    spec = RunSpec.of(stored(store, workload, None), "pjs")
    plan = store.runs.get(keep_plan(store, spec))
    schedule = simulate(workload, "pjs")
    measured = store.runs.get(keep_measured(store, spec, "PJS", workload, schedule, 2.0, {}))

    assert plan.status.is_finished and measured.status.is_finished
    assert plan.spec.workload == measured.spec.workload and plan.id != measured.id
    assert measured.spec.algorithm == "PJS, measured" and measured.spec.parameters["scale"] == 2.0
    assert measured.summary["metrics"]["makespan"] == plan.summary["metrics"]["makespan"]
    for name in ("jobs", "segments", "events", "series"):
        for column, values in plan.table(name).items():
            np.testing.assert_array_equal(measured.table(name)[column], values)
    assert RunSpec.from_json(measured.spec.json).digest == measured.digest


def test_a_plan_that_is_there_stays_and_every_measurement_is_new(tmp_path):
    store = open_store(tmp_path)
    workload = generate("classed", {"site": "bench", "jobs": 3})
    spec = RunSpec.of(stored(store, workload, None), "sjs")
    ended = [store.runs.get(keep_plan(store, spec)).status.ended for _ in range(2)]
    schedule = simulate(workload, "sjs")
    measured = {keep_measured(store, spec, "SJS", workload, schedule, 1.0, {}) for _ in range(2)}

    assert ended[0] == ended[1]
    assert len(measured) == 2


def test_jobs_of_a_file_are_stored_with_their_case(tmp_path):
    path = tmp_path / "bench.json"
    path.write_bytes(find_sample("bench3").content())
    with path.open("rb") as file:
        workload = read(file, path.name, "4")
    known = stored(open_store(tmp_path / "store"), workload, path)

    assert len(known) == 4 and dict(known.source) == dict(workload.source)
    assert json.dumps(known.source)
