"""Samples with intervals, and pairs: against scipy, against known means, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from shadowtime.engine.metrics.samples import (
    friedman,
    holm,
    mean_ranks,
    paired,
    resemblance,
    samples,
    sign_test,
    too_few,
)


def test_the_interval_is_that_of_scipy():
    values = np.array([[3.0, 1.0], [5.0, 1.5], [4.0, np.nan], [9.0, 1.0]])

    found = samples(values)

    low, high = scipy.stats.t.interval(0.95, 3, loc=values[:, 0].mean(), scale=scipy.stats.sem(values[:, 0]))
    assert (found.low[0], found.high[0]) == pytest.approx((low, high))
    assert found.n.tolist() == [4, 3]
    assert found.std[1] == pytest.approx(np.std([1.0, 1.5, 1.0], ddof=1))
    assert (found.min[1], found.max[1]) == (1.0, 1.5)


def test_one_sample_has_no_deviation_and_none_has_nothing():
    found = samples(np.array([[2.0, np.nan]]))

    assert found.mean.tolist()[0] == 2.0 and np.isnan([found.std[0], found.low[0], found.mean[1], found.min[1]]).all()


@pytest.mark.parametrize("n", [3, 5, 20])
@pytest.mark.parametrize("draw", ["normal", "exponential"])
def test_intervals_cover_the_known_mean_as_often_as_they_say(n, draw):
    """2,000 studies of n samples; the skewed law costs few samples some of their coverage, and never more."""
    rng = np.random.default_rng(5)
    values = rng.normal(7.0, 2.0, (n, 2000)) if draw == "normal" else rng.exponential(7.0, (n, 2000))

    found = samples(values, level=0.9)
    covered = float(((found.low <= 7.0) & (found.high >= 7.0)).mean())

    assert covered == pytest.approx(0.9, abs=0.02) if draw == "normal" else 0.8 < covered < 0.92


def test_intervals_cover_the_mean_wait_of_a_queue_whose_mean_is_known():
    """M/D/1 on one processor at load 0.5: the mean wait is rho p / (2 (1 - rho)) (Pollaczek and Khinchine), which FCFS
    on 20 seeds must cover in about nine studies of ten."""
    from shadowtime.engine.simulation import simulate
    from shadowtime.engine.workload.job import Workload, job_table

    rng = np.random.default_rng(17)
    n, runtime, rho, studies = 1500, 10.0, 0.5, 12
    waits = np.empty((6, studies))
    for place in np.ndindex(waits.shape):
        release = np.cumsum(rng.exponential(runtime / rho, n))
        jobs = job_table(release, np.full(n, runtime), np.ones(n, int))
        run = simulate(Workload("rigid", "m/d/1", jobs, machine={"processors": 1}), "fcfs")
        waits[place] = (run.jobs["start"] - run.jobs["release"])[100:].mean()

    found = samples(waits, level=0.9)
    covered = int(((found.low <= 5.0) & (found.high >= 5.0)).sum())

    assert covered >= 8, "of 12; fewer has a probability below one in 200"


def test_too_few_samples_are_said():
    assert too_few(1) == "one sample has no interval; take 5 or more"
    assert too_few(4) == "the interval of 4 samples says little; take 5 or more"
    assert too_few(5) is None and too_few(0) is None


def test_samples_that_follow_each_other_are_said():
    rng = np.random.default_rng(3)

    assert resemblance(rng.normal(size=40)) is None
    assert "correlation" in (resemblance(np.cumsum(rng.normal(size=40))) or "")
    assert resemblance(np.arange(5.0)) is None, "too few to tell"


def test_pairs_by_hand():
    """Ratios 1/2, 1/8, 1: logs -log 2, -3 log 2, 0; their mean is -4/3 log 2."""
    found = paired(np.array([1.0, 1.0, 3.0, 5.0]), np.array([2.0, 8.0, 3.0, np.nan]))

    assert (found.n, found.smaller, found.larger, found.equal, found.left_out) == (3, 2, 0, 1, 0)
    assert found.log_ratio == pytest.approx(-4 / 3 * np.log(2))
    assert found.ratio == pytest.approx(2 ** (-4 / 3))
    assert found.low < found.log_ratio < found.high
    assert found.p == 0.5, "two of two: 2 (1/2)^2"


def test_a_wait_of_zero_has_no_logarithm_but_a_side():
    found = paired(np.array([0.0, 0.0, 4.0]), np.array([5.0, 0.0, 2.0]))

    assert (found.smaller, found.equal, found.larger, found.left_out) == (1, 1, 1, 1)
    assert found.log_ratio == pytest.approx(np.log(2) / 2)


def test_nothing_in_common_is_no_comparison():
    found = paired(np.array([np.nan]), np.array([1.0]))

    assert found.n == 0 and np.isnan(found.log_ratio) and found.p == 1.0


def test_sign_test_by_hand():
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 5) == 1.0
    assert sign_test(10, 0) == pytest.approx(2 / 1024)


def test_ranks_share_ties_and_friedman_sees_what_is_always_first():
    table = np.array([[1.0, 2.0, 2.0], [1.0, 3.0, 2.0], [2.0, 4.0, 9.0], [np.nan, 1.0, 1.0]] * 4)

    assert mean_ranks(table).tolist() == pytest.approx([1.0, 2.5, 2.5])
    assert friedman(table) < 0.001
    assert friedman(np.ones((4, 3))) == 1.0
    assert np.isnan(friedman(table[:, :2]))


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
