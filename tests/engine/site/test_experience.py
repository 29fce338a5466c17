"""Welford's update against numpy, and what a resource that never ran a class is."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.families.classed.site.experience import Experience


@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=30))
def test_learning_one_by_one_gives_mean_and_sample_deviation(runs):
    known = Experience.of(np.full((1, 2), np.nan))
    for seconds in runs:
        known.learn(0, 1, seconds)

    assert known.count.tolist() == [[0, len(runs)]]
    assert np.isclose(known.mean[0, 1], np.mean(runs))
    assert np.isclose(known.sd[0, 1], np.std(runs, ddof=1) if len(runs) > 1 else 0.0, atol=1e-9, rtol=1e-6)
    assert np.isinf(known.expected[0, 0])


def test_what_was_known_before_counts():
    known = Experience.of(np.array([[10.0]]), np.array([[2.0]]), np.array([[5]]))
    known.learn(0, 0, 16.0)
    of_six = np.array([10 - np.sqrt(8), 10 + np.sqrt(8), 10, 10, 10, 16.0])  # five with mean 10 and deviation 2

    assert np.isclose(known.mean[0, 0], of_six.mean()) and np.isclose(known.sd[0, 0], of_six.std(ddof=1))


def test_a_copy_learns_alone():
    known = Experience.of(np.array([[10.0]]))
    known.copy().learn(0, 0, 20.0)

    assert known.mean[0, 0] == 10.0
