"""Schedules in a script: the same figures as the command line, tables with `len`, short texts."""

from __future__ import annotations

import io
import json
import pickle

import pandas as pd
import pytest

import shadowtime as st
from shadowtime.dashboard.cli import main
from shadowtime.engine.errors import InvalidParameter, InvalidWorkload

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


def test_open_texts_and_pipes_are_read(four_swf):
    expected = [0.0, 1.0, 2.0, 3.0]

    class Pipe(io.BytesIO):
        def seekable(self):
            return False

        def seek(self, *place):
            raise io.UnsupportedOperation("seek")

    content = four_swf.read_bytes()
    with four_swf.open() as text:
        for stream in (text, io.StringIO(content.decode()), Pipe(content), io.BytesIO(content)):
            assert st.read(stream).jobs["release"].tolist() == expected


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (None, "path is of type NoneType, but it must name a file, or be an open one"),
        (b"; MaxProcs: 10", "path is of type bytes, but it must name a file, or be an open one: hand over io.BytesIO"),
        (io.TextIOWrapper(io.BytesIO(b"\xff\x1f"), "utf-8"), "open it with mode 'rb'"),
    ],
)
def test_what_names_no_file_is_refused(path, sentence):
    with pytest.raises(InvalidWorkload) as refused:
        st.read(path)

    assert sentence in str(refused.value)


def test_samples_are_read_by_name_where_no_file_has_it(tmp_path, monkeypatch, four_swf):
    monkeypatch.chdir(tmp_path)
    assert len(st.read("four")) == 4 and st.read("four").name == "four.swf"
    cases = ["job10_reaches_foreground", "job10_reaches_foreground"]
    assert [st.read(f"figure1#{cases[0]}").name, st.read("figure1", cases[1]).name] == [st.read("figure1").name] * 2

    other = "\n".join(four_swf.read_text().splitlines()[:-1])
    (tmp_path / "four").write_text(other)
    assert len(st.read("four")) == 3
    with pytest.raises(FileNotFoundError):
        st.read("five")


def test_a_conversion_takes_workloads_only():
    with pytest.raises(InvalidWorkload, match="workload = 'lublin:jobs=10', but it must be a Workload"):
        st.convert("lublin:jobs=10", "week")


class OnFreeMachines(st.Policy):
    """Run classed jobs on free machines in order, each for its time on the best one."""

    kinds = ("classed",)
    clairvoyant = True

    def decide(self, desk):
        for job, lane in zip(list(desk.waiting), desk.free_lanes(), strict=False):
            desk.allot(job, 1, desk.runtime(job))
            desk.place(job, [lane])


def test_a_policy_of_ones_own_runs_classed_jobs_without_naming_clusters():
    workload = st.generate("classed", {"jobs": 10}, seed=1)
    schedule = st.simulate(workload, OnFreeMachines())

    assert (
        "parallel_share" not in schedule.metrics() and schedule.bounds()["makespan"] <= schedule.metrics()["makespan"]
    )
    assert "10 rectangles" in repr(schedule.gantt())
    assert "parallel_share" in st.compare(workload, ["olb", OnFreeMachines()]).to_frame().index
