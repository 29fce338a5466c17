"""Whatever is done to the store may be cut short at any of its steps: nothing is lost, and nothing is left half."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.operations import OPERATIONS
from tests.chaos.steps import HOW, Operation

ROOT = Path(__file__).parents[2]


@pytest.mark.integration
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name.replace(" ", "-"))
def test_every_step(operation: Operation, how: str, tmp_path):
    told = subprocess.run(
        [sys.executable, "-m", "tests.chaos.steps", operation.name, how, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip

    assert told.returncode == 0, told.stderr
    assert int(told.stdout) >= 2, "no step was found"
