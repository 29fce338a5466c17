"""From a question to its answer."""

from __future__ import annotations

import io

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter, SimulationError, UnknownName
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.samples import find_sample
from shadowtime.workers import execute as module
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.conftest import FOUR_SWF


def test_four_jobs_come_out_as_published(monkeypatch):
    monkeypatch.setattr("shadowtime.workers.spec.engine_version", lambda: "0.1.0")
    workload = find_sample("four").read()
    summary = execute(RunSpec.of(workload, "easy"), workload, load_s=0.5).summary

    published = {
        "makespan": 1110.0, "mean_wait": 51.75, "mean_flow": 341.75, "total_job_time": 1367.0,
        "mean_bounded_stretch": 3.502, "max_bounded_stretch": 10.9, "weighted_completion": 1373.0,
        "mean_utilization": 0.44144144144144143, "preemptions": 0, "unfinished": 0, "rejected": 0,
    }  # fmt: skip
    assert summary["run"] == "13189c2c62a84589"
    assert (summary["algorithm"], summary["workload"], summary["jobs"]) == ("easy", "four.swf", 4)
    assert {name: summary["metrics"][name] for name in published} == pytest.approx(published)
    assert summary["bounds"]["makespan"] == 1002.0
    assert summary["bounds"]["max_bounded_stretch"] >= 1.123076923076923
    assert summary["bound_names"]["makespan"] == "longest_job"
    assert summary["metrics"]["degradation_from_bound"] == pytest.approx(
        10.9 / summary["bounds"]["max_bounded_stretch"]
    )
    assert summary["timing"]["load_s"] == 0.5
    assert {"load_s", "compile_s", "simulate_s", "metrics_s"} <= summary["timing"].keys()
    assert summary["engine_version"] == "0.1.0"
    assert summary["tau"] == 10.0


def test_tau_comes_from_the_question_then_the_workload(monkeypatch):
    workload = find_sample("four").read().with_(machine={"processors": 10, "tau": 20.0})
    spec = RunSpec.of(workload, "easy")

    assert execute(spec, workload).summary["tau"] == 20.0
    assert execute(spec, workload, tau=30.0).summary["tau"] == 30.0


def test_slices_bring_all_segments_once():
    workload = generate("uniform", {"jobs": 2000}, 1)
    pieces = []
    outcome = execute(RunSpec.of(workload, "easy"), workload, pieces.append)

    assert sum(len(piece.segments["job"]) for piece in pieces) == len(outcome.schedule.segments["job"])
    assert pieces[-1].jobs_done == pieces[-1].jobs == 2000


def test_what_the_listener_raises_ends_the_run():
    def listen(piece):
        raise KeyError("enough")

    workload = find_sample("four").read()
    with pytest.raises(KeyError):
        execute(RunSpec.of(workload, "easy"), workload, listen)


def test_rejected_job_counts_as_such():
    workload = find_sample("four").read()
    summary = execute(RunSpec.of(workload, "easy", platform={"processors": 8}), workload).summary

    assert summary["metrics"]["rejected"] == 1
    assert summary["jobs"] == 4


def test_a_figure_below_its_bound_is_an_error(monkeypatch):
    real = module.summarize
    monkeypatch.setattr(module, "summarize", lambda *args: {**real(*args), "makespan": 1.0})
    workload = find_sample("four").read()

    with pytest.raises(SimulationError, match="makespan"):
        execute(RunSpec.of(workload, "easy"), workload)


def test_conversions_apply_in_order_however_they_are_written():
    workload = generate("uniform", {"jobs": 500}, 1)
    one = convert_all(workload, ["week:0", {"name": "load", "parameters": {"rho": 0.5}}], 0)
    other = convert_all(workload, [("week", {"k": 0}), ("LOAD", {"rho": "0.5"})], 0)

    assert one.conversions == other.conversions
    assert [conversion["name"] for conversion in one.conversions] == ["week", "load"]
    assert (one.jobs["release"] == other.jobs["release"]).all()


@pytest.mark.parametrize(
    ("conversion", "error"),
    [(3, InvalidParameter), (("week",), InvalidParameter), ({"name": "week", "parameters": 3}, InvalidParameter),
     ("smooth", UnknownName), ({"name": ["week"]}, InvalidParameter)],
)  # fmt: skip
def test_what_is_no_conversion_is_refused(conversion, error):
    with pytest.raises(error):
        convert_all(find_sample("four").read(), [conversion], 0)


def test_workload_of_a_spec_is_found_in_the_store(tmp_path):
    store = open_store(tmp_path)
    entry, _ = store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    asked = convert_all(store.workloads.load(entry.id), ["load:rho=0.5"], 0)
    spec = RunSpec.of(asked, "easy")
    loaded = load_workload(RunSpec.from_json(spec.json), store)
    store.workloads.delete(entry.id)

    assert loaded.conversions == asked.conversions
    assert (loaded.jobs["release"] == asked.jobs["release"]).all()
    with pytest.raises(NotFound, match="7551e48cece1b8a0"):
        load_workload(spec, store)


def test_a_classed_question_is_executed_from_the_store(tmp_path):
    store = open_store(tmp_path)
    entry, _ = store.workloads.generate("classed", {"jobs": 30, "rate": 4.0, "mix": "25/25/50"}, 2)
    asked = RunSpec.of(store.workloads.load(entry.id), "pjs")
    again = RunSpec.from_json(asked.json)
    outcomes = [execute(spec, load_workload(spec, store)) for spec in (asked, again)]

    assert asked.parameters["quantum"] == 10.0 and asked.platform == {"processors": 142}
    for outcome in outcomes:
        assert outcome.summary["metrics"]["unfinished"] == 0 and outcome.summary["counters"]["sjs_calls"] > 0
    assert np.array_equal(*(outcome.schedule.jobs["end"] for outcome in outcomes))
