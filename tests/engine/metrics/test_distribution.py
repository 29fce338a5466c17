"""Histograms on logarithmic axes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.metrics.distribution import cumulative, log_histogram, stretch_histogram, wait_histogram


def test_the_bulk_near_the_floor_is_counted_beside_the_picture():
    result = stretch_histogram(np.array([1.0, 1.0, 1.49, 1.5, 2.0, 150.0, np.nan]))

    assert result.below == 3
    assert result.counts.sum() == 3
    assert result.edges[0] == 1.5
    assert result.edges[-1] >= 150.0
    assert result.total == 6


def test_waits_below_ten_seconds_are_one_number():
    result = wait_histogram(np.array([0.0, 0.0, 9.9]))

    assert (result.below, len(result.counts), result.edges.tolist()) == (3, 0, [10.0])


def test_edges_do_not_depend_on_the_data_so_that_two_runs_can_be_compared():
    small, large = log_histogram(np.array([20.0]), 10.0), log_histogram(np.array([20.0, 5e6]), 10.0)

    assert np.array_equal(small.edges, large.edges[: len(small.edges)])


@given(st.lists(st.floats(0.0, 1e9), max_size=60))
def test_every_value_is_counted_once(values):
    result = log_histogram(np.array(values), 10.0)

    assert result.total == len(values)
    assert np.all(np.diff(result.edges) > 0.0)


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=60))
def test_the_distribution_function_ends_at_one(values):
    value, share = cumulative(np.array(values), points=10)

    assert (value[0], value[-1], share[-1]) == (min(values), max(values), 1.0)
    assert np.all(np.diff(value) >= 0.0)
    assert np.all(np.diff(share) > 0.0)
