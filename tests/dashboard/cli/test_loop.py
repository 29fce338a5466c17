"""`shadowtime loop`: refusals, and one whole loop from the command line."""

from __future__ import annotations

import json

import pytest

from shadowtime.engine.families.classed.policies.recording import replay


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["classed:jobs=5"], "the site has 142 machines"),
        (["classed:site=bench,jobs=5", "-a", "easy"], "a loop takes olb, min-min, min-max, sjs or pjs"),
        (["uniform:jobs=5"], "PJS takes classed workloads"),
        (["classed:site=bench,jobs=5", "--scale", "0"], "must be a number of seconds above 0"),
    ],
)
def test_what_is_refused(shadowtime, words, sentence):
    answer = shadowtime("loop", *words)

    assert answer.code == 2 and sentence in answer.err


@pytest.mark.integration
def test_planned_stands_beside_measured(shadowtime, tmp_path, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers: it starts a server of its own
    question = "classed:site=bench,jobs=4"
    report = shadowtime("loop", question, "--scale", "0.3", "--out", tmp_path, "--json").json

    assert len(report["jobs"]) == 4
    assert report["makespan"]["planned"] > 0 and report["makespan"]["measured"] > 0
    for folder in ("planned", "measured"):
        assert (tmp_path / folder / "jobs.csv").read_text().count("\n") == 5
    recording = json.loads((tmp_path / "calls.json").read_text())
    assert replay(recording["question"], recording["calls"]) == recording["calls"]
    assert shadowtime("simulate", f"{tmp_path / 'site.json'}#6", "-a", "sjs", "--json").json["jobs"] == 6
