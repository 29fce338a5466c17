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
