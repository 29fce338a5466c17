"""Every combination against the slow twin; whole numbers, so that starts must be equal."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.policies.backfilling.questions import answers, random_jobs, random_parameters
from tests.whole import whole_or

BLOCKS = whole_or(200, 8)
"""Blocks of 50 random questions."""


@pytest.mark.parametrize("block", range(BLOCKS))
def test_starts(block):
    for seed in range(50 * block, 50 * block + 50):
        rng = np.random.default_rng(seed)
        processors = int(rng.choice([4, 8, 10, 16]))
        jobs = random_jobs(rng, int(rng.choice([5, 12, 25, 40])), processors)
        parameters = random_parameters(rng)
        engine, twin = answers(jobs, processors, parameters)
        assert engine == twin, f"seed {seed}: {parameters}"


@pytest.mark.parametrize(("share", "count"), [(28, 25), (14, 50), (7, 100), (34, 150)])
def test_the_rank_of_a_percentile_is_exact(share, count):
    """In floating point 0.28 * 25 is above 7. What is predicted decides whether a job may pass the first one."""
    jobs = [(1000.0 * i, 10.0 + i, 500.0, 2, 0) for i in range(count)]
    last = 1000.0 * count
    known = 10.0 + share * count // 100 - 1
    # A job of another user leaves one processor for as long as the predicted job would take, or a second less.
    for length, passes in ((known, True), (known - 1.0, False)):
        late = [(last, length, length, 1, 1), (last, 5.0, 5.0, 2, 2), (last, known + 1.0, 500.0, 1, 0)]
        engine, twin = answers(jobs + late, 2, {"backfill": "easy", "prediction": f"percentile:{share}"})
        assert engine == twin
        assert (engine[count + 2] == last) is passes
