"""Compiled order and look-up agree with numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.output import ordering
from shadowtime.engine.output.threads import MANY, each

rectangles = st.lists(st.tuples(st.integers(0, 6), st.lists(st.integers(0, 9), min_size=1, max_size=8)), min_size=1)


@given(rectangles)
def test_rectangles_are_ordered_as_by_a_sort(groups):
    start = np.concatenate([np.full(len(lanes), float(at)) for at, lanes in groups])
    first = np.concatenate([np.array(lanes) for _, lanes in groups])

    assert ordering.by_start_and_lane(start, first, many=0).tolist() == np.lexsort((first, start)).tolist()


def test_many_rectangles_of_one_instant_are_ordered_too():
    draw = np.random.default_rng(1)
    start = np.repeat([3.0, 1.0, 3.0, 2.0], [700, 900, 40, 512])
    first = draw.integers(0, 100, len(start))

    assert ordering.by_start_and_lane(start, first, many=0).tolist() == np.lexsort((first, start)).tolist()


@given(st.lists(st.floats(-1e9, 1e9), min_size=1), st.data())
def test_values_are_found_as_by_a_search(values, data):
    times = np.unique(values)
    asked = np.array(data.draw(st.lists(st.sampled_from(list(times)), min_size=1)))

    assert ordering.places(times, asked, many=0).tolist() == np.searchsorted(times, asked).tolist()


@given(st.lists(st.integers(0, 5)))
def test_rows_are_gathered_by_group_as_by_a_stable_sort(groups):
    group = np.array(groups, np.int64)

    assert ordering.by_group(group, 6, many=0).tolist() == np.argsort(group, kind="stable").tolist()


def test_two_threads_return_the_results_of_one_in_order():
    items = list(range(9))

    assert each(str, items, 1) == each(str, items, MANY) == list(map(str, items))
    with pytest.raises(ZeroDivisionError):
        each(lambda item: 1 // item, items, MANY)
