"""Blocks: labels, means over factors, and how few are too few."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from shadowtime.engine.statistics.blocks import (
    block_means,
    blocks_needed,
    neighbours,
    number_blocks,
    smallest_p,
    too_few_for_interval,
    too_few_for_test,
    weeks,
)


def test_blocks_are_numbered_by_first_appearance():
    assert number_blocks([("lublin", 7), ("lublin", 8), ("lublin", 7), ("uniform", 7)]).tolist() == [0, 1, 0, 2]


def test_weeks_of_a_log():
    assert weeks(np.array([0.0, 604_799.0, 604_800.0, 1_300_000.0])).tolist() == [0, 0, 1, 2]


def test_means_of_blocks_are_those_of_a_loop():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(9, 3, 2))
    values[rng.random(values.shape) < 0.2] = np.nan
    values[4] = np.nan
    blocks = np.array([0, 1, 0, 2, 3, 1, 1, 2, 0])

    slow = []
    for block in range(4):
        known = [v for row in np.flatnonzero(blocks == block) for v in values[row].ravel() if not np.isnan(v)]
        slow.append(sum(known) / len(known) if known else np.nan)

    assert block_means(values, blocks) == pytest.approx(slow, nan_ok=True)
    assert np.isnan(block_means(values, blocks)[3])


@pytest.mark.parametrize("n", range(1, 12))
def test_the_smallest_p_is_that_of_a_sign_test_that_all_blocks_agree_in(n):
    assert smallest_p(n) == pytest.approx(scipy.stats.binomtest(n, n).pvalue)


@pytest.mark.parametrize(("alpha", "comparisons", "needed"), [(0.05, 1, 6), (0.05, 3, 7), (0.01, 1, 8), (0.05, 10, 9)])
def test_blocks_needed_are_the_first_that_can_be_significant(alpha, comparisons, needed):
    assert blocks_needed(alpha, comparisons) == needed
    assert comparisons * smallest_p(needed) <= alpha < comparisons * smallest_p(needed - 1)


def test_too_few_blocks_are_stated_with_the_number_needed():
    assert too_few_for_interval(1) == "1 block has no interval; take 5 or more independent draws"
    assert too_few_for_interval(4) == "an interval of 4 blocks says little; take 5 or more independent draws"
    assert too_few_for_interval(5) is None and too_few_for_interval(0) is None
    assert too_few_for_test(5) == "a test of 5 blocks cannot go below p = 0.0625: 6 blocks are needed for 5%"
    assert "p = 0.125 after Holm for 2 comparisons: 7 blocks" in (too_few_for_test(5, comparisons=2) or "")
    assert too_few_for_test(6) is None


def test_neighbouring_blocks_that_follow_each_other_are_stated():
    rng = np.random.default_rng(3)

    assert neighbours(rng.normal(size=40)) is None
    assert "correlation" in (neighbours(np.cumsum(rng.normal(size=40))) or "")
    assert neighbours(np.arange(5.0)) is None, "too few to tell"
