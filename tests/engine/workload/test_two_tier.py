"""Rigid jobs given usages, phi, losses and requested times."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.errors import InvalidParameter, InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.offered import offered_load
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.samples import find_sample
from tests.engine.workload.test_instances import FRACTIONAL, TWO_TIER, instance
from tests.strategies import rigid_workloads

JANN = generate("jann", {"jobs": 4000}, 1)
KNOWN = "the paper's mean and deviation are missing in every public text, these are remembered values, not verified."


def of(workload: Workload, **values) -> Workload:
    return convert(workload, "two_tier", values, seed=7)


def owners(workload: Workload) -> np.ndarray:
    """The size of the job that each process belongs to."""
    return np.repeat(workload.jobs["processors"], workload.jobs["processors"])


def rigid(processors, runtime, requested) -> Workload:
    n = len(processors)
    jobs = job_table(np.arange(n), np.array(runtime), np.array(processors), requested=np.array(requested, dtype="f8"))
    some = bool(np.isfinite(jobs["requested"]).any())
    return Workload(kind="rigid", name="w", jobs=jobs, machine={"processors": 8}, has_estimates=some)


def test_processes_lie_within_the_ranges_of_the_paper():
    made = of(JANN)
    size, usage, phi, loss = owners(made), made.parts["usage"], made.parts["phi"], made.jobs["loss"]

    assert made.kind == "two_tier" and made.machine == JANN.machine
    assert (usage[size == 1] == 1).all()
    assert usage[size > 1].min() >= 0.40 and usage[size > 1].max() <= 1
    assert usage[size > 1].mean() == pytest.approx(0.70, abs=0.005)
    assert phi[size == 1].min() >= 0.80 and phi[size == 1].max() <= 0.92
    assert phi[size > 1].min() == 0.198 and phi[size > 1].max() == 0.766
    assert np.median(phi[size > 1]) == pytest.approx(0.43, abs=0.005)
    assert np.quantile(phi[size > 1], 0.8413) == pytest.approx(0.43 + 0.14, abs=0.005)
    assert loss.min() >= 0.005 and loss.max() <= 0.04 and loss.mean() == pytest.approx(0.0225, abs=0.001)


@given(rigid_workloads(), st.integers(0, 9))
def test_each_job_owns_as_many_places_as_it_has_processes(workload, seed):
    made = convert(workload, "two_tier", {}, seed)
    first, usage, phi = made.parts["first"], made.parts["usage"], made.parts["phi"]

    assert list(made.parts) == ["first", "usage", "phi"]
    assert first[0] == 0 and np.diff(first).tolist() == workload.jobs["processors"].tolist()
    assert len(usage) == len(phi) == first[-1] and usage.dtype == phi.dtype == made.jobs["loss"].dtype == np.float64
    asked = made.jobs["requested"]
    assert (np.isnan(asked) | (asked >= made.jobs["runtime"])).all()


def test_usages_do_not_hang_on_loads_estimates_or_full_usage():
    """A sweep over them compares the same jobs."""
    plain = of(JANN)
    for other in (of(convert(JANN, "load", {"rho": 0.5})), of(JANN, estimates="exact"), of(JANN, usage="full")):
        assert np.array_equal(other.parts["phi"], plain.parts["phi"])
        assert np.array_equal(other.jobs["loss"], plain.jobs["loss"])
    assert np.array_equal(of(JANN, estimates="exact").parts["usage"], plain.parts["usage"])
    assert (of(JANN, usage="full").parts["usage"] == 1).all()
    assert not np.array_equal(convert(JANN, "two_tier", {}, 8).parts["phi"], plain.parts["phi"])


def test_sizes_and_usages_are_drawn_apart():
    """From one seed, and yet not from one stream of random numbers."""
    workload = generate("uniform", {"jobs": 4000, "processors": 2, "load": 0.5}, 7)
    made = of(workload)
    wide = made.jobs["processors"] == 2

    assert abs(np.corrcoef(made.jobs["loss"], made.jobs["runtime"])[0, 1]) < 0.05
    assert (
        abs(np.corrcoef(made.parts["usage"][made.parts["first"][:-1]][wide], made.jobs["runtime"][wide])[0, 1]) < 0.08
    )


def test_requested_times_of_the_workload_are_kept_and_raised():
    made = of(rigid([1, 2, 2, 4], [10, 10, 10, 10], [30, 10, 7, np.nan]))

    assert np.array_equal(made.jobs["requested"], [30, 10, 10, np.nan], equal_nan=True)
    assert made.report[-1] == "1 requested time below the runtime was raised to it."
    assert not any("requested" in said for said in of(rigid([1], [10], [30])).report)


def test_a_workload_without_requested_times_gets_those_that_users_give():
    made = of(rigid([1, 2], [10, 20], [np.nan, np.nan]))

    assert made.has_estimates and (made.jobs["requested"] >= made.jobs["runtime"]).all()
    assert made.report[-1].startswith("Requested times drawn after Tsafrir et al. 2005")


def test_requested_times_can_be_drawn_anew_or_exact():
    asked = rigid([1, 2, 2], [10, 20, 30], [11, 22, 33])

    tsafrir, exact = of(asked, estimates="tsafrir"), of(asked, estimates="exact")

    assert (tsafrir.jobs["requested"] % 300 == 0).all()
    assert exact.jobs["requested"].tolist() == [10, 20, 30]
    assert exact.report[-1] == "Every job requests exactly its runtime."
    assert asked.jobs["requested"].tolist() == [11, 22, 33], "the original stays as it was"


def test_report_says_which_values_are_not_verified():
    report = of(rigid([1, 2, 2], [1, 1, 1], [1, 1, 1])).report

    assert report[0] == (
        "5 processes drawn: usage between 0.4 and 1, 1 in jobs of one; losses between 0.005 and 0.04; "
        "phi in jobs of one between 0.8 and 0.92."
    )
    assert report[1] == (f"Phi in wider jobs is normal, mean 0.43, deviation 0.14, clipped to 0.198 and 0.766; {KNOWN}")
    other = of(rigid([2], [1], [1]), mu=0.482, sigma=0.142, usage="full").report
    assert other[0].startswith("2 processes drawn: usage 1 for all;")
    assert "mean 0.482, deviation 0.142" in other[1] and other[1].endswith("these are given with the question.")


def test_load_of_two_tier_jobs_counts_processors_times_runtime():
    made = convert(of(JANN), "load", {"rho": 0.9})

    assert offered_load(made.jobs, 320) == pytest.approx(0.9)
    assert made.kind == "two_tier" and made.parts["usage"] is not None
    step = {"name": "load", "parameters": {"processors": 0, "rho": 0.9}}
    assert [done["name"] for done in made.conversions] == ["two_tier", "load"] and made.conversions[1] == step


def test_a_week_of_a_log_takes_the_right_processes_along():
    made = of(JANN)
    week = convert(made, "week", {"k": 1})
    row = int(np.flatnonzero(made.jobs["job_id"] == week.jobs["job_id"][0])[0])
    size = int(week.jobs["processors"][0])

    assert week.parts["phi"][:size].tolist() == made.parts["phi"][made.parts["first"][row] :][:size].tolist()


def test_any_log_can_be_given_usages(traces):
    with (traces / "KTH-SP2-1996-2.1-cln.swf.gz").open("rb") as stream:
        made = of(read(stream, "KTH"))

    assert len(made) == 27_992 and made.clock is not None
    assert (made.jobs["requested"] >= made.jobs["runtime"]).all()


def test_the_four_jobs_can_share():
    assert of(find_sample("four").read()).parts["first"].tolist() == [0, 6, 16, 20, 24]


def test_refusals():
    with pytest.raises(UnsupportedWorkload, match=r"two_tier takes rigid workloads; file\.json#pair is a two_tier one"):
        of(instance(TWO_TIER))
    with pytest.raises(UnsupportedWorkload, match="two_tier takes rigid workloads"):
        of(instance(FRACTIONAL, "a"))
    with pytest.raises(InvalidParameter, match=r"two_tier: min_usage = 0\.9 is above max_usage = 0\.5"):
        of(JANN, min_usage=0.9, max_usage=0.5)
    with pytest.raises(InvalidParameter, match=r"two_tier: low = 0\.8 is above high = 0\.766"):
        of(JANN, low=0.8)
    with pytest.raises(InvalidWorkload, match=r"w has 4,294,967,294 processes; two_tier draws for at most 50,000,000"):
        of(rigid([2**31 - 1, 2**31 - 1], [1, 1], [1, 1]))
