"""The generator after Feitelson 1996 against exact sums over its laws, and beside what MEASY's study states."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.rigid.generators import feitelson
from shadowtime.engine.registry import find_generator
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.offered import offered_load

REFERENCE = json.loads(Path(__file__).with_name("feitelson96.json").read_text())
SETTINGS = {setting["setting"]: setting for setting in REFERENCE["settings"]}
NAMES = {"order": "order", "serial": "serial", "x2": "powers_of_two", "x10": "tens"}
PLAIN = {"serial": 1.0, "powers_of_two": 1.0, "tens": 1.0}


def parameters(setting: str) -> dict:
    given = SETTINGS[setting]["parameters"]
    return {"processors": given["N"], **PLAIN, **{NAMES[name]: given[name] for name in NAMES if name in given}}


def values(**changes) -> dict:
    return find_generator("feitelson").resolve(changes, 0)[0]


@pytest.mark.parametrize("setting", SETTINGS)
def test_sums_over_the_laws(setting):
    exact = SETTINGS[setting]["exact"]
    law = feitelson.size_law(processors := parameters(setting)["processors"], values(**parameters(setting)))
    means = feitelson.mean_runtimes(processors)
    n = np.arange(1, processors + 1)
    wide = (np.log2(n) % 1 == 0) & (n > 1)

    assert {
        "mean_size": law @ n,
        "serial_share": law[0],
        "pow2_share_of_parallel": law[wide].sum() / law[1:].sum(),
        "mean_log2_size": law @ np.log2(n),
        "mean_runtime_units": law @ means,
        "mean_runtime_units_serial": means[0],
        "mean_runtime_units_full_machine": means[-1],
    } == {name: pytest.approx(value, rel=1e-4) for name, value in exact.items()}


@pytest.mark.parametrize("setting", SETTINGS)
def test_runtimes_are_those_of_the_reference_sample(setting):
    """Both are samples: 100,000 jobs there, 200,000 here; their tails differ by some per cent."""
    exact, sample = SETTINGS[setting]["exact"], SETTINGS[setting]["runtime_units"]
    unit = 10_000.0
    scaled = {"mean_runtime": unit * exact["mean_runtime_units"], "repeats": False, "jobs": 200_000}
    jobs = generate("feitelson", parameters(setting) | scaled, 1).jobs
    runtime = jobs["runtime"] / unit

    assert runtime.mean() == pytest.approx(exact["mean_runtime_units"], rel=0.015)
    assert runtime.std() == pytest.approx(sample["std"], rel=0.04)
    assert np.log(runtime).mean() == pytest.approx(sample["mean_ln_of_positive"], abs=0.01)
    for q in ("25", "50", "75", "90", "95", "99"):
        assert np.quantile(runtime, int(q) / 100) == pytest.approx(sample["quantiles"][q], rel=0.04)
    correlation = np.corrcoef(np.log2(jobs["processors"]), np.log(runtime))[0, 1]
    assert correlation == pytest.approx(SETTINGS[setting]["size_runtime_correlation"], abs=0.01)


def test_defaults_come_near_what_the_study_states():
    """Mean size 23.4, mean runtime 2,606.6 s, less than 18 % serial; long chains of repeats spread the seeds."""
    law, n = feitelson.size_law(320, values()), np.arange(1, 321)
    drawn = [generate("feitelson", {"jobs": 200_000}, seed) for seed in range(3)]

    assert law @ n == pytest.approx(23.4, rel=0.01) and 0.17 < law[0] < 0.18
    for workload in drawn:
        assert workload.jobs["processors"].mean() == pytest.approx(23.4, rel=0.05)
        assert workload.jobs["runtime"].mean() == pytest.approx(2606.6, rel=0.01)
        assert (workload.jobs["processors"] == 1).mean() < 0.18


def test_a_repeat_comes_when_the_run_before_would_have_ended():
    """Submissions so far apart that jobs do not overlap: runs of one job then stand side by side."""
    jobs = generate("feitelson", {"jobs": 4000, "gap": 1e6, "mean_runtime": 10}, 2).jobs
    gap, runtime, size = np.diff(jobs["release"]), jobs["runtime"][:-1], jobs["processors"]
    again = np.abs(gap - runtime) <= 1

    assert 0.4 < again.mean() < 0.6
    assert (np.diff(size)[again] == 0).all()
    assert gap[~again].mean() == pytest.approx(1e6, rel=0.1)
    # lengths of the chains follow the law of repeats
    runs = np.diff(np.flatnonzero(np.concatenate([[True], ~again])))
    shares = np.bincount(runs)[1:4] / len(runs)
    assert shares == pytest.approx(SETTINGS["plain_harmonic_320"]["repeats"][:3], abs=0.03)


def test_without_repeats_submissions_are_a_poisson_stream():
    workload = generate("feitelson", {"jobs": 20_000, "repeats": "no"}, 1)
    gaps = np.diff(workload.jobs["release"])

    assert gaps.mean() == pytest.approx(600, rel=0.03) and gaps.std() == pytest.approx(600, rel=0.03)
    assert not any("again" in sentence for sentence in workload.report)


def test_a_wanted_load_is_offered_by_the_same_jobs():
    asis, busy = generate("feitelson"), generate("feitelson", {"load": 0.9})

    assert offered_load(busy.jobs, 320) == pytest.approx(0.9, rel=1e-3)
    assert all(np.array_equal(busy.jobs[name], asis.jobs[name]) for name in ("processors", "runtime"))


def test_report_puts_both_side_by_side_and_says_what_it_is():
    report = generate("feitelson", {"jobs": 3000}, 3).report

    assert report[1].startswith("Mean size 2") and report[1].endswith(
        "% serial; Liu et al. 2012 state 23.4, 2,606.6 s and less than 18 % for 200,000 jobs."
    )
    assert report[2].endswith("jobs were run again: each submitted when the run before would have ended, had it not "
                              "waited.")  # fmt: skip
    assert report[3] == "A reconstruction: not the program of 1996, which was not found."
    assert generate("feitelson", {"processors": 64}).report[1].endswith("% serial.")


@pytest.mark.parametrize("processors", [1, 2, 7, 64, 1000])
def test_jobs_fit_any_machine(processors):
    jobs = generate("feitelson", {"jobs": 3000, "processors": processors}, 4).jobs

    assert jobs["processors"].min() >= 1 and jobs["processors"].max() <= processors
    assert jobs["runtime"].min() >= 1 and jobs["release"][0] >= 0
    assert all((jobs[name] == np.floor(jobs[name])).all() for name in ("release", "runtime"))


def test_factors_must_leave_a_size():
    with pytest.raises(InvalidParameter, match="feitelson: its factors leave no size to draw"):
        generate("feitelson", {"processors": 2, "serial": 0, "powers_of_two": 0})
