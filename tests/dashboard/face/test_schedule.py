"""Schedules in a script: the same figures as the command line, tables with `len`, short texts."""

from __future__ import annotations

import json
import pickle

import pandas as pd
import pytest

import shadowtime as st
from shadowtime.dashboard.cli import main
from shadowtime.engine.errors import InvalidParameter

WORKLOAD = st.generate("lublin", {"jobs": 200, "load": 0.8}, seed=7)


@pytest.fixture(scope="module")
def schedule():
    return st.simulate(WORKLOAD, "easy", {"extra": "first"})


def test_figures_are_those_of_the_command_line(schedule, capsys):
    question = "simulate lublin:jobs=200,load=0.8 -a easy -p extra=first --seed 7 --json"
    assert main(question.split()) == 0
    summary = json.loads(capsys.readouterr().out)

    assert dict(schedule.metrics()) == summary["metrics"]
    assert dict(schedule.bounds()) == summary["bounds"]
    assert schedule.bounds().names == summary["bound_names"]
    assert dict(st.bounds(WORKLOAD)) == summary["bounds"]  # every job finished


def test_tables_have_rows_and_columns(schedule):
    jobs = schedule.jobs

    assert len(jobs) == 200 and list(jobs)[:3] == ["job_id", "release", "start"]
    assert pd.DataFrame(jobs)["start"].tolist() == jobs.to_frame()["start"].tolist() == jobs["start"].tolist()
    assert {**jobs}.keys() == jobs.keys() and len(pickle.loads(pickle.dumps(jobs))) == 200
    assert set(schedule.events.to_frame()["kind"].unique()) >= {"submit", "start", "end"}
    assert len(schedule.rates) == 0 and not schedule.rates


@pytest.mark.parametrize("name", ["jobs", "segments", "events", "series"])
def test_columns_are_read_only_and_copies_are_not(schedule, name):
    table = schedule.table(name)
    for column in table.values():
        with pytest.raises(ValueError, match="read-only"):
            column[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        schedule.jobs["release"] /= 3600

    copied, frame, plain = table.copy(), table.to_frame(), pd.DataFrame(table)
    key = next(name for name, column in table.items() if column.dtype.kind == "f")
    for changed in (table[key].copy(), frame[key], plain[key]):
        changed[:] = 7.0
    assert copied.keys() == table.keys() and schedule.table(name)[key].tolist() == table[key].tolist()
    assert 7.0 not in WORKLOAD.jobs["release"] and WORKLOAD.jobs["release"].flags.writeable


def test_what_is_printed_is_short(schedule):
    comparison = st.compare(WORKLOAD, ["fcfs", "easy"])
    shown = [schedule, schedule.jobs, WORKLOAD, comparison, schedule.gantt()]

    assert max(len(repr(one)) for one in shown) < 200
    assert repr(schedule) == "<schedule of lublin:jobs=200,load=0.8 by easy on 128 lanes: 200 of 200 jobs finished>"


def test_notebooks_show_tables(schedule):
    shown = [schedule.jobs, schedule.metrics(), schedule.bounds(), WORKLOAD, st.algorithms()]
    for one in (*shown, st.compare(WORKLOAD, ["easy"])):
        assert "<table" in one._repr_html_()


def test_algorithms_stand_side_by_side(schedule):
    comparison = st.compare(WORKLOAD, ["fcfs", ("easy", {"extra": "first"})])

    frame = comparison.to_frame()
    assert list(comparison) == ["fcfs", "easy extra=first"] and len(comparison) == 2
    assert frame.loc["makespan", "easy extra=first"] == schedule.metrics()["makespan"]
    assert frame.loc["makespan", "bound"] == schedule.bounds()["makespan"]
    for algorithms in ([], ["easy", "easy"]):
        with pytest.raises(InvalidParameter):
            st.compare(WORKLOAD, algorithms)


def test_tau_of_the_run_goes_into_its_figures():
    long = st.simulate(WORKLOAD, "easy", tau=1e6).metrics()["max_bounded_stretch"]

    assert long < st.simulate(WORKLOAD, "easy", tau=1.0).metrics()["max_bounded_stretch"]


class Greedy(st.Policy):
    """Start what fits, in order of submission."""

    def decide(self, desk):
        for job in list(desk.waiting):
            free = desk.free_lanes()
            if desk.size(job) <= len(free):
                desk.place(job, free[: desk.size(job)])


def test_a_registered_policy_is_an_algorithm_like_others():
    assert st.register(Greedy, "greedy-test") is Greedy
    st.register(Greedy, "greedy-test")  # the same cell once more

    assert st.algorithms()["greedy-test"].summary == "Start what fits, in order of submission"
    named, given = st.simulate(WORKLOAD, "greedy-test"), st.simulate(WORKLOAD, Greedy)
    assert named.jobs["start"].tolist() == given.jobs["start"].tolist()
    assert given.algorithm == "Greedy"


@pytest.mark.parametrize(
    ("what", "slug", "sentence"),
    [
        (Greedy, "easy", "there is an algorithm 'easy' already"),
        (Greedy, "My policy", "lower case letters"),
        (Greedy, None, "lower case letters"),
        (object, "nothing", "a class with decide"),
    ],
)
def test_a_wrong_registration_is_refused(what, slug, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        st.register(what, slug)


def test_files_are_read_by_path_and_case(four_swf, tmp_path):
    assert st.simulate(st.read(four_swf), "easy").jobs["start"].tolist() == [0.0, 100.0, 110.0, 3.0]
    with pytest.raises(FileNotFoundError):
        st.read(tmp_path / "absent.swf")
    document = {"kind": "two_tier", "cases": [{"name": name, "processors": 2, "jobs": [
        {"processes": 1, "runtime": 5, "usage": [1.0], "phi": [0.0]}]} for name in ("a", "b")]}  # fmt: skip
    (tmp_path / "two.json").write_text(json.dumps(document))
    assert st.read(f"{tmp_path}/two.json#b").name == st.read(tmp_path / "two.json", "b").name == "two.json#b"
