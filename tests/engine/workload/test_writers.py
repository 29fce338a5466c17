"""What was written is read back exactly."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given

from shadowtime.engine.errors import UnknownName, UnsupportedWorkload
from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.engine.workload import writers
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Clock, Workload, job_table
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.samples import find_sample
from shadowtime.engine.workload.writers import write_json, write_swf
from tests.engine.workload.test_instances import FRACTIONAL, TWO_TIER, instance
from tests.strategies import rigid_workloads

WRITERS = [(write_swf, "w.swf"), (write_json, "w.json")]


def written(workload: Workload, write, name: str) -> Workload:
    stream = BytesIO()
    write(workload, stream)
    return read(BytesIO(stream.getvalue()), name)


def same_jobs(one: Workload, two: Workload) -> bool:
    return list(one.jobs) == list(two.jobs) and all(
        np.array_equal(one.jobs[name], two.jobs[name], equal_nan=True) for name in one.jobs
    )


@pytest.mark.parametrize(("write", "name"), WRITERS)
@given(workload=rigid_workloads())
def test_round_trip(write, name, workload):
    again = written(workload, write, name)

    assert same_jobs(again, workload)
    assert again.machine == workload.machine
    assert again.has_estimates == workload.has_estimates


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_round_trip_of_fractions_users_and_dates(write, name):
    jobs = job_table(
        release=np.array([0.1, 1e9 + 0.25]),
        runtime=np.array([1 / 3, 1e11]),
        processors=np.array([1, 2**31 - 1]),
        requested=np.array([np.nan, 0.7]),
        user=np.array([-1, 2**40]),
        job_id=np.array([5, 3]),
    )
    workload = Workload(kind="rigid", name="w", jobs=jobs, clock=Clock(843480031.5, -3600.0, "Europe/Stockholm"))

    again = written(workload, write, name)

    assert same_jobs(again, workload)
    assert again.clock == workload.clock and again.machine == {}


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_a_generated_workload_survives(write, name):
    workload = generate("lublin", {"jobs": 500}, seed=2)

    assert same_jobs(written(workload, write, name), workload)


def test_json_keeps_weights():
    jobs = job_table(np.zeros(2), np.ones(2), np.ones(2), weight=np.array([0.5, 3.0]))

    assert same_jobs(written(w := Workload(kind="rigid", name="w", jobs=jobs), write_json, "w.json"), w)


def test_swf_fields_of_a_job():
    stream = BytesIO()
    write_swf(find_sample("four").read(), stream)

    lines = stream.getvalue().decode().splitlines()
    assert lines[-4] == "1 0 -1 100 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1"
    assert "; MaxProcs: 10" in lines


def test_swf_states_the_cores_of_nodes():
    site = find_sample("four").read().with_(machine={"nodes": 5, "cores_per_node": 2})
    stream = BytesIO()
    write_swf(site, stream)

    lines = stream.getvalue().decode().splitlines()
    assert "; MaxNodes: 5" in lines and "; MaxProcs: 10" in lines
    assert written(site, write_swf, "w.swf").machine["processors"] == 10


def test_two_tier_jobs_keep_their_processes_in_json():
    workload = convert(generate("jann", {"jobs": 300}, 2), "two_tier", {}, 2)

    again = written(workload.with_(machine={"processors": 320, "migration_cost": 0.5}), write_json, "w.json")

    assert again.kind == "two_tier" and same_jobs(again, workload) and again.has_estimates
    assert list(again.parts) == list(workload.parts)
    assert all(np.array_equal(again.parts[name], workload.parts[name]) for name in workload.parts)
    assert again.machine == {"processors": 320, "migration_cost": 0.5}


def test_two_tier_json_keeps_dates_users_and_unknown_estimates():
    """None of which a case written by hand needs to have."""
    jobs = job_table(np.array([0.5, 2.0]), np.ones(2), np.array([2, 1]), user=np.array([3, -1]),
                     requested=np.array([np.nan, 4.0]), weight=np.array([2.0, 0.0]), loss=np.zeros(2))  # fmt: skip
    parts = {"first": np.array([0, 2, 3]), "usage": np.array([0.1, 1 / 3, 1.0]), "phi": np.array([0.0, 0.7, 1.0])}
    workload = Workload(kind="two_tier", name="w", jobs=jobs, parts=parts, clock=Clock(1e9, 3600.0, "Europe/Paris"))

    again = written(workload, write_json, "w.json")

    assert same_jobs(again, workload) and again.clock == workload.clock and again.machine == {}


def test_other_kinds_are_refused():
    with pytest.raises(UnsupportedWorkload, match=r"holds rigid jobs; file\.json#pair is a two_tier workload"):
        write_swf(instance(TWO_TIER), BytesIO())
    with pytest.raises(UnknownName, match="unknown family 'strange'; known: rigid, two_tier, fractional"):
        write_json(Workload(kind="strange", name="w", jobs=instance(FRACTIONAL, "a").jobs), BytesIO())


def test_fractional_json_gives_back_what_was_written():
    workload = generate("fractional", {"jobs": 40, "nodes": 16}, seed=2)
    again = written(workload.with_(machine={"nodes": 16, "period": 60.0, "penalty": 0.0}), write_json, "w.json")

    assert again.kind == "fractional" and same_jobs(again, workload)
    assert again.machine == {"nodes": 16, "period": 60.0, "penalty": 0.0}
    with pytest.raises(UnsupportedWorkload, match="does not state how many nodes"):
        write_json(workload.with_(machine={}), BytesIO())


def test_an_instance_that_could_not_be_read_is_not_written(monkeypatch):
    monkeypatch.setattr(writers, "Limits", lambda: Limits(json=1000))

    with pytest.raises(
        UnsupportedWorkload, match=r"lublin:jobs=1500 would take 0\.1 MB as JSON; .* at most 1 kB here\."
    ):
        write_json(generate("lublin", {"jobs": 1500}), stream := BytesIO())
    assert not stream.getvalue()


def test_what_was_recorded_survives_in_a_log():
    line = "{} {} {} 100 4 -1 -1 4 200 -1 {} 3 {} 1 {} 1 -1 -1\n"
    text = line.format(1, 0, 5, 1, 7, 2) + line.format(2, 10, -1, 5, -1, 1)
    workload = read(BytesIO(text.encode()), "a.swf")

    assert workload.jobs["recorded_start"].tolist()[0] == 5.0 and np.isnan(workload.jobs["recorded_start"][1])
    assert workload.jobs["recorded_end"][0] == 105.0
    assert (workload.jobs["account"].tolist(), workload.jobs["partition"].tolist()) == ([7, -1], [2, 1])
    assert [workload.texts["outcome"][code] for code in workload.jobs["outcome"]] == ["completed", "cancelled"]
    assert same_jobs(written(workload, write_swf, "w.swf"), workload)


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_memory_comes_back(write, name):
    jobs = job_table(np.array([0.0, 1.0]), np.array([5.0, 6.0]), np.array([1, 2]), memory_kb=np.array([2048.5, np.nan]))

    assert same_jobs(written(Workload(kind="rigid", name="w", jobs=jobs), write, name), Workload("rigid", "w", jobs))


def test_outcomes_in_words_of_slurm_become_statuses():
    jobs = job_table(np.zeros(4), np.ones(4), np.ones(4), outcome=np.array([0, 1, 2, -1]))
    texts = {"outcome": ("COMPLETED", "CANCELLED", "SPECIAL")}
    workload = Workload(kind="rigid", name="w", jobs=jobs, texts=texts)

    assert written(workload, write_swf, "w.swf").jobs["outcome"].tolist() == [1, 5, -1, -1]


@pytest.mark.parametrize(("texts", "users"), [({"user": ("ann", "bob")}, [1, 2, -1]), ({}, [0, 1, -1])])
def test_users_with_names_are_numbered_from_1_in_swf_and_numbers_stay(texts, users):
    jobs = job_table(np.zeros(3), np.ones(3), np.ones(3), user=np.array([0, 1, -1]))
    workload = Workload(kind="rigid", name="w", jobs=jobs, texts=texts)

    assert written(workload, write_swf, "w.swf").jobs["user"].tolist() == users


def test_what_a_format_has_no_place_for_is_named():
    jobs = job_table(np.zeros(1), np.ones(1), np.ones(1), gpus=np.ones(1), user=np.zeros(1), outcome=np.zeros(1))
    workload = Workload(kind="rigid", name="w", jobs=jobs, texts={"user": ("ann",), "outcome": ("FAILED",)})

    assert writers.not_written(workload, writers.IN_SWF) == ["GPUs", "names of users"]
    assert writers.not_written(workload, writers.IN_JSON) == ["outcomes", "GPUs", "names of users"]
    assert writers.not_written(workload, writers.IN_BATSIM) == ["users", "outcomes", "GPUs"]
    assert writers.not_written(generate("lublin", {"jobs": 2}), writers.IN_SWF) == []


def test_numbers_that_several_jobs_share_are_named_where_they_are_replaced():
    workload = Workload(kind="rigid", name="w", jobs=job_table(np.zeros(2), np.ones(2), np.ones(2), job_id=[7, 7]))

    assert writers.not_written(workload, writers.IN_BATSIM) == ["numbers that several jobs share"]
    assert writers.not_written(workload, writers.IN_SWF) == []


def test_the_floor_of_the_bounded_stretch_has_a_place_in_json_alone():
    workload = generate("uniform", {"jobs": 2}).with_(machine={"processors": 4, "tau": 1.0})

    assert writers.not_written(workload, writers.IN_SWF) == ["the floor of the bounded stretch"]
    assert writers.not_written(workload, writers.IN_BATSIM) == ["the floor of the bounded stretch", "users"]
    assert writers.not_written(workload, writers.IN_JSON) == []


def recorded(start: float, end: float, outcome: str) -> Workload:
    jobs = job_table(
        np.array([10.0]),
        np.array([100.0]),
        np.ones(1),
        recorded_start=np.array([start]),
        recorded_end=np.array([end]),
        outcome=np.zeros(1, "i8"),
    )
    return Workload(kind="rigid", name="w", jobs=jobs, texts={"outcome": (outcome,)})


@pytest.mark.parametrize(
    ("start", "end", "outcome", "lost"),
    [
        (12.0, 112.0, "COMPLETED", []),
        (12.1, 112.1 + 1e-9, "cancelled", []),
        (12.0, 112.0, "exit 1", ["outcomes without a status"]),
        (7.0, 107.0, "FAILED", ["recorded starts before the submission"]),
        (12.0, 142.0, "FAILED", ["recorded ends other than start plus runtime"]),
        (np.nan, 112.0, "FAILED", ["recorded ends other than start plus runtime"]),
        (np.nan, np.nan, "FAILED", []),
    ],
)
def test_values_that_swf_changes_are_named(start, end, outcome, lost):
    workload = recorded(start, end, outcome)

    assert writers.not_written(workload, writers.IN_SWF) == lost
    assert writers.not_written(workload, writers.IN_JSON) == ["outcomes"]
    again = written(workload, write_swf, "w.swf").jobs
    same = [
        np.allclose(again.get(name, np.full(1, np.nan)), workload.jobs[name], equal_nan=True)
        for name in ("recorded_start", "recorded_end")
    ]
    assert all(same) == (not any("recorded" in words for words in lost))
    assert (again.get("outcome", [-1])[0] < 0) == ("outcomes without a status" in lost)


def test_only_what_is_known_of_a_job_is_named_and_weights_are():
    nothing = {name: np.zeros(2) for name in ("nice", "min_nodes", "task_cores", "whole_nodes", "gpus")}
    jobs = job_table(np.zeros(2), np.ones(2), np.ones(2), eligible=np.full(2, np.nan), **nothing)
    workload = Workload(kind="rigid", name="w", jobs=jobs)
    assert writers.not_written(workload, writers.IN_SWF) == []

    heavy = workload.with_(jobs={**jobs, "weight": np.array([1.0, 7.0])})
    assert writers.not_written(heavy, writers.IN_SWF) == ["weights"]
    assert writers.not_written(heavy, writers.IN_JSON) == []


@pytest.mark.parametrize("kind", ["rigid", "two_tier", "fractional", "moldable", "multitask", "classed"])
def test_every_kind_states_the_floor_of_the_bounded_stretch(kind):
    known = generate({"rigid": "uniform", "two_tier": "uniform"}.get(kind, kind), {"jobs": 5}, 1)
    workload = convert(known, "two_tier", {}, 1) if kind == "two_tier" else known

    again = written(workload.with_(machine={**workload.machine, "tau": 123.0}), write_json, "w.json")

    assert again.kind == kind and tau_of(again) == 123.0
    assert tau_of(written(workload, write_json, "w.json")) == 10.0
