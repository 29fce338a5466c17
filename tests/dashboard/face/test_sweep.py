"""Sweeps of a script: the same figures from processes, threads and any other executor."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import pickle
import re
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import shadowtime as st
from shadowtime.dashboard.cli import main
from shadowtime.dashboard.face import sweep as sweeps
from shadowtime.dashboard.face.progress import Bar
from shadowtime.engine.errors import InvalidPlatform, QuestionError
from shadowtime.engine.parameters import Choice
from tests.engine.kernel.throwaway import Fcfs

QUESTION = {
    "workloads": ["lublin:jobs=60,load=0.8", st.generate("uniform", {"jobs": 40}, seed=2)],
    "seeds": [1, 2, 3],
    "algorithms": ["fcfs", "easy"],
}


class Patient(Fcfs, st.Policy):
    """Start jobs in order of submission."""


class Far(Executor):
    """An executor of another machine: all that goes there and comes back is bytes."""

    def __init__(self):
        self.sent = 0

    def submit(self, function, /, *arguments):
        content = pickle.dumps((function, arguments))
        self.sent = max(self.sent, len(content))
        called, given = pickle.loads(content)
        future = Future()
        future.set_result(pickle.loads(pickle.dumps(called(*given))))
        return future


def frames(sweep):
    return sweep.runs, sweep.points


@pytest.fixture(scope="module")
def expected():
    return st.sweep(QUESTION, processes=2, progress=False)


SPAWN = multiprocessing.get_context("spawn")
EXECUTORS = {"threads": lambda: ThreadPoolExecutor(2), "processes": lambda: ProcessPoolExecutor(1, mp_context=SPAWN),
             "pickled": Far}  # fmt: skip


def test_the_load_of_jobs_without_a_machine_is_measured_on_all_cores_of_the_sweep():
    jobs = pd.DataFrame({"release": range(40), "runtime": 60.0, "processors": 2})
    question = {"workloads": [st.Workload.from_frame(jobs)], "loads": [0.5], "nodes": 4, "cores_per_node": 8}
    found = st.sweep({**question, "algorithms": ["easy"]}, processes=1, progress=False)

    assert found.runs["offered_load"].tolist() == [0.5] and not found.failures


@pytest.mark.parametrize("name", EXECUTORS)
def test_every_executor_gives_the_same_figures(name, expected):
    with EXECUTORS[name]() as executor:
        found = st.sweep(QUESTION, executor=executor, progress=False)
        assert executor.submit(len, "ab").result() == 2  # it stays open

    for one, other in zip(frames(found), frames(expected), strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert repr(found) == "<sweep of 12 runs in 4 points>" and found.failures == {}


def test_a_run_of_a_sweep_has_the_figures_of_simulate(expected):
    workload = st.generate("lublin", {"jobs": 60, "load": 0.8}, seed=2)
    row = expected.runs.query("seed == 2 and algorithm == 'easy' and workload == 'lublin:jobs=60,load=0.8'").iloc[0]

    metrics = st.simulate(workload, "easy").metrics()
    assert {name: row[name] for name in metrics} == dict(metrics)


def test_a_policy_of_ones_own_goes_along():
    st.register(Patient, "patient-test")
    far = Far()
    question = {"workloads": ["lublin:jobs=60"], "algorithms": ["patient-test", "fcfs"]}
    found = st.sweep(question, executor=far, progress=False)

    own, ours = (found.runs[found.runs["algorithm"] == name].iloc[0] for name in ("patient-test", "fcfs"))
    assert own["mean_wait"] == ours["mean_wait"] and far.sent < 4000


def test_files_stand_beside_the_question(four_swf):
    toml = four_swf.with_name("sweep.toml")
    toml.write_text('workloads = ["four.swf"]\nalgorithms = ["fcfs", "easy"]\n')

    assert st.sweep(toml, progress=False, processes=1).points["mean_wait_mean"].tolist() == [78.5, 51.75]
    with pytest.raises(QuestionError, match="there is no file 'five"):
        st.sweep({"workloads": ["five.swf"], "algorithms": ["easy"]})
    with pytest.raises(QuestionError, match="unknown key 'workload'"):
        st.sweep({"workload": ["uniform"], "algorithms": ["easy"]})


NOWHERE = {
    "workloads": {"nowhere": st.Workload.from_frame(pd.DataFrame({"runtime": [5.0], "processors": [2]}))},
    "algorithms": ["easy"],
}


def test_a_workload_without_a_machine_is_refused_before_any_run():
    with pytest.raises(InvalidPlatform, match=r"^nowhere: .* name them as `processors` in the question$"):
        st.sweep(NOWHERE, progress=False)
    assert not st.sweep({**NOWHERE, "processors": 2}, processes=1, progress=False).failures


def test_a_run_that_fails_says_why_and_the_others_stand():
    with ThreadPoolExecutor(1) as executor:
        found = st.sweep({**NOWHERE, "convert": ["estimates"]}, executor=executor, progress=False)

    assert repr(found) == "<sweep of 1 runs in 1 points, 1 failed>"
    assert "does not say how many processors" in next(iter(found.failures))


class Failing(st.Policy):
    """Raise what its parameter says."""

    parameters = (Choice("how", "lines", "What ends its run.", choices=dict.fromkeys(("lines", "exit", "end"), "")),)

    def __init__(self, how):
        self.how = how

    def decide(self, desk):
        if self.how == "exit":
            raise SystemExit(3)
        if self.how == "end":
            os._exit(3)
        raise ValueError("one line\nand another")


@pytest.mark.parametrize("executor", [None, "threads"])
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("lines", "the policy failing-test raised ValueError: one line and another"),
        ("exit", "the policy failing-test raised SystemExit: 3"),
    ],
)
def test_a_failing_policy_is_named_and_its_traceback_is_logged_once(how, sentence, executor, caplog):
    st.register(Failing, "failing-test")
    failing = {"algorithm": "failing-test", "parameters": {"how": how}}
    question = {"workloads": ["uniform:jobs=20"], "seeds": [1, 2, 3], "algorithms": ["fcfs"], "variants": [failing]}
    with EXECUTORS["threads"]() as threads:
        found = st.sweep(question, executor=threads if executor else None, processes=2, progress=False)

    assert found.failures == {sentence: 3} and len(found.runs) == 6
    assert caplog.text.count("Traceback") == 1 and "in decide" in caplog.text
    assert len(caplog.records) == 1 and sentence in caplog.text


def test_a_policy_that_ends_its_process_fails_alone():
    st.register(Failing, "failing-test")
    failing = {"algorithm": "failing-test", "parameters": {"how": "end"}}
    question = {"workloads": ["uniform:jobs=20"], "seeds": [1, 2], "algorithms": ["fcfs"], "variants": [failing]}
    found = st.sweep(question, processes=2, progress=False)

    assert list(found.failures.values()) == [2]
    assert "or its code ended the process" in next(iter(found.failures))


def test_an_executor_that_breaks_is_an_error():
    class Broken(Far):
        def submit(self, function, /, *arguments):
            raise RuntimeError("cannot schedule new futures after shutdown")

    with pytest.raises(RuntimeError, match="after shutdown"):
        st.sweep(QUESTION, executor=Broken(), progress=False)


def test_progress_is_one_line_that_ends_full(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sweeps.sys, "stderr", stream)
    with ThreadPoolExecutor(1) as executor:
        st.sweep(QUESTION, executor=executor)

    last = stream.getvalue().rstrip("\n").split("\r")[-1]
    assert re.match(r"\|█{30}\| 12 of 12 runs, about 0 s left", last) and stream.getvalue().count("\n") == 1
    quiet = io.StringIO()
    with Bar(3, None) as bar:
        bar.update(3)
    assert quiet.getvalue() == ""


@pytest.mark.parametrize("processes", [0, -1, 1.5, True])
def test_a_wrong_number_of_processes_is_refused(processes):
    question = {"workloads": ["uniform:jobs=20"], "seeds": [1], "algorithms": ["fcfs"]}
    with pytest.raises(QuestionError, match=f"processes = '{processes}', but it must be a whole number from 1 on"):
        st.sweep(question, processes=processes, progress=False)


def test_ranges_and_arrays_are_lists():
    question = {
        "workloads": ("uniform:jobs=20",),
        "seeds": range(2),
        "loads": np.linspace(0.5, 0.9, 2),
        "processors": np.int64(64),
        "algorithms": np.array(["fcfs", "easy"]),
    }
    found = st.sweep(question, progress=False, processes=np.int64(1))
    arrays = st.sweep({**question, "seeds": np.arange(2), "loads": (0.5, 0.9)}, progress=False, processes=1)

    assert repr(found) == "<sweep of 8 runs in 4 points>" and not found.failures
    for one, other in zip(frames(found), frames(arrays), strict=True):
        pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("platform", [{"processors": np.int64(64)}, st.Platform(processors=np.int32(64))])
def test_a_platform_takes_integers_of_numpy(platform):
    schedule = st.simulate(QUESTION["workloads"][1], "fcfs", platform=platform)

    assert schedule.platform.as_dict() == {"processors": 64} and type(schedule.platform.processors) is int
    with pytest.raises(InvalidPlatform, match="must be a whole number"):
        st.simulate(QUESTION["workloads"][1], "fcfs", platform={"processors": np.float64(6.5)})


JOBS = QUESTION["workloads"][1]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"algorithms": [Patient()]}, "is the policy Patient: register its class under a name, st.register(Patient, '"),
        ({"algorithms": ["easy", Patient]}, "algorithms[1] is the policy Patient: register its class"),
        ({"workloads": JOBS}, "workloads is one workload: put it into a list, [workload]"),
        ({"workloads": JOBS.to_frame()}, "make a workload of it, [st.Workload.from_frame(frame)]"),
        ({"workloads": [JOBS.to_frame()]}, "make a workload of it, [st.Workload.from_frame(frame)]"),
        ({"workloads": {"mine": JOBS.to_frame()}}, "workloads['mine'] is of type DataFrame, but a mapping holds"),
        (
            {"workloads": [JOBS, JOBS.with_(report=())]},
            "two workloads have the name 'uniform:jobs=40': give each a name",
        ),
    ],
)
def test_objects_that_a_sweep_cannot_name_are_refused_with_the_way_out(changes, sentence):
    with pytest.raises(QuestionError) as refused:
        st.sweep({**QUESTION, **changes}, progress=False)

    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"question": None}, "question = 'None', but it must be a mapping, such as"),
        ({"question": QUESTION, "executor": 3}, "executor = '3', but it must be a concurrent.futures.Executor"),
    ],
)
def test_wrong_arguments_of_a_sweep_are_refused(arguments, sentence):
    with pytest.raises(QuestionError) as refused:
        st.sweep(**arguments)

    assert sentence in str(refused.value)


def test_a_mapping_names_two_workloads_of_one_name():
    workloads = {"first": JOBS, "second": st.convert(JOBS, "load", {"rho": 0.5})}
    found = st.sweep({"workloads": workloads, "algorithms": ["fcfs"]}, progress=False, processes=1)

    assert found.points["workload"].tolist() == ["first", "second"] and not found.failures


def test_samples_are_workloads_as_on_the_command_line(tmp_path, capsys):
    toml = tmp_path / "sweep.toml"
    toml.write_text('workloads = ["four"]\nalgorithms = ["fcfs"]\n')
    found = st.sweep(toml, progress=False, processes=1)

    assert not found.failures and found.points["workload"].tolist() == ["four"]
    assert main(["sweep", str(toml), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["points"][0]["workload"] == "four"
    with pytest.raises(QuestionError, match=r"no generator of that name; generators: .*; samples: four, figure1"):
        st.sweep({"workloads": ["figure7"], "algorithms": ["fcfs"]})


DRAWN = st.generate("uniform", {"jobs": 40}, seed=7)
CHANGED = DRAWN.with_(name="uniform:jobs=40 (changed a1b2c3)")


@pytest.mark.parametrize(
    "workloads",
    [[DRAWN], {"mine": DRAWN}, {"lublin": DRAWN}, {" a ": DRAWN}, [CHANGED]],
    ids=["list", "name", "generator", "blanks", "changed"],
)
def test_the_jobs_of_a_given_workload_run_whatever_its_name(workloads):
    found = st.sweep({"workloads": workloads, "algorithms": ["easy"]}, processes=1, progress=False)

    assert found.runs["mean_flow"].tolist() == [st.simulate(DRAWN, "easy").metrics()["mean_flow"]]


def test_a_conversion_of_drawn_jobs_keeps_its_kind():
    tiers = st.convert(DRAWN, "two_tier")
    found = st.sweep({"workloads": [tiers], "algorithms": ["measy"]}, processes=1, progress=False)

    assert found.runs["mean_flow"].tolist() == [st.simulate(tiers, "measy").metrics()["mean_flow"]]


def test_two_names_that_differ_by_blanks_are_one():
    with pytest.raises(QuestionError, match="workloads has 'a' twice"):
        st.sweep({"workloads": {"a": DRAWN, " a": JOBS}, "algorithms": ["easy"]}, progress=False)


def test_the_same_jobs_on_two_machines_are_two_workloads():
    jobs = pd.DataFrame({"release": [0, 1, 2], "runtime": [100, 10, 50], "processors": [6, 10, 4]})
    machines = {name: st.Workload.from_frame(jobs, processors=n) for name, n in {"small": 10, "large": 20}.items()}
    found = st.sweep({"workloads": machines, "algorithms": ["fcfs"]}, processes=1, progress=False)
    flows = [st.simulate(one, "fcfs").metrics()["mean_flow"] for one in machines.values()]

    assert found.runs["mean_flow"].tolist() == flows and flows[0] > flows[1]
    with pytest.raises(QuestionError, match="workloads has 'b' twice"):
        st.sweep({"workloads": {"a": DRAWN, "b": DRAWN}, "algorithms": ["fcfs"]}, progress=False)


def test_workloads_may_stand_in_an_array():
    found = st.sweep({"workloads": np.array(["four"]), "algorithms": ["fcfs"]}, processes=1, progress=False)

    assert found.points["workload"].tolist() == ["four"]
