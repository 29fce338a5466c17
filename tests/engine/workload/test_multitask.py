"""Jobs of tasks: read, drawn, made of other workloads, selected and written."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter, InvalidPlatform, InvalidWorkload
from shadowtime.engine.families.multitask.workload import MIGRATORY, NONPREEMPTIVE, SINGLE, is_single, regime, too_large
from shadowtime.engine.platform import Platform
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Clock
from shadowtime.engine.workload.offered import offered_load
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.samples import find_sample
from shadowtime.engine.workload.writers import write_json

DOCUMENT = {
    "schema": "golden-synchpack-1",
    "kind": "multi_machine_nonpreemptive",
    "capacities": [4, 2.0],
    "jobs": [{"w": 2}, {"w": 3, "release": 0}, {"release": 5}],
    "tasks": [
        {"job": 1, "a": 3, "p": {"1": 4, "0": 6}},
        {"job": 0, "a": 1, "p": {"0": 2}},
        {"job": 2, "a": 1.5, "p": {"1": 7.5}},
        {"job": 1, "a": 1, "p": {"1": 4}},
    ],
}


def workload(document=DOCUMENT):
    return read(BytesIO(json.dumps(document).encode()), "file.json")


def changed(**changes):
    return {**json.loads(json.dumps(DOCUMENT)), **changes}


def test_tasks_are_put_under_their_jobs_and_keep_their_position():
    made = workload()

    assert made.kind == "multitask" and made.machine == {"nodes": 2, "regime": NONPREEMPTIVE}
    assert made.jobs["job_id"].tolist() == [0, 1, 2] and made.jobs["weight"].tolist() == [2, 3, 1]
    assert made.jobs["processors"].tolist() == [1, 2, 1] and made.jobs["runtime"].tolist() == [2, 6, 7.5]
    assert made.parts["first"].tolist() == [0, 1, 3, 4] and made.parts["task"].tolist() == [1, 0, 3, 2]
    assert made.parts["machine"].tolist() == [0, 0, 1, 1], "machine 1 is too small for the task of size 3"
    assert made.report[0] == "1 place too small for the task was left out."


@pytest.mark.parametrize("kind", ["another", {}, ["multi_machine_nonpreemptive"], 3])
def test_a_kind_that_says_no_regime_is_none(kind):
    assert "regime" not in workload(changed(kind=kind)).machine


def test_a_task_too_large_for_all_its_machines_makes_its_job_too_large():
    made = workload(changed(tasks=[{**task, "a": 3} for task in DOCUMENT["tasks"]]))

    assert too_large(made).tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"capacities": []}, "`capacities` must list one number a machine."),
        ({"capacities": [4, 0]}, "capacity 2 of the list is 0; it must be a number above 0 and at most"),
        ({"jobs": [{"w": 1}, {"w": 1}, {"w": 1}, {"w": 1}]}, "job 4 of the list has no task."),
        ({"tasks": [{"job": 7, "a": 1, "p": {"0": 1}}]}, "task 1 of the list: job is 7"),
        ({"tasks": [{"job": 0, "a": 1, "p": {}}]}, "task 1 of the list: p must name a time on at least one machine."),
        ({"tasks": [{"job": 0, "a": 1, "p": {"2": 1}}]}, "task 1 of the list names machine '2'; machines are 0 to 1."),
        ({"tasks": [{"job": 0, "a": 1, "p": {"0": 0}}]}, "task 1 of the list: a time of p is 0"),
        ({"tasks": [{"job": 0, "a": 1, "p": {"0": 1, "00": 2}}]}, "task 1 of the list names a machine twice."),
    ],
)
def test_what_is_wrong_is_named(change, sentence):
    with pytest.raises(InvalidWorkload) as caught:
        workload(changed(**change))
    assert sentence in str(caught.value)


def test_written_and_read_again_it_is_the_same():
    for made in (workload(), generate("multitask", {"jobs": 20, "local": 2, "remote": 1, "load": 0.5}, 3)):
        stream = BytesIO()
        write_json(made, stream)
        stream.seek(0)
        again = read(stream, "again.json")

        assert again.machine == made.machine
        for name, column in made.jobs.items():
            assert np.array_equal(again.jobs[name], column, equal_nan=True), name
        for name in set(made.parts) - {"task"}:
            assert np.array_equal(again.parts[name], made.parts[name]), name


def test_the_regime_is_what_the_file_says_or_what_its_tasks_allow():
    assert regime(workload()) == NONPREEMPTIVE
    assert regime(generate("multitask", {"jobs": 5})) == SINGLE
    assert regime(generate("multitask", {"jobs": 5, "local": 2, "migration": True})) == MIGRATORY
    assert regime(generate("multitask", {"jobs": 5, "local": 2})) == NONPREEMPTIVE


def test_drawn_jobs_follow_their_parameters():
    made = generate("multitask", {"jobs": 400, "machines": 12, "local": 3, "remote": 2, "remote_factor": 2.5}, 1)
    parts = made.parts
    times = parts["time"].reshape(-1, 5)

    assert (np.diff(parts["options"]) == 5).all() and len(np.unique(parts["machine"])) == 12
    assert (np.diff(parts["machine"].reshape(-1, 5), axis=1) > 0).all()
    fastest = times.min(axis=1, keepdims=True)
    assert ((times == fastest).sum(axis=1) == 3).all() and (np.isin(times, [fastest, np.ceil(2.5 * fastest)])).all()
    assert made.jobs["processors"].mean() == pytest.approx(10, rel=0.15) and made.jobs["processors"].max() <= 200
    assert (made.jobs["release"] == 0).all() and set(made.jobs["weight"]) <= {1, 2, 3, 5, 9, 10, 11, 12}


def test_a_load_spreads_the_jobs():
    made = generate("multitask", {"jobs": 300, "machines": 20, "load": 0.8}, 2)

    assert offered_load(made.jobs, 20) == pytest.approx(0.8, rel=1e-2)
    assert offered_load(convert(made, "load", {"rho": 1.6}).jobs, 20) == pytest.approx(1.6, rel=1e-2)


def test_too_few_machines_for_the_places_of_a_task():
    with pytest.raises(InvalidParameter, match="a task cannot have 3 local and 2 remote of 4 machines"):
        generate("multitask", {"jobs": 2, "machines": 4, "local": 3, "remote": 2})


def test_rigid_jobs_become_tasks():
    log = find_sample("four").read()
    made = convert(log, "multitask", {"machines": 6, "max_tasks": 8})

    assert made.kind == "multitask" and made.jobs["job_id"].tolist() == [1, 3, 4]
    assert made.jobs["processors"].tolist() == [6, 4, 4] and made.jobs["runtime"].tolist() == [100, 1000, 50]
    assert made.conversions[0]["name"] == "multitask" and made.source == log.source
    later = convert(log, "multitask", {"machines": 6, "at_once": False})
    assert later.jobs["release"].tolist() == [0, 1, 2, 3]


def test_dates_and_users_of_a_log_are_kept():
    four = find_sample("four").read()
    jobs = {**four.jobs, "release": four.jobs["release"] + 600_000.0, "user": np.array([0, 1, 0, 1])}
    log = four.with_(jobs=jobs, clock=Clock(1e9), texts={"user": ("ann", "bob")})
    made = convert(log, "multitask", {"machines": 6, "at_once": False})

    assert (made.clock.unix_start + made.jobs["release"]).tolist() == (1e9 + jobs["release"]).tolist()
    assert made.texts == log.texts
    stream = BytesIO()
    write_json(made, stream)
    again = read(BytesIO(stream.getvalue()), "again.json")
    assert again.clock == made.clock and again.jobs["user"].tolist() == [0, 1, 0, 1]


def test_jobs_with_few_tasks_can_be_left_out():
    log = find_sample("four").read()
    tasks = log.jobs["processors"]
    made = convert(log, "multitask", {"machines": 8, "min_tasks": 5})

    assert (tasks < 5).any() and made.jobs["job_id"].tolist() == log.jobs["job_id"][tasks >= 5].tolist()
    assert "with 5 to 200 tasks" in " ".join(made.report)
    assert made.conversions[0]["parameters"]["min_tasks"] == 5
    assert "min_tasks" not in convert(log, "multitask", {"min_tasks": 1}).conversions[0]["parameters"]


def test_a_week_keeps_tasks_with_their_jobs():
    made = generate("multitask", {"jobs": 60, "local": 2, "load": 0.00002}, 4)
    week = convert(made, "week", {"k": 1})
    rows = np.flatnonzero(np.isin(made.jobs["job_id"], week.jobs["job_id"]))

    assert 0 < len(week) < 60
    assert week.parts["size"].tolist() == np.concatenate(
        [made.parts["size"][made.parts["first"][i] : made.parts["first"][i + 1]] for i in rows]
    ).tolist()  # fmt: skip
    assert week.parts["options"][-1] == len(week.parts["machine"]) == 2 * len(week.parts["size"])
    assert week.parts["capacity"] is made.parts["capacity"]


def test_its_tasks_name_their_machines_so_another_platform_is_refused():
    made = generate("multitask", {"jobs": 3})

    assert Platform.of(made).lanes == 30 and Platform.of(made, {"nodes": 30}).lanes == 30
    with pytest.raises(InvalidPlatform, match="bound to 30 machines"):
        Platform.of(made, {"nodes": 31})
    assert is_single(made)
