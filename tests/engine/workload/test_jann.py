"""The generator after Jann et al. 1997 against a sample of the same fit, and beside what MEASY's study states."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.families.rigid.generators import jann
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.offered import offered_load

REFERENCE = json.loads(Path(__file__).with_name("jann97.json").read_text())["settings"][0]
AS_FITTED = {"jobs": 98_333, "processors": 322, "mean_runtime": 0}
ENDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 322)


@cache
def fitted() -> tuple[Workload, ...]:
    return tuple(generate("jann", AS_FITTED, seed) for seed in (0, 1, 2))


def average(statistic) -> float:
    """The mean of a statistic over the seeds."""
    return float(np.mean([statistic(workload.jobs) for workload in fitted()]))


def test_means_of_the_laws():
    means = [[one.gap.mean, one.runtime.mean] for one in jann.RANGES]

    assert np.allclose(means, REFERENCE["fitted_means"], rtol=1e-4)


@pytest.mark.parametrize("law", [law for one in jann.RANGES for law in (one.gap, one.runtime)], ids=repr)
def test_draws_have_the_moments_of_a_hyper_erlang_law(law):
    drawn = law.draw(100_000, np.random.default_rng(1))
    square = law.order * (law.order + 1) * (law.p / law.rate1**2 + (1 - law.p) / law.rate2**2)

    assert drawn.mean() == pytest.approx(law.mean, rel=0.03)
    assert (drawn**2).mean() == pytest.approx(square, rel=0.1)


def test_sizes_come_from_the_log():
    ranges = [(min(one.sizes), max(one.sizes)) for one in jann.RANGES]
    assert all(low <= bottom and top <= high for (bottom, top), low, high in zip(
        ranges, (1, 2, 3, 5, 9, 17, 33, 65, 129, 257), ENDS, strict=True))  # fmt: skip
    assert sum(sum(one.sizes.values()) for one in jann.RANGES) == 17_702

    drawn = jann.sizes(jann.RANGES[2], 10_000, np.random.default_rng(0))
    assert set(drawn.tolist()) == {3, 4} and (drawn == 3).mean() == pytest.approx(373 / 2336, abs=0.01)


@pytest.mark.parametrize(
    ("name", "statistic"),
    [
        ("size.mean", lambda jobs: jobs["processors"].mean()),
        ("size.std", lambda jobs: jobs["processors"].std()),
        ("size.mean_log2", lambda jobs: np.log2(jobs["processors"]).mean()),
        ("size.serial_share", lambda jobs: (jobs["processors"] == 1).mean()),
        ("runtime.mean", lambda jobs: jobs["runtime"].mean()),
        ("runtime.std", lambda jobs: jobs["runtime"].std()),
        ("runtime.mean_ln_of_positive", lambda jobs: np.log(jobs["runtime"]).mean()),
        ("runtime_quantiles.25", lambda jobs: np.quantile(jobs["runtime"], 0.25)),
        ("runtime_quantiles.50", lambda jobs: np.quantile(jobs["runtime"], 0.50)),
        ("runtime_quantiles.90", lambda jobs: np.quantile(jobs["runtime"], 0.90)),
        ("gap.mean", lambda jobs: np.diff(jobs["release"]).mean()),
        ("gap.std", lambda jobs: np.diff(jobs["release"]).std()),
        ("gap_quantiles.50", lambda jobs: np.quantile(np.diff(jobs["release"]), 0.5)),
        ("gap_quantiles.95", lambda jobs: np.quantile(np.diff(jobs["release"]), 0.95)),
        ("offered_load_on_322", lambda jobs: offered_load(jobs, 322)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_statistics_are_those_of_the_reference_sample(name, statistic):
    """One sample there, three here: heavy tails move means by 2 to 4 % from sample to sample."""
    group, _, key = name.partition(".")
    expected = REFERENCE[group][key] if key else REFERENCE[group]

    assert average(statistic) == pytest.approx(expected, rel=0.04)


def test_size_and_runtime_hang_together_as_in_the_reference():
    correlation = average(lambda jobs: np.corrcoef(np.log2(jobs["processors"]), np.log(jobs["runtime"]))[0, 1])

    assert correlation == pytest.approx(REFERENCE["size_runtime_correlation"], abs=0.01)


def test_defaults_come_near_what_the_study_states():
    """Mean size 10.5, mean runtime 11,267.0 s, about 40.8 % serial."""
    for seed in range(3):
        jobs = generate("jann", {"jobs": 100_000}, seed).jobs

        assert jobs["processors"].mean() == pytest.approx(10.5, rel=0.04)
        assert jobs["runtime"].mean() == pytest.approx(11_267.0, rel=0.02)
        assert (jobs["processors"] == 1).mean() == pytest.approx(0.408, abs=0.02)


def test_factors_on_serial_jobs_and_on_runtimes():
    few = [generate("jann", {"jobs": 100_000, "serial": 0.5, "mean_runtime": 5000}, seed).jobs for seed in range(2)]

    odds = 0.5 * 0.417 / 0.583
    assert np.mean([(jobs["processors"] == 1).mean() for jobs in few]) == pytest.approx(odds / (1 + odds), abs=0.01)
    assert np.mean([jobs["runtime"].mean() for jobs in few]) == pytest.approx(5000, rel=0.02)


def test_a_wanted_load_is_offered_by_the_same_jobs():
    asis, busy = generate("jann"), generate("jann", {"load": 0.6})

    assert offered_load(busy.jobs, 320) == pytest.approx(0.6, rel=1e-3)
    assert all(np.array_equal(busy.jobs[name], asis.jobs[name]) for name in ("processors", "runtime"))


def test_report_puts_both_side_by_side_and_says_what_it_is():
    report = generate("jann", {"jobs": 20_000, "processors": 128}).report

    assert report[1].endswith("% serial.")
    assert report[2].endswith("sizes above 128 processors were cut to 128.")
    assert report[3] == "Our own fit to the CTC SP2 log: not the table of 1997, which was not found."
    assert (
        generate("jann")
        .report[1]
        .endswith("% serial; Liu et al. 2012 state 10.5, 11,267.0 s and about 40.8 % for 100,000 jobs.")
    )


@pytest.mark.parametrize("processors", [1, 3, 320, 1000])
def test_jobs_fit_any_machine(processors):
    jobs = generate("jann", {"jobs": 3000, "processors": processors}, 4).jobs

    assert jobs["processors"].min() == 1 and jobs["processors"].max() <= processors
    assert jobs["runtime"].min() >= 1 and jobs["release"][0] >= 0
    assert all((jobs[name] == np.floor(jobs[name])).all() for name in ("release", "runtime"))


def test_a_horizon_that_is_too_near_is_moved(monkeypatch):
    """The ranges' rates taken for far higher than they are: the first horizon holds too few submissions."""
    right = jann.rates
    monkeypatch.setattr(jann, "rates", lambda serial: 10 * right(serial))

    drawn = jann.streams(5000, 1.0, np.random.default_rng(0))

    assert sum(map(len, drawn)) >= 5000
    assert all((np.diff(times) >= 0).all() for times in drawn)
