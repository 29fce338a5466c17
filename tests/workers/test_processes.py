"""Which processes go first on processors that they share."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from shadowtime.workers.processes import AUTOGROUP

PROBE = f"""
from pathlib import Path
path = Path({str(AUTOGROUP)!r})
path.write_text("5")
print(path.read_text())
"""

YIELDS = """
import json, os
from shadowtime.workers.processes import AUTOGROUP, yield_to_others
before = AUTOGROUP.read_text() if AUTOGROUP.exists() else ""
yield_to_others(7)
print(json.dumps([before, os.nice(0), AUTOGROUP.read_text() if AUTOGROUP.exists() else ""]))
"""


@pytest.fixture(scope="module")
def sessions_are_groups() -> bool:
    """Whether the system lets a session set its own niceness; the file may be missing, empty or read-only."""
    tried = subprocess.run([sys.executable, "-c", PROBE], start_new_session=True, capture_output=True, text=True)
    return tried.stdout.split()[1:] == ["nice", "5"]


def yielding(*, leads: bool) -> tuple[str, int, str]:
    ended = subprocess.run(
        [sys.executable, "-c", YIELDS], start_new_session=leads, capture_output=True, text=True, check=True
    )
    return tuple(json.loads(ended.stdout))


def test_a_session_of_its_own_yields_as_its_process_does(sessions_are_groups):
    if not sessions_are_groups:
        pytest.skip("this system does not schedule sessions as groups")

    _, niceness, after = yielding(leads=True)

    assert niceness == min(19, os.nice(0) + 7)
    assert after.split()[1:] == ["nice", str(niceness)]


def test_a_process_in_the_session_of_another_yields_alone():
    before, niceness, after = yielding(leads=False)

    assert niceness == min(19, os.nice(0) + 7)
    assert after == before
