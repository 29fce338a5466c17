"""Which processes go first on processors that they share."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from shadowtime.workers.processes import AUTOGROUP

YIELDS = """
import os
from pathlib import Path
from shadowtime.workers.processes import AUTOGROUP, yield_to_others
yield_to_others(7)
print(os.nice(0), AUTOGROUP.read_text().split()[-1])
"""


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this system does not schedule sessions as groups")
def test_a_session_of_its_own_yields_as_its_process_does_and_no_other_session():
    lower, group = str(min(19, os.nice(0) + 7)), AUTOGROUP.read_text().split()[-1]
    for leads, of_session in ((True, lower), (False, group)):
        ended = subprocess.run(
            [sys.executable, "-c", YIELDS], start_new_session=leads, capture_output=True, text=True, check=True
        )

        assert ended.stdout.split() == [lower, of_session]
