"""Whatever is done to the store may fail at any of its steps: nothing is lost, and nothing is left half.

Some of the faults, others for each operation, on PostgreSQL of each third one; `make soak` tries all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.chaos.injection import ERROR, FULL, KILL
from tests.chaos.operations import OPERATIONS

ROOT = Path(__file__).parents[2]
SOME = {"sqlite": ("--every", "150"), "postgresql": ("--every", "12", "--operations", "3", "--postgresql")}
TRIED = {"sqlite": OPERATIONS, "postgresql": OPERATIONS[::3]}


@pytest.mark.integration
@pytest.mark.parametrize("base", SOME)
def test_some_faults_at_some_steps_of_every_operation(base):
    child = subprocess.run(
        [sys.executable, "-m", "tests.chaos.steps", *SOME[base]], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    reports = [json.loads(line) for line in child.stdout.splitlines()]
    counts = sum((Counter(report["faults"]) for report in reports), Counter())

    assert [one for report in reports for one in report["wrong"]] == []
    assert child.returncode == 0, child.stderr
    assert [report["operation"] for report in reports] == [operation.name for operation in TRIED[base]]
    assert all(report["steps"] >= 2 for report in reports), "no step was found"
    assert counts.total() >= len(TRIED[base]) and {ERROR, KILL} <= counts.keys()
    assert (FULL in counts) == (base == "sqlite")
