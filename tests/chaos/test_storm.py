"""A short storm: processes are killed and files damaged at random while people are at work."""

from __future__ import annotations

import pytest

from tests.chaos.storm import storm

FAULTS = 9


@pytest.mark.integration
def test_nothing_that_was_accepted_is_lost_shown_twice_or_half(tmp_path):
    report = storm(tmp_path, FAULTS, seed=1, clients=3, pause=0.4)

    assert report.problems == []
    assert sum(report.faults.values()) == FAULTS and len(report.faults) >= 7, report.faults
    assert report.runs >= 10 and report.compared >= 5, report
