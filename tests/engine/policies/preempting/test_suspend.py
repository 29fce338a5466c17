"""Selective suspension: by hand, and against the slow twin; whole numbers, so that rectangles must be equal.

By hand, on 4 processors with a pass every 5 s: job 2 (10 s) comes at 10, and its expansion factor is 2 at 20. Job 3
comes at 25 and starts at once, so that job 1 has all its processors again at 45 only.

        0           20  25 30      45             125
    0-1 |1 1 1 1 1 1|2 2 2| .  .  . |1 1 1 1 1 1 1|
    2-3 |1 1 1 1 1 1| .|3 3 3 3 3 3 |1 1 1 1 1 1 1|
"""

from __future__ import annotations

import pytest

from shadowtime.engine import simulate
from tests.engine.policies.backfilling.questions import draws, workload_of
from tests.reference.seats import preemptions_of, rectangles_of
from tests.reference.suspend_twin import SuspendTwin


def rectangles(jobs, **parameters):
    """Return (job, first processor, last, start, end) of jobs (release, request, processors) on 4 processors."""
    workload = workload_of([(release, request, request, size, 0) for release, request, size in jobs], 4)
    return rectangles_of(simulate(workload, "ss-easy", {"period": 5.0, **parameters}))


def test_a_job_suspends_another_which_resumes_in_place():
    found = rectangles([(0.0, 100.0, 4), (10.0, 10.0, 2), (25.0, 20.0, 2)])

    assert found == [(0, 0, 3, 0.0, 20.0), (0, 0, 3, 45.0, 125.0), (1, 0, 1, 20.0, 30.0), (2, 2, 3, 25.0, 45.0)]


def test_a_queued_job_suspends_none_that_is_more_than_twice_as_wide():
    assert rectangles([(0.0, 100.0, 4), (10.0, 10.0, 1)]) == [(0, 0, 3, 0.0, 100.0), (1, 0, 0, 100.0, 110.0)]


def test_a_suspended_job_takes_its_processors_back_from_any_job():
    # Factors: at 6 job 2 has (5 + 100) / 100; at 11 job 1, of 1 processor, has (5 + 10) / 10, job 2 still 1.05.
    found = rectangles([(0.0, 10.0, 1), (1.0, 100.0, 4)], sf=1.05)

    assert found == [(0, 0, 0, 0.0, 6.0), (0, 0, 0, 11.0, 15.0), (1, 0, 3, 6.0, 11.0), (1, 0, 3, 15.0, 110.0)]


def test_victims_that_are_not_needed_are_spared():
    # Job 3 takes job 2, the last of equals, then job 1, after which job 2 is not needed.
    found = rectangles([(0.0, 101.0, 3), (0.0, 100.0, 1), (1.0, 10.0, 3)])

    assert found == [(0, 0, 2, 0.0, 11.0), (0, 0, 2, 21.0, 111.0), (1, 3, 3, 0.0, 100.0), (2, 0, 2, 11.0, 21.0)]


@pytest.mark.parametrize("block", range(8))
def test_rectangles(block):
    suspensions = 0
    for seed, rng, jobs, processors in draws(block):
        parameters = {"sf": float(rng.choice([1.0, 1.5, 2.0, 5.0])), "period": float(rng.choice([1.0, 7.0, 60.0]))}
        schedule = simulate(workload_of(jobs, processors), "ss-easy", parameters)
        twin = SuspendTwin(jobs, processors, **parameters)
        suspensions += preemptions_of(twin, schedule, f"seed {seed}: {parameters}")
    assert suspensions > 100
