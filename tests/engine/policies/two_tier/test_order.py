"""The order of a job's processes, against an obvious sort of each job."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.families.two_tier.policies.state import SHORT, decreasing

SIZES = st.lists(st.sampled_from([1, 2, 3, 7, SHORT - 1, SHORT, SHORT + 1, 200]), min_size=1, max_size=30)


@given(SIZES, st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_processes_fall_by_usage_and_equal_ones_keep_their_order(sizes, levels, seed):
    first = np.concatenate([[0], np.cumsum(sizes)]).astype("i8")
    usage = np.random.default_rng(seed).integers(0, levels, first[-1]) / levels

    obvious = [row for i in range(len(sizes)) for row in sorted(range(first[i], first[i + 1]), key=lambda r: -usage[r])]

    assert decreasing(first, usage).tolist() == obvious
