"""Paired tests and comparisons: by hand, by enumeration, against scipy, and not fooled by factors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadowtime.engine.statistics.comparison import as_family, compare
from shadowtime.engine.statistics.signed import holm, rank_biserial, sign_test, signed_rank_test


def slow_signed_rank(differences) -> float:
    """The share of all signs whose smaller rank sum is at most the observed one."""
    differences = [d for d in differences if d != 0]
    ranks = [
        sum(abs(o) < abs(d) for o in differences) + (1 + sum(abs(o) == abs(d) for o in differences)) / 2
        for d in differences
    ]
    least = min(sum(r for r, d in zip(ranks, differences, strict=True) if (d > 0) == up) for up in (True, False))
    hits = sum(
        min(sum(r for r, up in zip(ranks, signs, strict=True) if up == side) for side in (True, False)) <= least
        for signs in itertools.product((True, False), repeat=len(ranks))
    )
    return hits / 2 ** len(ranks)


@given(st.lists(st.integers(-6, 6), max_size=9))
def test_the_signed_rank_test_is_that_of_all_signs_also_with_ties(differences):
    assert signed_rank_test(np.array(differences, float)) == pytest.approx(slow_signed_rank(differences))


@pytest.mark.parametrize("n", [6, 20, 50, 61, 200])
def test_without_ties_the_signed_rank_test_is_that_of_scipy(n):
    differences = np.random.default_rng(n).normal(0.2, 1.0, n)
    method = "exact" if n <= 60 else "asymptotic"

    assert signed_rank_test(differences) == pytest.approx(scipy.stats.wilcoxon(differences, method=method).pvalue)


def test_the_sign_test_by_hand():
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 5) == 1.0
    assert sign_test(10, 0) == pytest.approx(2 / 1024)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_the_rank_biserial_correlation_by_hand():
    """Ranks 1 to 4 with the first negative: (9 - 1) / 10."""
    r, low, high = rank_biserial(np.array([-1.0, 2.0, 3.0, 4.0]))

    assert r == pytest.approx(0.8) and -1 <= low < r < high <= 1
    assert rank_biserial(np.array([1.0, 2.0, 3.0]))[0] == 1.0
    assert rank_biserial(np.array([1.0, 2.0, 3.0]))[1] < 0.0, "three blocks of one sign prove nothing"
    assert np.isnan(rank_biserial(np.zeros(3))).all()


@given(arrays(float, st.integers(2, 20), elements=st.floats(-100, 100)), st.floats(0.5, 0.999))
def test_the_interval_of_the_rank_biserial_correlation_is_within_its_range(differences, level):
    r, low, high = rank_biserial(differences, level=level)

    assert np.isnan(r) or np.isnan(low) or -1.0 <= low <= r <= high <= 1.0
    assert -r == pytest.approx(rank_biserial(-differences, level=level)[0], nan_ok=True)


@pytest.mark.parametrize(("n", "shift"), [(8, 0.0), (8, 1.0), (20, 0.0), (20, 0.5), (20, 2.0)])
def test_intervals_of_the_rank_biserial_correlation_cover_it(n, shift):
    """The truth is its mean over 1,000 studies of normal differences."""
    rng = np.random.default_rng(11)
    truth = np.mean([rank_biserial(row)[0] for row in rng.normal(shift, 1.0, (1000, n))])
    found = np.array([rank_biserial(row)[1:] for row in rng.normal(shift, 1.0, (300, n))])

    assert ((found[:, 0] <= truth) & (truth <= found[:, 1])).mean() >= 0.93


def test_a_comparison_by_hand():
    """Ratios 1/2, 1/8, 1: logs -log 2, -3 log 2, 0; their mean is -4/3 log 2."""
    found = compare(np.array([1.0, 1.0, 3.0, 5.0]), np.array([2.0, 8.0, 3.0, np.nan]))

    assert (found.blocks, found.smaller, found.larger, found.equal, found.left_out) == (3, 2, 0, 1, 0)
    assert found.ratio.mean == pytest.approx(2 ** (-4 / 3))
    assert 0.0 < found.ratio.low < found.ratio.mean < found.ratio.high
    assert found.sign_p == found.p == 0.5, "two of two: 2 (1/2)^2"
    assert found.rank_biserial == -1.0
    assert found.difference.mean == pytest.approx((-1 - 7 + 0) / 3)
    assert found.warnings[1] == (
        "a test of 2 blocks (1 more with equal values left out) cannot go below p = 0.5: 6 blocks are needed for 5%"
    )


def test_ratios_that_cancel_are_ties():
    found = compare(np.array([2.0, 3.0]), np.array([3.0, 2.0]))
    blocks = compare(np.array([[2.0, 3.0, 1.0]] * 6), np.array([[3.0, 1.0, 2.0]] * 6))

    assert found.rank_biserial == 0.0
    assert (blocks.equal, blocks.p, blocks.ratio.mean) == (6, 1.0, 1.0)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=9))
def test_the_other_way_round_the_effect_is_the_negative(pairs):
    values, others = (np.array(column, float) for column in zip(*pairs, strict=True))
    one, other = compare(values, others), compare(others, values)

    assert one.rank_biserial == pytest.approx(-other.rank_biserial, nan_ok=True)
    assert (one.p, one.smaller, one.equal) == (other.p, other.larger, other.equal)


def test_loads_of_one_draw_are_one_block():
    """Five draws at five loads, always smaller: 25 instances would give p = 6e-8, five blocks give 0.0625."""
    rng = np.random.default_rng(2)
    others = rng.lognormal(3.0, 1.0, (5, 1)) * np.array([1.0, 1.5, 2.0, 4.0, 9.0])
    found = compare(others * rng.uniform(0.8, 0.99, (5, 5)), others)

    assert (found.blocks, found.instances, found.smaller) == (5, 25, 5)
    assert found.sign_p == found.p == 0.0625 == found.smallest_p
    assert not found.is_significant()
    assert "6 blocks are needed" in found.warnings[-1]


def test_rows_of_one_label_are_one_block():
    values, others = np.array([[1.0, 2.0], [4.0, 8.0], [2.0, 2.0]]), np.array([[2.0, 2.0], [2.0, 8.0], [4.0, 4.0]])
    found = compare(values, others, np.array([0, 0, 1]))
    logs = [np.mean([-np.log(2), 0, np.log(2), 0]), -np.log(2)]

    assert (found.blocks, found.instances) == (2, 6)
    assert found.log_ratio.mean == pytest.approx(np.mean(logs))
    assert (found.smaller, found.equal) == (1, 1)


def test_a_zero_on_one_side_has_no_ratio_but_a_difference():
    found = compare(np.array([0.0, 0.0, 4.0]), np.array([5.0, 0.0, 2.0]))

    assert (found.smaller, found.equal, found.larger, found.left_out, found.tested) == (1, 1, 1, 1, "differences")
    assert found.log_ratio.mean == pytest.approx(np.log(2) / 2)
    assert found.difference.mean == pytest.approx(-1.0)


def test_nothing_in_common_is_no_comparison():
    found = compare(np.array([np.nan]), np.array([1.0]))

    assert found.blocks == 0 and np.isnan(found.log_ratio.mean) and found.p == 1.0 and found.warnings == []


def test_different_shapes_are_refused():
    with pytest.raises(ValueError, match="must be the same"):
        compare(np.ones(2), np.ones(3))


@given(
    arrays(float, (6, 2), elements=st.floats(0.1, 100.0)),
    arrays(float, (6, 2), elements=st.floats(0.1, 100.0)),
    st.floats(1e-3, 1e3),
)
def test_ratios_and_tests_do_not_depend_on_the_unit(values, others, scale):
    one, other = compare(values, others), compare(values * scale, others * scale)
    ends = (one.ratio.low, one.ratio.mean, one.ratio.high)

    assert (other.ratio.low, other.ratio.mean, other.ratio.high) == pytest.approx(ends, rel=1e-6)
    assert one.ratio.low > 0.0
    turned = compare(others, values).ratio
    assert (1 / turned.high, 1 / turned.mean, 1 / turned.low) == pytest.approx(ends, rel=1e-6)


def test_a_family_is_adjusted_and_says_how_many_blocks_it_needs():
    rng = np.random.default_rng(3)
    base = rng.lognormal(size=6)
    family = as_family([compare(base * factor, base) for factor in (0.5, 0.8, 1.1)])

    assert [one.p for one in family] == [2**-5] * 3
    assert [one.p_adjusted for one in family] == holm([2**-5] * 3) == [3 * 2**-5] * 3
    assert "7 blocks are needed" in family[0].warnings[-1]
    assert compare(base * 0.5, base).warnings == []


def test_a_true_null_is_rejected_as_often_as_stated():
    """Blocks with a common factor and loads that resemble each other, neither algorithm better."""
    rng = np.random.default_rng(4)
    hits = naive = 0
    for _ in range(120):
        draw = rng.normal(0.0, 0.3, (10, 1)) + rng.normal(0.0, 0.05, (10, 5))
        hits += compare(np.exp(draw), np.ones((10, 5))).p < 0.05
        naive += compare(np.exp(draw).ravel(), np.ones(50)).p < 0.05

    assert hits / 120 < 0.1
    assert naive / 120 > 0.25, "each load counted as a draw"


@pytest.mark.parametrize("scale", [1.0, -1.0, 1e-9])
def test_values_that_differ_by_rounding_are_equal(scale):
    found = compare(scale * np.full(6, 0.1 + 0.2), scale * np.full(6, 0.3))

    assert (found.smaller, found.larger, found.equal, found.p) == (0, 0, 6, 1.0)
    assert found.difference.mean == 0.0 and not found.left_out
