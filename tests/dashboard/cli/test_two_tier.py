"""`shadowtime simulate` on a case of a JSON instance, as the contract shows it for two tiers."""

import csv
from pathlib import Path

import pytest

CASE = Path(__file__).parents[2] / "golden" / "measy" / "figure1.json"


def test_a_case_brings_its_machine_and_parameters(shadowtime, tmp_path):
    """Five processors; foreground starts of a job push background jobs away or up (figure 1 of the paper)."""
    reference = f"{CASE}#job10_reaches_foreground"
    summary = shadowtime("simulate", reference, "-a", "keasy", "--out", tmp_path, "--json").json

    expected = {
        "makespan": 23.6, "mean_flow": 12.6, "mean_wait": 4.633333333333334, "mean_bounded_stretch": 1.3683333333333332,
        "max_bounded_stretch": 2.36, "kills": 2, "migrations": 0, "swaps": 2, "background_starts": 6,
        "waste_by_kills": 4.4,
    }  # fmt: skip
    assert {name: summary["metrics"][name] for name in expected} == pytest.approx(expected)
    assert summary["bounds"]["makespan"] >= 16.2 - 1e-9
    assert summary["bounds"]["max_bounded_stretch"] >= 1.588235294117647 - 1e-9
    jobs = {row["job_id"]: row for row in csv.DictReader((tmp_path / "jobs.csv").open())}
    assert jobs["1"]["allocated_resources"] == "3-4"
    assert jobs["6"]["allocated_resources"] == "2-3"
    assert float(jobs["10"]["finish_time"]) == pytest.approx(19.6)
    events = {tuple(row) for row in csv.reader((tmp_path / "events.csv").open())}
    assert events >= {
        ("5.0", "end", "3", "fg 1-2"), ("5.0", "end", "5", "bg 4"), ("5.0", "kill", "6", "bg 3"),
        ("5.0", "start", "6", "fg 2"), ("5.0", "swap", "7", "fg 1"), ("5.0", "start", "9", "bg 4"),
        ("5.0", "start", "10", "bg 3"),
    }  # fmt: skip


def test_an_unknown_case_lists_the_cases(shadowtime):
    answer = shadowtime("simulate", f"{CASE}#nope", "-a", "keasy")

    assert answer.code == 2
    assert "job10_reaches_foreground" in answer.err
