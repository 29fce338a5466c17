"""`shadowtime loop`: refusals, and one whole loop from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shadowtime.dashboard.cli.question import file_of
from shadowtime.engine.families.classed.policies.recording import replay


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["classed:jobs=5"], "the site has 142 machines"),
        (["classed:site=bench,jobs=5", "-a", "easy"], "a loop takes olb, min-min, min-max, sjs or pjs"),
        (["uniform:jobs=5"], "has rigid jobs; a loop takes classed jobs"),
        (["classed:site=bench,jobs=5", "--scale", "0"], "must be a number of seconds above 0"),
    ],
)
def test_what_is_refused(shadowtime, words, sentence):
    answer = shadowtime("loop", *words)

    assert answer.code == 2 and sentence in answer.err


@pytest.mark.integration
def test_planned_stands_beside_measured(shadowtime, tmp_path, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # no one answers: it starts a server of its own
    question = "classed:site=bench,jobs=4"
    report = shadowtime("loop", question, "--scale", "0.3", "--out", tmp_path, "--json").json

    assert len(report["jobs"]) == 4
    assert report["makespan"]["planned"] > 0 and report["makespan"]["measured"] > 0
    for folder in ("planned", "measured"):
        assert (tmp_path / folder / "jobs.csv").read_text().count("\n") == 5
    recording = json.loads((tmp_path / "calls.json").read_text())
    assert replay(recording["question"], recording["calls"]) == recording["calls"]
    assert shadowtime("simulate", f"{tmp_path / 'site.json'}#6", "-a", "sjs", "--json").json["jobs"] == 6


def test_a_sample_is_named_like_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path, case = file_of("takeover")

    assert path.name == "takeover.json" and case is None
    assert file_of("site142#7")[1] == "7" and file_of("four.txt") == (None, None)
    (tmp_path / "takeover").write_text("")
    assert file_of("takeover")[0] == Path("takeover"), "an existing file goes before it"
