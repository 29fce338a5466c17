"""What a run is held against: the best bound by metric, the object of `bound --json`, and the loud failure."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine.bounds.fluid import Fluid
from shadowtime.engine.bounds.registry import Bounds, bound, check, lower_bounds
from shadowtime.engine.errors import InvalidWorkload, SimulationError, UnknownName, UnsupportedWorkload
from shadowtime.engine.metrics.registry import metrics
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import families, find_family
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload, job_table
from tests.engine.bounds.instances import machine, works
from tests.engine.metrics.examples import FOUR, finished, four_under_easy, schedule

TEN = machine(10)


def test_four_jobs_of_the_contract():
    found = lower_bounds(FOUR, TEN)

    assert found.values["makespan"] == 1002.0
    assert found.names["makespan"] == "longest_job"
    assert found.all["makespan"] == {"longest_job": 1002.0, "area": 490.0}
    check(summarize(four_under_easy(), FOUR, TEN), found)


def test_one_criterion_as_the_command_prints_it():
    assert bound(FOUR, TEN, "makespan") == {
        "criterion": "makespan",
        "bound": 1002.0,
        "name": "longest_job",
        "bounds": {"longest_job": 1002.0, "area": 490.0},
    }
    assert bound(FOUR, TEN, "weighted-completion")["bound"] == 1166.0
    assert bound(FOUR, TEN, "max-stretch")["name"] == "cut"


def test_what_is_released_late_cannot_be_packed_early():
    jobs = job_table(
        release=np.array([0.0, 100.0, 100.0]), runtime=np.array([1.0, 50.0, 50.0]), processors=np.full(3, 10)
    )

    found = bound(Workload("rigid", "late", jobs), TEN, "makespan")

    assert (found["bound"], found["name"]) == (200.0, "area")


def test_jobs_larger_than_the_machine_bound_nothing():
    found = lower_bounds(FOUR, machine(8))

    assert found.values["weighted_completion"] == 100.0 + 1002.0 + 53.0
    assert lower_bounds(FOUR, machine(3)) == Bounds()
    with pytest.raises(InvalidWorkload, match="no job fits"):
        bound(FOUR, machine(3), "makespan")


def test_fractional_jobs_that_memory_forbids_bound_nothing():
    jobs = job_table(
        release=np.zeros(2), runtime=np.array([10.0, 99.0]), processors=np.array([2, 3]),
        cpu_need=np.full(2, 0.1), memory=np.array([0.5, 0.51]),
    )  # fmt: skip
    workload = Workload("fractional", "memory", jobs)

    assert lower_bounds(workload, machine(2)).values["makespan"] == 10.0
    assert lower_bounds(workload, machine(3)).values["makespan"] == 99.0


def test_a_question_that_has_no_answer_is_refused_in_one_sentence():
    with pytest.raises(
        UnknownName, match="unknown criterion 'speed'; known: makespan, weighted-completion, max-stretch"
    ):
        bound(FOUR, TEN, "speed")
    with pytest.raises(UnsupportedWorkload, match="no bound on max-stretch is proven for moldable workloads"):
        bound(FOUR.with_(kind="moldable"), TEN, "max-stretch")
    with pytest.raises(UnknownName, match="unknown family"):
        lower_bounds(FOUR.with_(kind="strange"), TEN)


def test_a_run_below_its_bound_fails_loudly():
    values = summarize(four_under_easy(), FOUR, TEN) | {"makespan": 1001.0}

    with pytest.raises(
        SimulationError, match=r"makespan = 1001\.0 is below its proven lower bound 1002\.0 \(longest_job\)"
    ):
        check(values, lower_bounds(FOUR, TEN))


def test_rounding_is_no_failure_and_a_missing_metric_neither():
    check({"makespan": 1002.0 * (1.0 - 1e-9)}, lower_bounds(FOUR, TEN))


def test_every_bounded_metric_is_in_the_registry():
    assert set(find_family("rigid").bounded) <= set(metrics())
    assert set(find_family("classed").bounded) <= set(metrics())


@settings(max_examples=60, deadline=None)
@given(works(most=10), st.randoms(use_true_random=False))
def test_no_fluid_schedule_falls_below_any_bound(jobs, random):
    """Jobs in random order of urgency, each at the highest rate left to it, drawn anew at each event."""
    workload = Workload(
        "fractional",
        "drawn",
        job_table(
            release=jobs.release,
            runtime=jobs.runtime,
            weight=jobs.weight,
            processors=np.ones(len(jobs)),
            cpu_need=jobs.width,
            memory=np.full(len(jobs), 0.1),
        ),
    )
    left, end = jobs.runtime.copy(), np.full(len(jobs), np.nan)
    now = float(jobs.release[0])
    while np.isnan(end).any():
        ready = [j for j in range(len(jobs)) if np.isnan(end[j]) and jobs.release[j] <= now]
        coming = [value for value in jobs.release if value > now]
        random.shuffle(ready)
        room, rate = jobs.lanes, {}
        for j in ready:
            rate[j] = min(1.0, room / jobs.width[j])
            room -= rate[j] * jobs.width[j]
        ends = {j: now + left[j] / rate[j] for j in ready if rate[j] > 1e-9}
        after = min([*coming[:1], *ends.values()])
        for j in ends:
            left[j] -= rate[j] * (after - now)
            if ends[j] <= after:
                end[j] = after
        now = after
    run = schedule(workload, 1, finished(workload, jobs.release, end))

    check(summarize(run, workload, machine(jobs.lanes)), lower_bounds(workload, machine(jobs.lanes), jobs=run.jobs))


SMALL = {
    "rigid": ("uniform", []),
    "two_tier": ("uniform", ["two_tier"]),
    "fractional": ("fractional", []),
    "moldable": ("moldable", []),
    "multitask": ("multitask", []),
    "classed": ("classed", []),
}


def test_a_family_names_the_metrics_that_its_bounds_have():
    assert set(SMALL) == set(families())
    for name, (generator, steps) in SMALL.items():
        workload = generate(generator, {"jobs": 5}, seed=1)
        for step in steps:
            workload = convert(workload, step)
        family = find_family(name)
        source = family.bounds(workload, Platform.of(workload).lanes, 10.0, None, migrates=None, alone=True)
        methods = {one for one in dir(source) if not one.startswith("_") and one in metrics()}
        assert methods >= set(family.bounded)
        if isinstance(source, Fluid) and name != "classed":
            assert methods == set(family.bounded)


def test_looking_up_a_family_compiles_nothing():
    code = "import sys, shadowtime.engine.registry; sys.exit('numba' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0
