"""The outline of a run: means over equal spans, recorded with its results, in whatever way it ends."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine import generate
from shadowtime.workers.execute import execute
from shadowtime.workers.records.outlines import POINTS, outline
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.workers.spoiling import drop_outline


@pytest.fixture
def store(tmp_path, url):
    return open_store(tmp_path, url)


@pytest.fixture(scope="module")
def done():
    """A question and what it gives."""
    workload = generate("uniform", {"jobs": 20, "processors": 8}, seed=1)
    spec = RunSpec.of(workload, "easy", {}, None, None, 1)
    return spec, execute(spec, workload)


@pytest.mark.parametrize("how", ["finished by a worker", "run of a sweep"])
def test_a_run_is_recorded_with_its_outline_beside_the_summary(store, done, how):
    spec, outcome = done
    if how == "run of a sweep":
        store.runs.keep([(spec, outcome.tables(), outcome.summary)])
    else:
        store.runs.accept(spec)
        store.runs.finish(spec.digest, store.runs.begin(spec.digest).attempt, outcome.tables(), outcome.summary)

    for run in (store.runs.get(spec.id), store.runs.list().rows[0]):
        series, jobs = run.table("series"), run.table("jobs")
        span = series["time"][-1] - series["time"][0]
        assert len(run.outline) == POINTS
        assert np.mean(run.outline) * span == pytest.approx(np.sum(jobs["processors"] * jobs["runtime"]), rel=1e-3)
        assert run.summary == json.loads(json.dumps(outcome.summary))


def test_a_run_of_an_older_version_has_none(store, done):
    spec, outcome = done
    store.runs.keep([(spec, outcome.tables(), outcome.summary)])
    drop_outline(store, spec.digest)

    run = store.runs.get(spec.id)
    assert run.outline is None and run.summary["jobs"] == 20


def test_a_run_without_results_has_none(store, done):
    store.runs.accept(done[0])

    assert store.runs.get(done[0].id).outline is None


def test_an_outline_has_the_lanes_in_use():
    assert outline({"time": np.array([0.0, 1.0]), "utilization": np.array([3.0, 0.0])}) == [3.0] * POINTS


def test_the_outline_of_one_instant_is_zero():
    assert outline({"time": np.array([5.0]), "utilization": np.array([1.0])}) == [0.0] * POINTS
