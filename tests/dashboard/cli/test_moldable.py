"""`shadowtime simulate` and `bound` on moldable workloads, as the contract shows them."""

import csv
import json
from pathlib import Path

import pytest

D03 = Path(__file__).parents[2] / "golden" / "demt" / "d03.json"


def test_gang_on_a_moldable_instance(shadowtime, tmp_path):
    summary = shadowtime("simulate", D03, "-a", "gang", "--out", tmp_path, "--json").json

    expected = {"makespan": 6.5, "weighted_completion": 35.5, "mean_flow": 3.375, "mean_wait": 1.75}
    assert {name: summary["metrics"][name] for name in expected} == pytest.approx(expected)
    assert summary["bounds"]["makespan"] == pytest.approx(6.5)
    assert summary["bounds"]["weighted_completion"] == pytest.approx(35.5)
    assert summary["bound_names"]["makespan"] == "dual"
    assert summary["bound_names"]["weighted_completion"] == "squashed_area"
    rows = [list(row.values())[:12] for row in csv.DictReader((tmp_path / "jobs.csv").open())]
    assert rows == [
        ["0", "0.0", "3", "", "1", "4.5", "2.0", "6.5", "4.5", "6.5", "3.25", "0-2"],
        ["1", "0.0", "3", "", "1", "0.0", "1.0", "1.0", "0.0", "1.0", "1.0", "0-2"],
        ["2", "0.0", "3", "", "1", "1.5", "3.0", "4.5", "1.5", "4.5", "1.5", "0-2"],
        ["3", "0.0", "3", "", "1", "1.0", "0.5", "1.5", "1.0", "1.5", "3.0", "0-2"],
    ]


def test_bound_prints_all_bounds(shadowtime):
    found = shadowtime("bound", D03, "-c", "weighted-completion", "--json").json

    assert (found["bound"], found["name"]) == (pytest.approx(35.5), "squashed_area")
    expected = {"lp_plain": 18.145833333333336, "lp_tight": 20.8125, "lp_tight_fine": 25.919887494614407}
    assert {name: found["bounds"][name] for name in expected} == pytest.approx(expected, rel=1e-6)


def test_a_log_made_moldable_runs_under_demt_in_batches(shadowtime):
    summary = shadowtime(
        "simulate", "uniform:jobs=60,processors=16", "--convert", "moldable:parallelism=2", "-a", "demt", "--json"
    ).json

    assert summary["counters"]["batches"] > 1
    assert summary["metrics"]["weighted_completion"] >= summary["bounds"]["weighted_completion"]


def test_generated_jobs_are_written_and_read_again(shadowtime, tmp_path):
    path = tmp_path / "weak.json"
    shadowtime("generate", "moldable:family=weak,jobs=25,processors=20", "-o", path)
    drawn = shadowtime("simulate", "moldable:family=weak,jobs=25,processors=20", "-a", "list-saf", "--json").json
    read = shadowtime("simulate", path, "-a", "list-saf", "--json").json

    assert json.loads(path.read_text())["schema"] == "golden-demt-1"
    assert read["metrics"] == drawn["metrics"]


def test_a_rigid_log_needs_the_conversion(shadowtime):
    answer = shadowtime("simulate", "uniform:jobs=5", "-a", "demt")

    assert answer.code == 2 and "Add the conversion moldable" in answer.err
