"""A bit of a small store is flipped: it is noticed, or nothing differs.

Some of the classes of bytes; `python -m tests.chaos.flips` tries all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KINDS = {"database", "log of the database", "table", "source", "live table"}


@pytest.mark.integration
def test_some_flips_in_every_kind_of_file():
    child = subprocess.run(
        [sys.executable, "-m", "tests.chaos.flips", "--most", "1", "--every", "97"],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    reports = {report["kind"]: report for report in map(json.loads, child.stdout.splitlines())}

    assert [one for report in reports.values() for one in report["wrong"]] == []
    assert child.returncode == 0, child.stderr
    assert reports.keys() >= KINDS
    assert sum(report["outcomes"].get("noticed", 0) for report in reports.values()) >= 15
