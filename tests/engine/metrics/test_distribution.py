"""The empirical distribution function."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.metrics.jobs import cumulative


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=60))
def test_the_distribution_function_ends_at_one(values):
    value, share = cumulative(np.array(values), points=10)

    assert (value[0], value[-1], share[-1]) == (min(values), max(values), 1.0)
    assert np.all(np.diff(value) >= 0.0)
    assert np.all(np.diff(share) > 0.0)
