"""Scores against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shadowtime.engine.fidelity.score import (
    EQUAL,
    HALVED,
    MIXED,
    NEARER,
    WORSE,
    Score,
    distance,
    mispredicted,
    score,
    utilization,
    verdict,
)
from shadowtime.engine.metrics.usage_by import Grouping

RECORDED = np.array([100.0, 200.0, 300.0, 400.0])


def test_four_waits_by_hand():
    found = score(RECORDED, [np.array([50.0, 150.0, 100.0, 200.0])])

    assert (found.jobs, found.recorded, found.simulated) == (4, 250.0, 125.0)
    assert found.log_ratio == pytest.approx(-math.log(2))
    assert found.correlation == pytest.approx(0.8)  # ranks 1 2 3 4 and 1 3 2 4: 1 - 6 * 2 / 60
    assert found.error == 125.0  # of 50, 50, 200, 200
    assert found.distance == pytest.approx(math.log(2) + 0.2)
    assert found.spread == 0.0 and math.isnan(found.daily_correlation)


def test_draws_are_averaged_and_have_a_spread():
    found = score(RECORDED, [RECORDED, RECORDED[::-1] * 3.0])

    assert found.simulated == 500.0 and found.log_ratio == pytest.approx(math.log(2))
    assert found.correlation == pytest.approx(0.0)
    assert found.spread == pytest.approx(500.0 / math.sqrt(2))
    assert found.correlation_spread == pytest.approx(math.sqrt(2)) and found.draws == 2


def test_equal_waits_have_no_correlation_and_an_idle_machine_counts_as_a_second():
    found = score(RECORDED, [np.zeros(4)])

    assert found.correlation == 0.0 and found.log_ratio == pytest.approx(-math.log(250.0))


def test_a_job_without_a_simulated_wait_makes_a_fit_infinitely_far():
    assert distance(RECORDED, np.array([1.0, 2.0, 3.0, np.nan])) == math.inf
    assert score(RECORDED, [np.array([1.0, 2.0, 3.0, np.nan])]).jobs == 3


def test_utilization_per_day_by_hand():
    half, day = 43_200.0, 86_400.0
    sizes = np.array([5.0, 10.0])
    recorded = (np.array([0.0, day]), np.array([day, 2 * day]), sizes)
    simulated = (np.array([0.0, half]), np.array([day, half + day]), sizes)
    found = utilization((0.0, 3 * day), 10, lambda seconds: seconds, recorded, simulated)

    assert found is not None
    assert found.recorded.tolist() == [0.5, 1.0, 0.0] and found.simulated.tolist() == [1.0, 0.5, 0.0]
    scored = score(RECORDED, [RECORDED], [found])
    assert scored.daily_difference == pytest.approx(1 / 3) and scored.daily_correlation == pytest.approx(0.5)


def test_groups_are_by_their_sum_of_errors():
    groups = Grouping("user", np.array([0, 1, 1, 2]), ("a", "b", "c"))
    first, second = mispredicted(groups, RECORDED, [RECORDED + np.array([70.0, -20.0, 20.0, 90.0])], 2)

    assert (first.name, first.jobs, first.recorded, first.simulated) == ("c", 1, 400.0, 490.0)
    assert (second.name, second.share) == ("a", 70.0 / 200.0)


def test_groups_of_several_draws_have_the_mean_that_the_whole_has():
    draws = [RECORDED + np.array([70.0, -20.0, 20.0, 90.0]), RECORDED - 10.0]
    groups = mispredicted(Grouping("user", np.array([0, 1, 1, 2]), ("a", "b", "c")), RECORDED, draws, 3)

    assert sum(one.jobs * one.simulated for one in groups) / 4 == pytest.approx(score(RECORDED, draws).simulated)
    assert [one.name for one in groups] == ["c", "a", "b"] and groups[0].share == 50.0 / 120.0


@pytest.mark.parametrize(
    ("ratio", "correlation", "said"),
    [
        (0.5, 0.3, HALVED),
        (-0.4, 0.5, HALVED),
        (0.6, 0.3, NEARER),
        (1.0, 0.4, NEARER),
        (0.1, 0.2, MIXED),
        (1.5, 0.9, MIXED),
        (1.0, 0.3, EQUAL),
        (1.1, 0.2, WORSE),
        (-1.1, 0.3, WORSE),
    ],
)
def test_the_verdict_can_say_no(ratio, correlation, said):
    def made(log_ratio, rank):
        return Score(9, 100.0, 100.0, log_ratio, rank, 1.0, 0.0, 0.0)

    assert verdict(made(ratio, correlation), made(-1.0, 0.3)) == said
