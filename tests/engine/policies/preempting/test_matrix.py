"""Gang scheduling: by hand, and against the slow twin; whole numbers, so that rectangles must be equal.

By hand, 4 processors, 2 rows, slices of 10 s. Row A holds job 1 (25 s) and, from 5 on, job 3 (30 s); row B holds job 2
(20 s). Job 3 runs along in the turns of row B. Job 4 (5 s) comes at 5 and needs a row of its own: it waits for job 2.

        0       10      20      30      40  45  50
    0-1 |1 1 1 1|2 2 2 2|1 1 1 1|2 2 2 2|1 1|4 4|
      2 |1 1 1 1| . . . |1 1 1 1| . . . |1 1|4 4|
      3 | .|3 3 3 3 3 3 3 3 3 3 3 3| . . . . |4 4|
"""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.errors import UnsupportedWorkload
from tests.engine.policies.backfilling.questions import draws, random_jobs, workload_of
from tests.reference.matrix_twin import MatrixTwin
from tests.reference.seats import preemptions_of, rectangles_of

FOUR = [(0.0, 25.0, 3), (0.0, 20.0, 2), (5.0, 30.0, 1), (5.0, 5.0, 4)]


def rectangles(**parameters):
    """Return (job, first processor, last, start, end) of the four jobs."""
    workload = workload_of([(release, request, request, size, 0) for release, request, size in FOUR], 4)
    return rectangles_of(simulate(workload, "ousterhout", {"level": 2, "slice": 10.0, **parameters}))


ALIKE = [
    (0, 0, 2, 0.0, 10.0),
    (0, 0, 2, 20.0, 30.0),
    (0, 0, 2, 40.0, 45.0),
    (1, 0, 1, 10.0, 20.0),
    (1, 0, 1, 30.0, 40.0),
]


def test_rows_take_turns_and_others_run_along():
    assert rectangles() == [*ALIKE, (2, 3, 3, 5.0, 35.0), (3, 0, 3, 45.0, 50.0)]


def test_without_fill_only_the_row_runs_that_has_its_turn():
    third = [(2, 3, 3, 5.0, 10.0), (2, 3, 3, 20.0, 30.0), (2, 3, 3, 40.0, 50.0), (2, 3, 3, 55.0, 60.0)]

    assert rectangles(fill=False) == [*ALIKE, *third, (3, 0, 3, 50.0, 55.0)]


def test_one_row_is_fcfs():
    rng = np.random.default_rng(5)
    workload = workload_of(random_jobs(rng, 200, 8), 8)
    one, other = simulate(workload, "ousterhout", {"level": 1}), simulate(workload, "fcfs")

    assert one.jobs["end"].tolist() == other.jobs["end"].tolist()


def test_gang_names_the_algorithm_for_rigid_jobs():
    with pytest.raises(UnsupportedWorkload, match=r"Add the conversion moldable, or choose ousterhout\."):
        simulate(workload_of(random_jobs(np.random.default_rng(5), 5, 8), 8), "gang")


@pytest.mark.parametrize("block", range(8))
def test_rectangles(block):
    pauses = 0
    for seed, rng, jobs, processors in draws(block):
        parameters = {
            "level": int(rng.choice([1, 2, 3, 5])),
            "slice": float(rng.choice([3.0, 10.0, 50.0])),
            "fill": bool(rng.random() < 0.6),
        }
        schedule = simulate(workload_of(jobs, processors), "ousterhout", parameters)
        pauses += preemptions_of(MatrixTwin(jobs, processors, **parameters), schedule, f"seed {seed}: {parameters}")
    assert pauses > 500
