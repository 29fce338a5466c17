"""`shadowtime report` and `simulate --report`: an HTML file that needs no server."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from shadowtime.engine.workload import samples

SAMPLES = Path(samples.__file__).parent


@pytest.fixture
def store(four_jobs):
    """The folder of a store, two finished runs of the four-job example and one that waits."""
    folder, specs = four_jobs("fcfs", "easy", "conservative", finished=("fcfs", "easy"))
    return folder, *(spec.id for spec in specs)


def test_runs_of_the_store_become_a_file(shadowtime, store, tmp_path):
    folder, fcfs, easy, _ = store
    one, two = tmp_path / "one.html", tmp_path / "two.html"

    answers = [
        shadowtime("report", easy, "-o", one, "--store", folder),
        shadowtime("report", fcfs, easy, "--from", 0, "--to", 200, "-o", two, "--store", folder),
    ]

    assert [(answer.code, answer.out, answer.err) for answer in answers] == [(0, "", "")] * 2
    assert f'<shadowtime-gantt run="{easy}"' in one.read_text(encoding="utf-8")
    text = two.read_text(encoding="utf-8")
    assert text.index(f'run="{fcfs}"') < text.index(f'run="{easy}"') and "FCFS and EASY on four" in text
    assert "The schedules show 0\u202fs to 3\u202fmin 20\u202fs" in text


def test_a_report_may_go_to_standard_output(store, capfdbinary):
    from shadowtime.dashboard.cli import main

    folder, fcfs, *_ = store
    assert main(["report", fcfs, "-o", "-", "--store", str(folder)]) == 0
    assert capfdbinary.readouterr().out.lstrip().startswith(b"<!DOCTYPE html>")


def test_what_has_no_report_is_refused_in_a_line(shadowtime, store, tmp_path):
    folder, fcfs, _, waiting = store
    path = tmp_path / "out.html"

    for runs, said in (
        ([waiting], f"run {waiting} is queued; only a finished run can be exported"),
        ([fcfs, fcfs], "a run is named twice"),
        (["0" * 16], "0" * 16),
        ([fcfs, "--from", 9, "--to", 3], "has no length"),
    ):
        answer = shadowtime("report", *runs, "-o", path, "--store", folder)
        assert answer.code in (1, 2) and said in answer.err and answer.out == "", runs
    assert "there is no store" in shadowtime("report", fcfs, "-o", path, "--store", tmp_path / "none").err
    assert "there is no folder" in shadowtime("report", fcfs, "-o", tmp_path / "x" / "y", "--store", folder).err
    assert not path.exists()


def test_a_simulation_writes_its_report_with_the_command_that_repeats_it(shadowtime, four_swf, tmp_path, monkeypatch):
    monkeypatch.chdir(four_swf.parent)
    path = tmp_path / "easy.html"
    summary = shadowtime("simulate", four_swf, "-a", "easy", "--tau", 5, "--report", path, "--json").json

    text = path.read_text(encoding="utf-8")
    assert f'<shadowtime-gantt run="{summary["run"]}"' in text
    words = text.partition('st-command">')[2].partition("</pre>")[0]
    command = shlex.split(words.replace("<span>", "").replace("</span>", "").replace("&#39;", "'"))
    again = shadowtime(*command[1:], "--json").json
    assert (command[0], again["run"], again["metrics"]) == ("shadowtime", summary["run"], summary["metrics"])
    assert shadowtime("simulate", four_swf, "-a", "easy", "--report", tmp_path).code == 2


def test_the_command_of_a_case_names_file_and_case_once(shadowtime, tmp_path, monkeypatch):
    (tmp_path / "set #2.json").write_bytes((SAMPLES / "figure1.json").read_bytes())
    monkeypatch.chdir(tmp_path)
    asked = ("simulate", "set #2.json#job10_reaches_foreground", "-a", "keasy", "--json")
    summary = shadowtime(*asked, "--report", "case.html").json

    text = (tmp_path / "case.html").read_text(encoding="utf-8")
    assert "KEASY on set #2, job10_reaches_foreground" in text
    words = text.partition('st-command">')[2].partition("</pre>")[0]
    command = shlex.split(words.replace("<span>", "").replace("</span>", "").replace("&#39;", "'"))
    assert shadowtime(*command[1:], "--json").json["run"] == summary["run"]
