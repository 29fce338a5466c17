"""Rankings: against scipy, published quantiles, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from shadowtime.engine.statistics.ranking import (
    block_table,
    critical_difference,
    friedman,
    mean_ranks,
    nemenyi_quantile,
    rank,
)

DEMSAR_05 = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
DEMSAR_10 = (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920)
"""Table 5(a) of Demsar (2006), for 2 to 10 algorithms; its last digits are rounded."""


@pytest.mark.parametrize(("alpha", "table"), [(0.05, DEMSAR_05), (0.10, DEMSAR_10)])
def test_quantiles_are_those_that_were_published(alpha, table):
    assert [nemenyi_quantile(k, alpha) for k in range(2, 11)] == pytest.approx(table, abs=1.5e-3)


def test_the_critical_difference_of_the_published_example():
    """Demsar (2006), section 3.2.2: four algorithms on 14 data sets, 2.569 sqrt(4 * 5 / (6 * 14)) = 1.25."""
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)


def test_ranks_share_ties_and_friedman_sees_what_is_always_first():
    table = np.array([[1.0, 2.0, 2.0], [1.0, 3.0, 2.0], [2.0, 4.0, 9.0], [np.nan, 1.0, 1.0]] * 4)

    assert mean_ranks(table).tolist() == pytest.approx([1.0, 2.5, 2.5])
    assert friedman(table) == pytest.approx(scipy.stats.friedmanchisquare(*table[np.isfinite(table[:, 0])].T).pvalue)
    assert friedman(np.ones((4, 3))) == 1.0
    assert np.isnan(friedman(table[:, :2]))


def test_ranks_apart_by_the_critical_difference_have_that_p_value():
    apart = critical_difference(4, 14) / np.sqrt(4 * 5 / (6.0 * 14))

    assert scipy.stats.studentized_range.sf(apart * 2.0**0.5, 4, np.inf) == pytest.approx(0.05, abs=1e-6)


def test_groups_are_the_largest_that_are_not_separated():
    """Ranks 1, 2, 3, 4 in every one of 12 blocks: the critical difference is 1.35, so neighbours stay together."""
    found = rank(np.tile([4.0, 1.0, 3.0, 2.0], (12, 1)))

    assert found.order == (1, 3, 2, 0) and found.blocks == 12
    assert found.critical_difference == pytest.approx(1.354, abs=0.001)
    assert found.groups == ((1, 3), (3, 2), (2, 0))
    assert rank(np.tile([4.0, 1.0, 3.0, 2.0], (12, 1)), falls=True).order == (0, 2, 3, 1)
    assert rank(np.tile([4.0, 1.0, 3.0, 2.0], (3, 1))).groups == ((1, 3, 2), (3, 2, 0)), "2.71 with 3 blocks"


def test_too_little_to_rank():
    found = rank(np.array([[1.0, 2.0]] * 5))
    assert np.isnan([found.friedman_p, found.critical_difference]).all() and found.groups == ()
    assert rank(np.full((2, 3), np.nan)).blocks == 0


def test_a_block_counts_once_however_many_loads_it_has():
    """Two draws at 50 loads each: as instances Friedman would be certain, two blocks are not."""
    values = np.random.default_rng(5).lognormal(0.0, 0.01, (2, 50, 3)) * np.array([1.0, 2.0, 3.0])
    table, left_out = block_table(values, np.arange(2))

    assert table.shape == (2, 3) and left_out == 0
    assert table == pytest.approx(np.log(values).mean(axis=1))
    assert friedman(values.reshape(-1, 3)) < 1e-20 < 0.1 < friedman(table)


def test_blocks_with_zeros_are_scored_by_ranks_and_gaps_are_left_out():
    values = np.array([[[0.0, 5.0], [3.0, 2.0]], [[1.0, np.nan], [1.0, 2.0]]])
    table, left_out = block_table(values, np.arange(2))

    assert left_out == 1
    assert table.tolist() == [[1.5, 1.5], [1.0, 2.0]]


@pytest.mark.parametrize("order", [(0, 1, 3, 2), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_the_same_values_at_other_loads_share_their_rank(order):
    first = np.array([2.0, 3.0, 7.0, 10.0])
    values = np.stack([np.tile(one, (6, 1)) for one in (first, first[list(order)], 2 * first)], axis=-1)

    assert rank(block_table(values, np.arange(6))[0]).mean_ranks.tolist() == [1.5, 1.5, 3.0]


@pytest.mark.parametrize("floor", [0.0, 1e-9])
def test_values_that_differ_by_rounding_share_their_rank(floor):
    values = np.tile([0.1 + 0.2, 0.3, 0.4], (5, 1))
    values[0] = [floor, floor, 0.4]

    assert rank(block_table(values, np.arange(5))[0]).mean_ranks.tolist() == [1.5, 1.5, 3.0]
