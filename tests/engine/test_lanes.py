"""Lanes in words, against sets of numbers."""

from itertools import pairwise

import numpy as np

from shadowtime.engine.output.notes import lane_texts


def texts(*ranges, owners):
    owner, first, last = np.array(ranges).T
    return lane_texts(owner, first, last, owners)


def test_touching_and_overlapping_ranges_are_one():
    assert texts((0, 5, 6), (0, 0, 3), (0, 3, 4), (1, 7, 7), (1, 2, 3), (1, 9, 9), (3, 4, 4), owners=4) == [
        "0-6",
        "2-3 7 9",
        "",
        "4",
    ]


def test_a_range_inside_another_adds_nothing():
    assert texts((0, 0, 9), (0, 2, 3), (0, 11, 11), owners=1) == ["0-9 11"]


def test_neighbours_of_two_owners_are_not_joined():
    assert texts((0, 8, 9), (1, 0, 1), owners=2) == ["8-9", "0-1"]


def test_nobody_holds_anything():
    nothing = np.zeros(0, "i4")

    assert lane_texts(nothing, nothing, nothing, 2) == ["", ""]


def test_texts_agree_with_sets_of_numbers():
    rng = np.random.default_rng(3)
    n, m = 50, 400
    owner, first = rng.integers(0, n, m), rng.integers(0, 40, m)
    last = first + rng.integers(0, 5, m)

    written = lane_texts(owner, first, last, n)

    for one, text in enumerate(written):
        held = {lane for row in np.flatnonzero(owner == one) for lane in range(first[row], last[row] + 1)}
        ends = [[int(end) for end in part.split("-")] for part in text.split()]
        assert {lane for part in ends for lane in range(part[0], part[-1] + 1)} == held
        assert all(a[-1] + 1 < b[0] for a, b in pairwise(ends))
