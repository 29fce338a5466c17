"""The compiled sum has the bits of numpy's."""

import numpy as np
import pytest

from shadowtime.engine.bounds.sums import pairwise_sum
from shadowtime.engine.kernel.cache import allocating


@allocating
def total(values):
    return pairwise_sum(values, np.int64(0), np.int64(len(values)))


@pytest.mark.parametrize("count", [*range(20), 127, 128, 129, 130, 255, 256, 257, 1000, 1999, 4096, 12_345])
def test_the_sum_has_the_bits_of_numpy(count):
    rng = np.random.default_rng(count)
    for _ in range(20):
        values = rng.lognormal(0.0, 6.0, count)

        assert total(values) == np.sum(values)
