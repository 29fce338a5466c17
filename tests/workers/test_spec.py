"""A run is its question: the same question has the same text, digest and link, from every client."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter, InvalidPlatform, QuestionError, UnknownName, UnsupportedWorkload
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.workers.spec import RunSpec, canonical

RIGID = (
    '{"algorithm":"easy","conversions":[],"engine_version":"0.1.0","estimates":"requested",'
    '"parameters":{"event_order":"instant","extra":"all","overrun":"run"},"platform":{"processors":10},"seed":0,'
    '"workload":{"case":null,"digest":"7551e48cece1b8a074ee8e2dd5864afb454ee9f379cc48f283fb72c028ec03ad"}}'
)
"""The run spec of the four-job example, letter by letter."""


def test_rigid_example_has_the_published_id():
    spec = RunSpec.from_json(RIGID)

    assert spec.json == RIGID
    assert spec.digest.startswith("13189c2c62a84589")
    assert spec.digest == hashlib.sha256(RIGID.encode()).hexdigest()
    assert spec.id == "13189c2c62a84589"


def four_jobs() -> Workload:
    jobs = job_table(
        np.array([0.0, 1.0, 2.0, 3.0]),
        np.array([100.0, 10.0, 1000.0, 50.0]),
        np.array([6, 10, 4, 4]),
        requested=np.array([100.0, 10.0, 1000.0, 50.0]),
    )
    digest = "7551e48cece1b8a074ee8e2dd5864afb454ee9f379cc48f283fb72c028ec03ad"
    source = {"digest": digest, "case": None}
    return Workload("rigid", "four.swf", jobs, machine={"processors": 10}, has_estimates=True, source=source)


def test_all_defaults_are_filled_in(monkeypatch):
    monkeypatch.setattr("shadowtime.workers.spec.engine_version", lambda: "0.1.0")

    assert RunSpec.of(four_jobs(), "EASY").json == RIGID


def test_parameter_seed_and_version_change_the_id(monkeypatch):
    first = RunSpec.of(four_jobs(), "easy")
    other = [RunSpec.of(four_jobs(), "easy", {"extra": "first"}), RunSpec.of(four_jobs(), "easy", seed=1)]
    monkeypatch.setattr("shadowtime.workers.spec.engine_version", lambda: "0.1.0+00000000")
    other.append(RunSpec.of(four_jobs(), "easy"))

    assert len({spec.digest for spec in [first, *other]}) == 4


def test_defaults_spelled_out_are_the_same_question():
    spoken = RunSpec.of(
        four_jobs(), "Easy", {"extra": "ALL", "overrun": "run"}, {"processors": 10}, "requested", conversions=[]
    )

    assert spoken == RunSpec.of(four_jobs(), "easy")
    assert hash(spoken) == hash(RunSpec.of(four_jobs(), "easy"))


def test_estimates_default_to_the_runtime_where_nobody_asked_for_a_time():
    plain = four_jobs().with_(has_estimates=False)

    assert RunSpec.of(plain, "easy").estimates == "actual"
    assert RunSpec.of(four_jobs(), "easy").estimates == "requested"


def test_real_parameters_have_a_point_and_whole_ones_none():
    assert canonical({"period": 600.0, "jobs": 600, "name": "Umeå", "x": [1e300]}) == (
        '{"jobs":600,"name":"Umeå","period":600.0,"x":[1e+300]}'
    )


def test_no_text_can_hold_what_json_cannot():
    with pytest.raises(ValueError):
        canonical({"x": float("nan")})


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"algorithm": "eazy"}, UnknownName, "unknown algorithm 'eazy'; known: "),
        ({"parameters": {"extra": "some"}}, InvalidParameter, "extra = 'some'"),
        ({"parameters": {"depth": 3}}, InvalidParameter, "unknown parameter 'depth'"),
        ({"estimates": "guessed"}, InvalidParameter, "guessed"),
        ({"seed": -1}, InvalidParameter, "seed = '-1', but it must be a whole number, 0 or more"),
        (
            {"seed": 2**53 + 1},
            InvalidParameter,
            "seed = '9007199254740993', but it must be 9,007,199,254,740,992 or less",
        ),
        ({"seed": "x"}, InvalidParameter, "seed = 'x'"),
        ({"platform": {"processors": 0}}, InvalidPlatform, "processors = 0, but 1 is the least"),
        ({"platform": {"racks": 3}}, InvalidPlatform, "unknown key 'racks'"),
        ({"platform": 8}, InvalidPlatform, "a platform is"),
        ({"conversions": [("smooth", {})]}, UnknownName, "unknown conversion 'smooth'"),
        ({"conversions": [3]}, InvalidParameter, "a conversion is"),
        ({"conversions": [{"name": "week", "k": 3}]}, InvalidParameter, "a conversion is"),
    ],
)
def test_a_wrong_question_is_one_sentence(arguments, error, words):
    with pytest.raises(error) as refusal:
        RunSpec.of(**{"workload": four_jobs(), "algorithm": "easy", **arguments})

    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_workload_of_another_kind_is_refused():
    moldable = Workload("moldable", "m", four_jobs().jobs, machine={"processors": 10}, source=four_jobs().source)

    with pytest.raises(UnsupportedWorkload):
        RunSpec.of(moldable, "easy")


def change(**changes):
    return json.dumps({**json.loads(RIGID), **changes}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "nonsense",
        RIGID + " ",
        RIGID.replace('"seed":0', '"seed": 0'),
        RIGID.replace('"seed":0,', ""),
        change(more=1),
        change(seed=-1),
        change(seed=True),
        change(seed=1.5),
        change(estimates="guessed"),
        change(algorithm=3),
        change(algorithm=""),
        change(parameters=[]),
        change(parameters={"extra": {"a": 1}}),
        change(platform={}),
        change(platform={"processors": "10"}),
        change(conversions={}),
        change(conversions=[{"name": "week"}]),
        change(workload={"digest": "7551", "case": None}),
        change(workload={"digest": "../" * 21 + "x", "case": None}),
        change(workload={"digest": "7551e48cece1b8a074ee8e2dd5864afb454ee9f379cc48f283fb72c028ec03ad"}),
        change(workload={"digest": "7551e48cece1b8a074ee8e2dd5864afb454ee9f379cc48f283fb72c028ec03ad", "case": 0}),
        change(workload={"generator": "lublin", "parameters": {}, "seed": None}),
        RIGID.replace('"seed":0', '"seed":NaN'),
        "[" * 100_000,
    ],
)
def test_a_text_that_is_no_canonical_spec_is_refused(text):
    with pytest.raises(QuestionError) as refusal:
        RunSpec.from_json(text)

    assert "run spec" in str(refusal.value)


def test_generated_workload_is_named_by_its_question():
    text = change(workload={"generator": "lublin", "parameters": {"jobs": 10, "load": 0.5}, "seed": 7})

    assert RunSpec.from_json(text).json == text
