"""Requests that are equal but for rounding go by submission; the expected ends were worked out in fractions."""

from __future__ import annotations

import pytest

from shadowtime.engine import simulate
from tests.engine.policies.fractional.test_twin import PENALTY, PERIOD, workload_of
from tests.reference.fractional_twin import Twin

TWINS_MEET = [(0.0, 3, 0.5, 0.3, 200.0), (0.0, 3, 0.5, 0.3, 200.0), (30.0, 1, 0.5, 0.1, 100.0)]
"""At 240 s jobs 0 and 1 both have a virtual time of 11200/93 s, at 300 s of 4560/31 s, each by another sum."""
ENDS = [11760 / 31, 11760 / 31, 19884822 / 79997]


def test_two_jobs_that_meet_keep_their_nodes():
    """With the requests as rounded, the two jobs change places at 300 s, stall, and end 20 s later."""
    schedule = simulate(workload_of(TWINS_MEET, 2), "/stretch-per/opt=max", {"penalty": PENALTY, "period": PERIOD})

    assert schedule.jobs["end"].tolist() == pytest.approx(ENDS, abs=1e-9)
    assert schedule.counters["migrations"] == 6


def test_the_slow_twin_knows_equal_requests():
    """Its sums are others than the engine's: four jobs that are alike show it."""
    jobs = [(17.0, 4, 0.25, 0.2, runtime) for runtime in (148.0, 135.0, 79.0, 147.0)]
    twin = Twin(jobs, 3, "", False, "stretch-per", limit="minvt", bound=60.0, period=PERIOD, penalty=PENALTY)

    assert twin.run() == pytest.approx([288.0, 295.0, 219.0, 287.0], abs=1e-9)
    assert twin.counts == {"preemptions": 2, "migrations": 4}
