"""Intervals of means: against scipy, inside their range, and covering as often as they say."""

from __future__ import annotations

import gzip
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadowtime.engine.metrics.nature import ANY, LARGEST, LARGEST_RATIO, MEAN, RATIO, SHARE, Nature
from shadowtime.engine.metrics.registry import metrics
from shadowtime.engine.statistics.bootstrap import bca, mean_interval
from shadowtime.engine.statistics.intervals import ERRATIC, interval, means, method_of

STUDIES = 4000
NATURES = (ANY, MEAN, RATIO, SHARE, LARGEST, LARGEST_RATIO)


def covered(low, high, true) -> float:
    return float(((low <= true) & (true <= high)).mean())


def test_without_a_range_the_interval_is_that_of_scipy():
    values = np.array([[3.0, 1.0], [5.0, 1.5], [4.0, np.nan], [9.0, 1.0]])

    found = means(values)

    low, high = scipy.stats.t.interval(0.95, 3, loc=values[:, 0].mean(), scale=scipy.stats.sem(values[:, 0]))
    assert (found.low[0], found.high[0]) == pytest.approx((low, high))
    assert found.blocks.tolist() == [4, 3]
    assert found.std[1] == pytest.approx(np.std([1.0, 1.5, 1.0], ddof=1))
    assert (found.min[1], found.max[1]) == (1.0, 1.5)


def test_one_block_has_no_deviation_and_none_has_nothing():
    found = means(np.array([[2.0, np.nan]]))

    assert found.mean.tolist()[0] == 2.0 and np.isnan([found.std[0], found.low[0], found.mean[1], found.min[1]]).all()


def test_log_t_by_hand():
    """Excesses 1, 2, 6 over 1: e = 3, s = sqrt(7), t of two degrees of freedom 4.3027."""
    found = interval(np.array([2.0, 3.0, 7.0]), RATIO)
    c, t = 7**0.5 / 3, scipy.stats.t.ppf(0.975, 2)

    assert found.method == "log-t" and found.blocks == 3 and found.mean == 4.0
    assert found.low == pytest.approx(1 + 3 * np.exp(-t * c / 3**0.5))
    assert found.high == pytest.approx(1 + 3 * np.exp(t * (c**2 / 3 + c**4 / 4) ** 0.5))
    assert "an interval of 3 blocks says little" in found.warnings[0]


def test_a_quantity_that_is_at_least_1_has_no_interval_below_it():
    values = np.array([2.0, 3.0, 5.0, 4.0, 4566.0])

    assert means(values).low < 0.0, "the plain t interval"
    assert 1.0 < interval(values, RATIO).low < interval(values, RATIO).mean == 916.0


@given(
    arrays(float, st.integers(1, 9), elements=st.floats(0.0, 1.0, allow_subnormal=False)),
    st.sampled_from(NATURES),
    st.floats(0.5, 0.999),
)
def test_intervals_are_inside_the_range_and_hold_the_mean(share, nature, level):
    values = share if nature is SHARE else (0.0 if nature.low == -np.inf else nature.low) + share * 1e6
    found = interval(values, nature, level=level)

    assert values.min() <= found.mean <= values.max()
    if found.blocks == 1:
        assert np.isnan([found.low, found.high]).all()
        return
    assert nature.low <= found.low and found.high <= nature.high
    if found.method == "bootstrap":
        assert values.min() <= found.low <= found.high <= values.max()
    else:
        assert found.low <= found.mean * (1 + 1e-12) + 1e-12 and found.mean <= found.high * (1 + 1e-12) + 1e-12


def test_a_maximum_of_blocks_that_hardly_differ_has_an_interval():
    values = np.array([2.4e-116, 0.0])

    found = interval(values, LARGEST)

    assert values.min() <= found.low <= found.mean <= found.high <= values.max()


@given(
    arrays(float, st.integers(2, 9), elements=st.floats(0.01, 100.0)),
    st.floats(1e-3, 1e3),
)
def test_a_log_t_interval_does_not_depend_on_the_unit(values, scale):
    one, other = interval(values, MEAN), interval(values * scale, MEAN)

    assert (other.low, other.mean, other.high) == pytest.approx(
        (one.low * scale, one.mean * scale, one.high * scale), rel=1e-6
    )


def test_equal_blocks_have_an_interval_of_no_width():
    for nature in NATURES:
        found = interval(np.full(4, 1.0), nature)
        assert (found.low, found.mean, found.high) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("nature", "value"), [(RATIO, 0.99), (SHARE, 1.01), (MEAN, -0.1)])
def test_a_value_outside_the_range_of_its_metric_is_refused(nature, value):
    with pytest.raises(ValueError, match="outside the range"):
        interval(np.array([1.0, value]), nature)


@pytest.mark.parametrize(
    ("nature", "value", "method"), [(SHARE, 1.05, "log-t"), (SHARE, -0.1, "t"), (MEAN, 2.0, "log-t")]
)
def test_a_range_that_values_leave_is_left_open_where_asked(nature, value, method):
    values = np.array([0.9, value, 0.8])
    found = interval(values, nature.around(values))

    assert found.method == method and found.low < values.mean() < found.high


def test_rounding_is_no_excess():
    assert interval(np.array([1.0 - 1e-9, 2.0, 3.0]), RATIO).low > 1.0


@pytest.mark.parametrize("n", [5, 10, 20, 40])
@pytest.mark.parametrize("sigma", [0.25, 0.5, 1.0])
def test_log_t_intervals_cover_the_mean_of_a_lognormal_law(n, sigma):
    values = 1.0 + np.random.default_rng(5).lognormal(0.0, sigma, (n, STUDIES))
    found = means(values, RATIO)

    assert 0.90 <= covered(found.low, found.high, 1.0 + np.exp(sigma**2 / 2)) <= 0.97


def test_plain_t_intervals_would_not_cover_it():
    """The same simulation can fail: 83 % for sigma = 1 and 5 blocks."""
    values = np.random.default_rng(5).lognormal(0.0, 1.0, (5, STUDIES))
    found = means(values)

    assert covered(found.low, found.high, np.exp(0.5)) < 0.86


@pytest.mark.parametrize("n", [5, 20])
def test_logit_t_intervals_cover_a_mean_share(n):
    values = np.random.default_rng(6).beta(8.0, 2.0, (n, STUDIES))
    found = means(values, SHARE)

    assert 0.90 <= covered(found.low, found.high, 0.8) <= 0.97


@pytest.mark.parametrize("n", [20, 40])
def test_bootstraps_cover_the_mean_of_maxima(n):
    """Maxima of 500 exponential values; their mean is the harmonic number. Below 20 blocks a warning is given."""
    values = -np.log1p(-(np.random.default_rng(7).random((n, 1000)) ** (1 / 500)))
    found = means(values, LARGEST)
    true = sum(1 / k for k in range(1, 501))

    assert found.method == "bootstrap"
    assert 0.90 <= covered(found.low, found.high, true) <= 0.97
    assert interval(values[:19, 0], LARGEST).warnings == ("a maximum is bootstrapped from 19 blocks; take 20 or more",)
    assert interval(values[:20, 0], LARGEST).warnings == ()


@cache
def weekly_means(name: str, column: str) -> np.ndarray:
    """Weekly means of a real log over the weeks with 100 jobs or more: runtimes [s] or bounded stretches."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    if not folder or not (Path(folder) / name).exists():
        pytest.skip(f"needs {name} in the folder SHADOWTIME_TRACES")
    with gzip.open(Path(folder) / name, "rt") as stream:
        rows = np.array([line.split(maxsplit=4)[1:4] for line in stream if line.strip() and line[0] != ";"], float)
    release, wait, runtime = rows[(rows[:, 2] > 0) & (rows[:, 1] >= 0)].T
    values = runtime if column == "runtime" else np.maximum(1.0, (wait + runtime) / np.maximum(runtime, 10.0))
    week = (release // 604_800).astype(int)
    count = np.bincount(week)
    return (np.bincount(week, values) / np.maximum(count, 1))[count >= 100]


@pytest.mark.parametrize(
    ("log", "column"),
    [
        ("CTC-SP2-1996-3.1-cln.swf.gz", "runtime"),
        ("CTC-SP2-1996-3.1-cln.swf.gz", "stretch"),
        ("KTH-SP2-1996-2.1-cln.swf.gz", "stretch"),
        ("SDSC-BLUE-2000-4.2-cln.swf.gz", "runtime"),
    ],
)
@pytest.mark.parametrize("n", [5, 10, 20])
def test_intervals_cover_the_mean_of_resampled_weeks_of_a_real_log(log, column, n):
    """Weeks are drawn with replacement, so that the mean of all weeks is the truth of these draws."""
    weeks = weekly_means(log, column)
    nature = MEAN if column == "runtime" else RATIO
    drawn = weeks[np.random.default_rng(8).integers(0, len(weeks), (n, STUDIES))]
    found = means(drawn, nature)

    assert weeks.std() < ERRATIC * (weeks.mean() - nature.low)
    assert 0.90 <= covered(found.low, found.high, weeks.mean()) <= 0.97


def test_few_weeks_of_long_jobs_cost_some_coverage():
    """The limit of the method, as documented: three of the weeks of KTH have twice the mean runtime, and 10 draws
    miss them all in half of the studies. A plain t interval covers less."""
    weeks = weekly_means("KTH-SP2-1996-2.1-cln.swf.gz", "runtime")
    drawn = weeks[np.random.default_rng(8).integers(0, len(weeks), (10, STUDIES))]
    ours, plain = means(drawn, MEAN), means(drawn)

    assert covered(plain.low, plain.high, weeks.mean()) < covered(ours.low, ours.high, weeks.mean())
    assert 0.88 <= covered(ours.low, ours.high, weeks.mean()) <= 0.91


def test_erratic_weeks_are_warned_of():
    values = np.array([1.0, 1.2, 1.1, 1.3, 1.2, 40.0])

    assert "a few of the 6 blocks decide the mean (coefficient of variation 2.1)" in interval(values, MEAN).warnings[0]


def test_the_bootstrap_is_that_of_scipy():
    values = np.random.default_rng(1).lognormal(0.0, 0.8, (15, 3))
    low, high = mean_interval(values)

    for n in range(3):
        theirs = scipy.stats.bootstrap((values[:, n],), np.mean, method="BCa", n_resamples=9999, rng=2)
        width = theirs.confidence_interval.high - theirs.confidence_interval.low
        assert (low[n], high[n]) == pytest.approx(tuple(theirs.confidence_interval), abs=0.06 * width)


def test_bca_ends_are_those_of_the_same_resamples_in_scipy():
    values = np.random.default_rng(4).exponential(1.0, 12)
    theirs = scipy.stats.bootstrap((values,), np.mean, method="BCa", n_resamples=4999, rng=1)
    left_out = np.array([np.delete(values, n).mean() for n in range(12)])
    low, high = bca(theirs.bootstrap_distribution[:, None], np.array([values.mean()]), left_out[:, None])

    assert (low[0], high[0]) == pytest.approx(tuple(theirs.confidence_interval), rel=2e-3)


def test_every_metric_has_a_range_and_maxima_are_bootstrapped():
    for metric in metrics().values():
        assert method_of(metric.nature) == ("bootstrap" if metric.name.startswith(("max_", "degradation")) else
                                            "logit-t" if metric.nature.high == 1.0 else
                                            "log-t" if metric.nature.low >= 0.0 else "t")  # fmt: skip
    assert metrics()["mean_bounded_stretch"].nature == RATIO
    assert Nature(kind="quantile").is_extreme
    assert metrics()["mean_flow"].nature == MEAN


@pytest.mark.parametrize(("nature", "at"), [(RATIO, 1.0), (SHARE, 1.0), (SHARE, 0.3), (MEAN, 4.2), (ANY, -7.1)])
def test_values_that_differ_by_rounding_have_an_interval_of_no_width(nature, at):
    values = np.array([at, np.nextafter(at, 9.0), at, np.nextafter(at, -9.0)])
    found = means(np.clip(values, nature.low, nature.high), nature)

    assert found.low == found.high == found.mean == pytest.approx(at, rel=1e-12)
