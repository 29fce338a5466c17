"""Offline reports from a notebook: the run that the command line would name, and policies of one's own."""

from __future__ import annotations

import json
import shlex

import pytest

import shadowtime as st
from shadowtime.dashboard.cli import main
from shadowtime.dashboard.face.report import subject_of
from shadowtime.engine.errors import InvalidParameter
from tests.engine.kernel.throwaway import Fcfs

WORKLOAD = st.generate("uniform", {"jobs": 40}, seed=1)


class Mine(Fcfs):
    """A policy with a parameter."""

    def __init__(self, **given):
        self.given = given


def test_a_schedule_has_the_id_and_the_figures_of_the_command_line(tmp_path, capsys):
    text = st.simulate(WORKLOAD, "easy", seed=3).report(tmp_path / "easy.html").read_text(encoding="utf-8")
    assert main(["simulate", "uniform:jobs=40,seed=1", "-a", "easy", "--seed", "3", "--json"]) == 0
    run = json.loads(capsys.readouterr().out)["run"]

    assert f'<shadowtime-gantt run="{run}"' in text and "EASY on Uniform" in text
    assert "<span>shadowtime</span> <span>simulate</span>" in text


def test_a_policy_in_python_has_a_report_without_a_command(tmp_path):
    text = st.simulate(WORKLOAD, Mine, {"mark": "<b>"}).report(tmp_path / "mine.html").read_text(encoding="utf-8")

    assert "Mine on Uniform" in text and "no command line repeats this run" in text and "<dd><b>" not in text


@pytest.mark.parametrize(
    ("made", "seed", "repeats"),
    [
        (lambda: st.convert(WORKLOAD, "two_tier", seed=3), 3, True),
        (lambda: st.convert(WORKLOAD, "two_tier", seed=3), 0, False),
        (lambda: st.convert(st.convert(WORKLOAD, "two_tier"), "load", {"rho": 0.5}, seed=9), 0, True),
        (lambda: st.Workload.from_frame(st.convert(WORKLOAD, "two_tier").to_frame()), 0, True),
        (lambda: st.Workload.from_frame(st.convert(WORKLOAD, "two_tier", seed=3).to_frame()), 0, False),
        (lambda: st.Workload.from_frame(st.convert(WORKLOAD, "two_tier").to_frame().iloc[:9]), 0, False),
    ],
)
def test_a_command_and_an_id_are_given_only_where_they_repeat_the_run(tmp_path, made, seed, repeats):
    """The conversion to a load draws nothing, so that its seed does not matter."""
    text = st.simulate(made(), "measy", seed=seed).report(tmp_path / "measy.html").read_text(encoding="utf-8")

    assert ("no command line repeats this run" in text) is not repeats
    assert ("<span>shadowtime</span> <span>simulate</span>" in text) is repeats
    assert ("Digest of the configuration" in text) is repeats


def test_the_command_of_a_case_of_a_file_names_the_case_once(tmp_path, monkeypatch, capsys):
    jobs = [{"id": k, "release": 0, "processors": 1, "runtime": 10} for k in (1, 2)]
    cases = [{"name": name, "processors": 2, "jobs": jobs} for name in ("one", "two")]
    (tmp_path / "mine #1.json").write_text(json.dumps({"kind": "rigid", "cases": cases}))
    monkeypatch.chdir(tmp_path)

    subject = subject_of(st.simulate(st.read("mine #1.json", case="two"), "easy"))

    assert subject.command.startswith("shadowtime simulate 'mine #1.json#two' -a easy ")
    assert main([*shlex.split(subject.command)[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["run"] == subject.spec.id


def test_a_comparison_is_one_file(tmp_path):
    compared = st.compare(WORKLOAD, ["fcfs", ("easy", {"extra": "first"}), Mine])
    text = compared.report(tmp_path / "all.html", end=100.0).read_text(encoding="utf-8")

    assert text.count("<shadowtime-gantt ") == 3 and 'data-name="easy extra=first"' in text
    with pytest.raises(InvalidParameter, match="has no length"):
        compared.report(tmp_path / "no.html", start=5.0, end=5.0)
    assert not (tmp_path / "no.html").exists()
