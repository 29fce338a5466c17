"""JSON instances: what a file is, which case is meant, and what each kind becomes."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.errors import InvalidWorkload, QuestionError, UnknownName
from shadowtime.engine.workload.job import Clock, Workload
from shadowtime.engine.workload.reading import cases, read
from tests.engine.golden import FOLDER, golden_files
from tests.strategies import spoil

DATA = ("allocation", "feasibility", "mcb8", "background_rate", "metrics")
RIGID = {
    "kind": "rigid",
    "processors": 10,
    "jobs": [
        {"id": 7, "submit": 3, "runtime": 50, "processors": 4, "requested": 60, "weight": 2.5, "user": 3},
        {"id": 8, "runtime": 1.5, "processors": 12},
    ],
}
TWO_TIER = {
    "kind": "two_tier",
    "cases": [
        {
            "name": "pair",
            "processors": 3,
            "migration_cost": 20,
            "jobs": [
                {"id": 2, "submit": 5, "processes": 1, "runtime": 4, "estimate": 6, "usage": [1], "phi": [0.8]},
                {"id": 1, "submit": 0, "processes": 2, "runtime": 9, "estimate": 9, "usage": [0.5, 0.7],
                 "phi": [0.3, 0.2], "loss": 0.04},
            ],
        }
    ],
}  # fmt: skip
FRACTIONAL = {
    "kind": "simulation",
    "cases": [
        {"name": "a", "period": 600, "penalty": 300, "instance": {"nodes": 2, "jobs": [
            {"id": 1, "release": 4, "tasks": 3, "cpu_need": 0.25, "memory": 0.1, "runtime": 100}]}},
        {"name": "b", "tau": 0, "instance": {"nodes": 1, "jobs": [
            {"tasks": 1, "cpu_need": 1, "memory": 0, "runtime": 100}]}},
    ],
}  # fmt: skip


def instance(document: Any, case: str | None = None) -> Workload:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    return read(BytesIO(text), "file.json", case)


def refusal(document: Any, case: str | None = None) -> str:
    with pytest.raises(InvalidWorkload) as caught:
        instance(document, case)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("file.json was not read: ")


def changed(document: dict, *path, **changes) -> dict:
    """A copy of `document` with keys changed in what `path` leads to; None removes a key."""
    copy = json.loads(json.dumps(document))
    node = copy
    for step in path:
        node = node[step]
    node.update(changes)
    for key in [key for key, value in changes.items() if value is None]:
        del node[key]
    return copy


def test_rigid_jobs_by_submission_with_defaults():
    workload = instance(RIGID)

    assert workload.kind == "rigid" and workload.machine == {"processors": 10}
    assert {name: values.tolist() for name, values in workload.jobs.items() if name != "requested"} == {
        "job_id": [8, 7],
        "release": [0, 3],
        "runtime": [1.5, 50],
        "processors": [12, 4],
        "weight": [1, 2.5],
        "user": [-1, 3],
    }
    assert np.array_equal(workload.jobs["requested"], [np.nan, 60], equal_nan=True)
    assert workload.has_estimates and workload.name == "file.json" and workload.source["case"] is None


def test_ids_are_positions_from_one_where_there_are_none():
    jobs = [{"runtime": 1, "processors": 1}] * 3

    assert instance({"kind": "rigid", "jobs": jobs}).jobs["job_id"].tolist() == [1, 2, 3]


def test_a_clock():
    clock = {"unix_start": 1e9, "utc_offset": -3600, "zone": "US/Eastern"}

    assert instance(changed(RIGID, clock=clock)).clock == Clock(1e9, -3600, "US/Eastern")


def test_two_tier_jobs_with_their_processes():
    workload = instance(TWO_TIER)

    assert workload.kind == "two_tier" and workload.name == "file.json#pair"
    assert workload.machine == {"processors": 3, "migration_cost": 20.0}
    assert workload.jobs["job_id"].tolist() == [1, 2]
    assert workload.jobs["processors"].tolist() == [2, 1]
    assert workload.jobs["requested"].tolist() == [9, 6]
    assert workload.jobs["loss"].tolist() == [0.04, 0]
    assert workload.parts["first"].tolist() == [0, 2, 3]
    assert workload.parts["usage"].tolist() == [0.5, 0.7, 1]
    assert workload.parts["phi"].tolist() == [0.3, 0.2, 0.8]


def test_fractional_jobs():
    workload = instance(FRACTIONAL, "a")

    assert workload.kind == "fractional"
    assert workload.machine == {"nodes": 2, "period": 600.0, "penalty": 300.0}
    assert {name: workload.jobs[name].tolist() for name in ("release", "processors", "cpu_need", "memory")} == {
        "release": [4], "processors": [3], "cpu_need": [0.25], "memory": [0.1],
    }  # fmt: skip
    assert not workload.has_estimates and np.isnan(workload.jobs["requested"]).all()


def test_so_many_cases_are_too_many():
    text = b'{"kind": "simulation", "cases": [' + b",".join([b"{}"] * 10_001) + b"]}"

    with pytest.raises(InvalidWorkload, match="it holds 10,001 cases; 10,000 is the most"):
        cases(BytesIO(text))


def test_a_case_by_name_or_position_is_the_same_question():
    assert instance(FRACTIONAL, "1").source == instance(FRACTIONAL, "b").source
    assert instance(FRACTIONAL, "b").machine == {"nodes": 1, "tau": 0.0}
    assert cases(BytesIO(json.dumps(FRACTIONAL).encode())) == ["a", "b"]


def test_cases_without_names_are_addressed_by_position():
    nameless = changed(changed(FRACTIONAL, "cases", 0, name=None), "cases", 1, name=None)

    assert cases(BytesIO(json.dumps(nameless).encode())) == ["0", "1"]
    assert instance(nameless, "1").name == "file.json#1"


def test_names_that_do_not_serve_give_way_to_positions():
    for name in ("b", "two\nlines", "x" * 100, "", 7):
        odd = changed(FRACTIONAL, "cases", 0, name=name)
        assert cases(BytesIO(json.dumps(odd).encode()))[0] == ("7" if name == 7 else "0")


def test_many_cases_want_a_name():
    assert refusal(FRACTIONAL) == refusal(FRACTIONAL, "") == "it holds 2 cases; add # and one of a, b."
    with pytest.raises(UnknownName, match="unknown case 'c'; known: a, b"):
        instance(FRACTIONAL, "c")
    with pytest.raises(UnknownName):
        instance(FRACTIONAL, "2")
    with pytest.raises(UnknownName):
        instance(FRACTIONAL, "9" * 400)
    with pytest.raises(UnknownName):
        instance(FRACTIONAL, "0000000009")


def test_a_case_of_what_has_none():
    assert refusal(RIGID, "a") == "it is one instance and has no case 'a'."
    assert refusal(b"; MaxProcs: 1\n", "a").startswith("only JSON instances have cases, and")
    assert cases(BytesIO(b"; MaxProcs: 1\n")) == []
    assert cases(BytesIO(json.dumps(RIGID).encode())) == []


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (b"{", "line 1, column 2 is not JSON: Expecting property name enclosed in double quotes."),
        (b"[1, 2]", "a JSON instance must be an object with `kind` or `schema`."),
        (b'{"kind": "rigid", "jobs": \xff}', "its text is not UTF-8."),
        (b'{"a": ' * 100_000, "its JSON is nested too deeply."),
        (b'{"a": NaN}', "its JSON holds NaN, which is no number of JSON."),
        ({"jobs": []}, "its JSON has no `kind`, which names the kind of workload."),
        ({"kind": ["rigid"]}, "its JSON has no `kind`, which names the kind of workload."),
        ({"kind": "mcb8"}, "its kind 'mcb8' is data for tests of single steps, not a workload."),
        ({"kind": "rigit"}, "its kind 'rigit' is not known; workloads are rigid, two_tier, simulation, stretch_bound"),
        ({"schema": "golden-synchpack-1", "kind": "unit_psrs"}, "its kind 'unit_psrs' is data for tests"),
        ({"kind": "rigid"}, "`jobs` must be a list of objects."),
        ({"kind": "rigid", "jobs": [3]}, "`jobs` must be a list of objects."),
        ({"kind": "rigid", "jobs": []}, "`jobs` is empty."),
        ({"kind": "rigid", "cases": []}, "`cases` must be a list of objects."),
        (changed(RIGID, "jobs", 1, runtime=None), "job 2 of the list has no `runtime`."),
        (changed(RIGID, "jobs", 1, runtime=-5), "job 2 of the list: runtime is -5; it must be a number above 0"),
        (changed(RIGID, "jobs", 1, runtime=True), "job 2 of the list: runtime is True; it must be a number"),
        (changed(RIGID, "jobs", 1, runtime="9\n"), "job 2 of the list: runtime is '9\\n'; it must be a number"),
        (changed(RIGID, "jobs", 1, runtime=10**400), "job 2 of the list: runtime is 1000"),
        (changed(RIGID, "jobs", 0, processors=1.5), "job 1 of the list: processors is 1.5; it must be a whole number"),
        (changed(RIGID, "jobs", 0, processors=2**31), "processors is 2147483648; it must be a whole number from 1 to"),
        (changed(RIGID, "jobs", 0, submit=-1), "job 1 of the list: submit is -1; it must be a number from 0"),
        (changed(RIGID, processors=0), "processors is 0; it must be a whole number from 1"),
        (changed(TWO_TIER, "cases", 0, "jobs", 1, usage=[0.5]), "usage must list 2 values, one a process."),
        (changed(TWO_TIER, "cases", 0, "jobs", 1, usage=[0.5, 0]), "job 2 of the list: a value of usage is 0;"),
        (changed(TWO_TIER, "cases", 0, "jobs", 0, phi=[1.5]), "job 1 of the list: a value of phi is 1.5;"),
        (changed(TWO_TIER, "cases", 0, "jobs", 0, estimate=3), "estimate is 3; it must be at least the runtime 4"),
        (changed(FRACTIONAL, "cases", 0, instance=None), "a fractional case needs an `instance`"),
        (changed(FRACTIONAL, "cases", 0, "instance", nodes=None), "nodes is None; it must be a whole number"),
    ],
)  # fmt: skip
def test_refusals_name_place_value_and_rule(document, sentence):
    case = "a" if isinstance(document, dict) and document.get("kind") == "simulation" else None

    assert sentence in refusal(document, case)


WORKLOADS = [path for kind in ("two_tier", "simulation", "stretch_bound") for path in golden_files(kind)]


@pytest.mark.parametrize("path", WORKLOADS, ids=lambda path: path.stem)
def test_every_golden_case_is_a_workload(path):
    document = json.loads(path.read_text())
    for position, case in enumerate(document["cases"]):
        workload = read(BytesIO(path.read_bytes()), path.name, str(position))

        jobs = case["jobs"] if "jobs" in case else case["instance"]["jobs"]
        assert workload.kind == ("two_tier" if document["kind"] == "two_tier" else "fractional")
        assert sorted(workload.jobs["job_id"].tolist()) == [job["id"] for job in jobs]
        assert workload.source["case"] == case["name"]


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.json")), ids=lambda path: path.stem)
def test_every_other_golden_file_is_told_apart(path):
    document = json.loads(path.read_text())
    kind = document.get("kind", "")
    if kind in DATA or kind.startswith("unit_"):
        assert "data for tests" in refusal(path.read_bytes())
        return
    said = document.get("schema") or kind
    expected = {"golden-demt-1": "moldable", "golden-synchpack-1": "multitask", "two_tier": "two_tier",
                "simulation": "fractional", "stretch_bound": "fractional",
                "golden-batch-1": "rigid"}.get(said, "classed")  # fmt: skip
    case = "5" if kind == "pjs_site" else "0" if "cases" in document else None

    assert read(BytesIO(path.read_bytes()), path.name, case).kind == expected


@given(st.data())
def test_a_spoilt_instance_is_read_or_refused(data):
    document = changed(data.draw(st.sampled_from([RIGID, TWO_TIER, FRACTIONAL])))
    spoil(data, document, '"x"', '{"id": 1}')
    try:
        assert len(instance(document, data.draw(st.sampled_from([None, "a", "0", "1"])))) >= 1
    except QuestionError as refused:
        assert "\n" not in str(refused)


def test_keys_that_mean_nothing_are_named():
    job = {"runtime": 5.0, "processors": 1}

    report = instance({"kind": "rigid", "jobs": [job, job | {"requsted": 9, "name": "a"}]}).report[0]

    assert report == "2 jobs read. Keys of jobs that mean nothing here: name, requsted."
