"""Sequential designs: when to stop, how many more, and what repeated looks cost."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from shadowtime.engine.statistics.comparison import compare
from shadowtime.engine.statistics.sequential import decide, needed, ratio_width


def test_the_width_is_that_of_the_interval_of_the_ratio():
    values, others = np.random.default_rng(1).lognormal(size=(2, 9))
    found = compare(values, others)
    logs = np.log(values / others)

    assert ratio_width(logs.mean(), logs.std(ddof=1), 9) == pytest.approx(found.ratio.high - found.ratio.low)


@pytest.mark.parametrize("deviation", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("width", [0.02, 0.1, 1.0])
def test_blocks_needed_are_the_first_that_are_enough(deviation, width):
    slow = next(n for n in range(2, 100_000) if ratio_width(0.1, deviation, n) <= width)

    assert needed(0.1, deviation, width) == slow


def test_it_stops_when_the_widest_interval_is_narrow_enough():
    narrow, wide = np.array([0.1, 0.11, 0.1, 0.09, 0.1]), np.array([0.0, 0.1, 0.2, 0.1, 0.05])

    reached = decide([narrow], width=0.05, budget=40)
    further = decide([narrow, wide], width=0.05, budget=40)
    spent = decide([narrow, wide], width=0.05, budget=5)

    assert (reached.state, reached.next_blocks, reached.goes_on) == ("reached", 5, False)
    assert "1.94% wide after 5 blocks, within 5.00%" in reached.reason
    assert further.goes_on and further.next_blocks == 10, "at most twice as many"
    assert further.forecast is not None and further.forecast > 10
    assert spent.state == "budget" and "the budget is spent; it would take about" in spent.reason


def test_few_blocks_are_not_enough_however_narrow():
    found = decide([np.array([0.1, 0.1])], width=0.05, budget=40)

    assert found.goes_on and found.next_blocks == 5 and "so few blocks say little" in found.reason
    assert decide([np.array([0.1])], width=0.05, budget=40).next_blocks == 5
    assert decide([np.array([0.1])], width=0.05, budget=3).next_blocks == 3
    assert decide([np.array([])], width=0.05, budget=1).reason == "0 blocks: an interval needs 2 or more"


def test_what_no_number_reaches_is_stated():
    found = decide([np.array([-300.0, 300.0, 10.0])], width=1e-6, budget=4)

    assert found.forecast is None and "more than a million blocks" in found.reason


@pytest.mark.parametrize(("width", "budget", "columns"), [(0.0, 5, [[1.0]]), (0.1, 0, [[1.0]]), (0.1, 5, [])])
def test_impossible_designs_are_refused(width, budget, columns):
    with pytest.raises(ValueError, match="must be positive"):
        decide([np.array(column) for column in columns], width=width, budget=budget)


@pytest.mark.parametrize("deviation", [0.05, 0.1, 0.2])
def test_repeated_looks_keep_the_coverage_near_its_level(deviation):
    rng = np.random.default_rng(13)
    hits = 0
    for _ in range(300):
        logs, n = rng.normal(0.1, deviation, 500), 5
        while (found := decide([logs[:n]], width=0.1, budget=500)).goes_on:
            assert n < found.next_blocks <= max(2 * n, 5)
            n = found.next_blocks
        assert found.state == "reached"
        half = scipy.stats.t.ppf(0.975, n - 1) * logs[:n].std(ddof=1) / n**0.5
        hits += abs(logs[:n].mean() - 0.1) <= half

    assert hits / 300 >= 0.90
