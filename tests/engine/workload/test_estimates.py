"""Requested times after Tsafrir, Etsion and Feitelson against statistics of the authors' own program."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.errors import InvalidParameter, UnsupportedWorkload
from shadowtime.engine.workload.conversions import tsafrir
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.reading import read
from tests.engine.workload.test_instances import FRACTIONAL, TWO_TIER, instance
from tests.strategies import rigid_workloads

REFERENCE = json.loads(Path(__file__).with_name("tsafrir05.json").read_text())
SETTINGS = {setting["setting"]: setting for setting in REFERENCE["settings"]}
ASSIGNED = {setting["setting"]: setting for setting in REFERENCE["assigned"]}
LARGEST_ALONE = [name for name, setting in SETTINGS.items() if "," not in str(setting["user_bins_percent"])]
SEEDS = range(12)


def share(setting: dict) -> float:
    """Percent at the maximum: 23.8 of "64800=23.8"."""
    return float((setting["user_bins_percent"] or "=0").partition("=")[2])


@pytest.mark.parametrize("name", SETTINGS)
def test_the_times_are_those_of_the_program(name):
    setting = SETTINGS[name]
    head = tsafrir.head_times(setting["maximum"])
    tail = tsafrir.tail_times(tsafrir.distinct(setting["jobs"]), setting["maximum"], head)

    assert head[0] == setting["maximum"] and sorted(head) == setting["head"]
    assert sorted(tail) == setting["tail"]
    assert len(head) + len(tail) == setting["distinct"]


@pytest.mark.parametrize("name", LARGEST_ALONE)
def test_their_popularity_is_that_of_the_program(name):
    """Percents of the 40 most popular; the program's are printed to two to four places after the point."""
    setting = SETTINGS[name]
    jobs = setting["jobs"]
    means = []
    for seed in SEEDS:
        times, counts = tsafrir.histogram(jobs, setting["maximum"], share(setting), np.random.default_rng(seed))
        assert counts.sum() == jobs
        assert np.sort(counts)[::-1][:40] * 100 / jobs == pytest.approx(setting["percents"], abs=0.002)
        means.append(times @ counts / jobs)

    low, high = setting["mean"]
    assert low <= np.mean(means) <= high


def test_ranks_are_given_by_the_last_row_that_names_them():
    last = {rank: row for row, ranks in enumerate(tsafrir.POPULARITY) for rank in ranks}
    drawn = [tsafrir.head_ranks(np.random.default_rng(seed)) for seed in range(200)]

    for ranks in drawn:
        assert sorted(ranks.tolist()) == list(range(1, 21)) and ranks[0] == 1
        assert all(rank in np.array(tsafrir.POPULARITY)[: row + 1] for row, rank in enumerate(ranks))
    # at most one is due a row, so a rank can come a row late, and none later than two
    assert max(row - last[rank] for ranks in drawn for row, rank in enumerate(ranks)) <= 2


@pytest.mark.parametrize("name", ASSIGNED)
def test_assigned_estimates_lie_within_the_spread_of_the_programs_seeds(name, request):
    """Means over seeds, within three seeds of the program widened by their own width: its list shuffles never vary."""
    setting = ASSIGNED[name]
    if "lublin" in name:
        workload = generate("lublin", {"jobs": 100_000, "classes": "typeless"}, 1)
    else:
        path = request.getfixturevalue("traces") / "CTC-SP2-1996-3.1-cln.swf.gz"
        with path.open("rb") as stream:
            workload = read(stream, path.name)
    asked = {"maximum": setting["maximum"], "share": share(setting), "longer": "cut"}
    seeds = [statistics(convert(workload, "estimates", asked, seed)) for seed in SEEDS]

    outside = []
    for key, (low, high) in setting["spread"].items():
        # how many runtimes are cut and so exact is not the program's doing, but the drawn workload's
        least = 0.1 if (name, key) == ("lublin_typeless128_10h", "share_exact") else 0.01
        value, slack = np.mean([found[key] for found in seeds]), max(high - low, least * abs(high))
        if not low - slack <= value <= high + slack:
            outside.append((key, low, value, high))
    assert not outside


def statistics(workload: Workload) -> dict[str, float]:
    runtime, asked = workload.jobs["runtime"], workload.jobs["requested"]
    accuracy = runtime / asked
    return {
        "estimate.mean": asked.mean(),
        "estimate.std": asked.std(),
        "estimate.mean_ln": np.log(asked).mean(),
        "accuracy.mean": accuracy.mean(),
        "accuracy.mean_ln": np.log(accuracy).mean(),
        **{f"accuracy.q{q}": np.quantile(accuracy, q / 100) for q in (25, 50, 75, 90)},
        "correlation": np.corrcoef(np.log(runtime), np.log(asked))[0, 1],
        "share_at_maximum": (asked == asked.max()).mean(),
        "share_exact": (runtime == asked).mean(),
    }


@given(rigid_workloads(max_time=100_000), st.integers(0, 50), st.sampled_from([3600, 5000, 64_800]),
       st.sampled_from([0, 10, 89]), st.sampled_from(["keep", "cut"]))  # fmt: skip
def test_no_estimate_is_below_its_runtime(workload, seed, maximum, share, longer):
    values = {"maximum": maximum, "share": share, "longer": longer}
    made = convert(workload, "estimates", values, seed)
    again = convert(workload, "estimates", values, seed)

    assert (made.jobs["requested"] >= made.jobs["runtime"]).all() and made.has_estimates
    assert np.array_equal(made.jobs["requested"], again.jobs["requested"])
    cut = np.minimum(workload.jobs["runtime"], maximum) if longer == "cut" else workload.jobs["runtime"]
    assert np.array_equal(made.jobs["runtime"], cut)


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 20)), min_size=1, max_size=30), st.integers(0, 99))
def test_estimates_are_given_out_once_each(pairs, seed):
    """Runtimes and estimates that fit, shuffled against each other."""
    rng = np.random.default_rng(seed)
    runtime = np.array([float(p) for p, _ in pairs])
    estimates = rng.permutation(np.array([float(p + more) for p, more in pairs]))

    state = rng.bit_generator.state
    given = tsafrir.assign(runtime, estimates, rng)
    rng.bit_generator.state = state
    by_compiled_code = tsafrir.assign(runtime, estimates, rng, many=0)

    assert by_compiled_code.tobytes() == given.tobytes()
    assert sorted(given) == sorted(estimates) and (given >= runtime).all()


@pytest.mark.parametrize("jobs", [1, 2, 5, 19, 20, 21, 150, 200, 201])
@pytest.mark.parametrize("maximum", [3600, 5999, 64_800])
def test_few_jobs_have_few_estimates(jobs, maximum):
    times, counts = tsafrir.histogram(jobs, maximum, 0, np.random.default_rng(jobs))

    assert counts.sum() == jobs and counts.min() >= 0
    assert len(set(times.tolist())) == len(times) and times.max() == maximum


def test_report_says_what_was_drawn_and_what_did_not_fit():
    """Three of the jobs outlast all estimates; the fourth could take any."""
    runtime = np.array([5 * 3600.0, 4 * 3600.0, 7201.0, 1.0])
    jobs = job_table(np.arange(4), runtime, np.ones(4))
    workload = Workload(kind="rigid", name="w", jobs=jobs, machine={"processors": 4})

    kept = convert(workload, "estimates", {"maximum": 7200})
    cut = convert(workload, "estimates", {"maximum": "7200", "longer": "cut", "share": 89})

    assert kept.report[-1] == "For 3 jobs none of these is long enough: the runtime itself is requested."
    assert kept.jobs["requested"][:3].tolist() == runtime[:3].tolist()
    assert cut.report[0].startswith("Requested times drawn after Tsafrir et al. 2005: ")
    assert "up to 2 h, which 75 % of the jobs request." in cut.report[0]
    assert cut.report[1] == "3 runtimes above 2 h were cut to it."
    assert cut.jobs["runtime"].tolist() == [7200, 7200, 7200, 1]


def test_two_tier_jobs_keep_their_processes():
    pair = instance(TWO_TIER)

    made = convert(pair, "estimates")

    assert made.kind == "two_tier" and made.parts is pair.parts and made.jobs["loss"] is pair.jobs["loss"]


def test_refusals():
    with pytest.raises(InvalidParameter, match="estimates: maximum = '60', but it must be a whole number from 3,600"):
        convert(instance(TWO_TIER), "estimates", {"maximum": 60})
    with pytest.raises(UnsupportedWorkload, match="takes rigid or two_tier workloads"):
        convert(instance(FRACTIONAL, "a"), "estimates")
