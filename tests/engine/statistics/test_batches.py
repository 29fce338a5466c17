"""Batch means of one run."""

import json

import numpy as np
import pytest
import scipy.stats

from shadowtime.engine.statistics import batches as statistics
from tests.engine.golden import golden_files


@pytest.mark.parametrize("path", golden_files("metrics"), ids=lambda path: path.stem)
def test_golden_batch_means(path):
    given = json.loads(path.read_text())
    case, tolerance = given["batch_means"], given["tolerance"]

    result = statistics.batch_means(np.array(case["values"]), batches=case["batches"], level=case["level"])

    assert result.averages == pytest.approx(case["expected"]["batch_averages"], rel=tolerance)
    assert result.mean == pytest.approx(case["expected"]["mean"], rel=tolerance)
    assert result.half_width == pytest.approx(case["expected"]["half_width"], rel=tolerance)
    assert result.warning is None


def test_what_does_not_fill_the_batches_is_dropped_from_the_front():
    result = statistics.batch_means(np.array([99.0, 1.0, 3.0, 5.0, 7.0]), batches=2)

    assert result.averages.tolist() == [2.0, 6.0]
    assert (result.low, result.high) == (4.0 - result.half_width, 4.0 + result.half_width)


def test_warm_up_drops_the_first_share_in_submission_order():
    assert statistics.after_warm_up(np.arange(25.0), 0.1).tolist() == list(range(2, 25))
    with pytest.raises(ValueError, match="warm-up"):
        statistics.after_warm_up(np.arange(3.0), 1.0)


def test_jobs_that_never_ended_are_left_out():
    result = statistics.batch_means(np.array([1.0, np.nan, 3.0, 5.0, 7.0]), batches=2)

    assert result.averages.tolist() == [2.0, 6.0]


def test_a_drifting_run_is_warned_about():
    result = statistics.batch_means(np.arange(200.0))

    assert result.lag_one > 0.8
    assert "too narrow" in result.warning


@pytest.mark.parametrize(("batches", "level"), [(1, 0.95), (20, 1.0), (20, 0.95)])
def test_questions_without_an_answer_are_refused(batches, level):
    with pytest.raises(ValueError, match="batches"):
        statistics.batch_means(np.ones(10), batches=batches, level=level)


def test_the_interval_covers_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(11)
    hits = 0
    for _ in range(400):
        result = statistics.batch_means(rng.exponential(5.0, 400), level=0.9)
        hits += result.low <= 5.0 <= result.high

    assert 0.85 < hits / 400 < 0.95


@pytest.mark.parametrize("degrees", [1, 9, 19, 200])
def test_t_quantile_is_that_of_scipy_stats(degrees):
    assert statistics.t_quantile(0.975, degrees) == pytest.approx(scipy.stats.t.ppf(0.975, degrees), rel=1e-12)


def test_a_ratio_of_sums_is_not_the_mean_of_ratios():
    values, bounds = np.array([2.0, 30.0]), np.array([1.0, 10.0])

    assert statistics.ratio_of_sums(values, bounds) == 32 / 11
