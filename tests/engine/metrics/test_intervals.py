"""Confidence intervals of the means of one run."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from shadowtime.engine.metrics.intervals import intervals


def run_of(flow):
    n = len(flow)
    return SimpleNamespace(
        jobs={"release": np.zeros(n), "start": np.zeros(n), "end": np.asarray(flow, float), "runtime": np.ones(n)}
    )


def test_interval_leaves_out_the_first_tenth_and_holds_the_mean():
    rng = np.random.default_rng(1)
    flow = np.concatenate([np.full(1000, 1e6), rng.exponential(100.0, 9000) + 1.0])
    found = intervals(run_of(flow))["mean_flow"]

    assert found["low"] < 101.0 < found["high"]
    assert found["jobs_per_batch"] == 450
    assert found["warning"] is None


def test_a_drifting_run_is_warned_of():
    assert "resemble" in intervals(run_of(np.arange(1.0, 5001.0)))["mean_flow"]["warning"]


@pytest.mark.parametrize(("jobs", "there"), [(222, False), (223, True)])
def test_short_runs_have_no_interval(jobs, there):
    assert bool(intervals(run_of(np.arange(1.0, jobs + 1.0)))) is there


def test_an_interval_stays_inside_the_range_of_its_metric():
    """Nineteen quiet batches and one with an outlier: mean - t s / sqrt(n) is below 0, and below 1 for a stretch."""
    flow = np.full(5000, 10.0)
    flow[-1] = 1e7
    found = intervals(run_of(flow))

    for name, least in (("mean_flow", 0.0), ("mean_bounded_stretch", 1.0)):
        one = found[name]
        assert least < one["low"] < one["mean"] < one["high"]


def test_equal_batches_have_an_interval_of_no_width():
    found = intervals(run_of(np.full(5000, 10.0)))["mean_bounded_stretch"]

    assert (found["low"], found["mean"], found["high"]) == (1.0, 1.0, 1.0)
