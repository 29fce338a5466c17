"""Starts of an independent simulator of 2007, event by event."""

from __future__ import annotations

import json

import pytest

from shadowtime.engine import simulate
from shadowtime.engine.families.rigid.workload import read
from tests.engine.golden import golden_files

CASES = [
    pytest.param(case, id=f"{path.stem}-{case['name']}")
    for path in golden_files("golden-batch-1")
    for case in json.loads(path.read_text())["cases"]
]


@pytest.mark.parametrize("case", CASES)
def test_starts(case):
    workload = read(case)
    for algorithm, expected in case["expected"].items():
        schedule = simulate(workload, algorithm, {"event_order": "submissions-first"})
        assert schedule.jobs["start"].tolist() == expected, algorithm


@pytest.mark.parametrize("case", CASES[:10])
def test_names_are_combinations(case):
    """A name and what it stands for give one schedule; the order of lists is that of the file."""
    stands_for = {
        "easy": "batch",
        "conservative": "batch:backfill=conservative",
        "easy-sjbf": "batch:backfill_order=sjbf",
        "easy++": "batch:backfill_order=sjbf,prediction=user2",
        "fcfs": "batch:backfill=none",
        "sjf": "batch:order=sjf",
        "wfp3": 'batch:order=expr:"(w/r)**3*n"',
        "saf": "batch:order=expr:-r*n",
        "lookahead": "batch:backfill=lookahead",
        "slack": "batch:backfill=slack",
    }
    workload = read(case)
    for name, combination in stands_for.items():
        one, two = simulate(workload, name), simulate(workload, combination)
        assert one.jobs["start"].tolist() == two.jobs["start"].tolist(), name
