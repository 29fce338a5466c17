"""Jobs with a minimum number of processors, rigid jobs among them: every algorithm, its guarantee, tiny optima."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Platform, generate, simulate
from shadowtime.engine.families.moldable.policies.demt import grid
from shadowtime.engine.families.moldable.policies.dual import (
    NO_AREA,
    accepts,
    areas_of,
    is_monotonic,
    minimum,
    search,
)
from shadowtime.engine.families.moldable.policies.shelves import HALVES, build
from shadowtime.engine.families.moldable.workload import minimums, moldable
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.registry import algorithms
from shadowtime.engine.tables import FINISHED, REJECTED
from shadowtime.engine.workload.conversions.convert import convert
from tests.engine.conformance import EachConforms
from tests.engine.invariants import check_schedule
from tests.engine.moldable_golden import arriving, workload_of
from tests.reference import moldable_lp
from tests.reference import moldable_twin as twin
from tests.strategies import times_with_minimum

MOLDABLE = [slug for slug, algorithm in algorithms().items() if "moldable" in algorithm.kinds]
TWICE = 2.0
"""Guarantee of list scheduling on the allotments of an accepted guess, over the guess."""


@pytest.mark.parametrize("algorithm", MOLDABLE, scope="class")
class TestWithMinimum(EachConforms):
    make_workload = partial(arriving, minimum=0.7)

    def test_every_job_gets_its_work_and_no_lane_is_overfull(self, workload):
        schedule = simulate(workload, self.algorithm)

        check_schedule(schedule, rate_is_one=False)
        assert (schedule.jobs["processors"] >= minimums(workload)).all()  # none below its minimum

    def test_jobs_wider_than_the_machine_are_rejected_and_the_rest_run(self, workload):
        too_wide = minimums(workload) > 3
        schedule = simulate(workload, self.algorithm, platform={"processors": 3})

        assert too_wide.any() and not too_wide.all()
        assert (schedule.jobs["state"] == np.where(too_wide, REJECTED, FINISHED)).all()
        check_schedule(schedule, rate_is_one=False)

    def test_shifting_time_shifts_the_schedule(self, workload):
        later = workload.with_(jobs={**workload.jobs, "release": workload.jobs["release"] + 1024.0})
        here, there = simulate(workload, self.algorithm), simulate(later, self.algorithm)

        assert here.jobs["end"] + 1024.0 == pytest.approx(there.jobs["end"], rel=1e-12)

    def lonely(self):
        """One rigid job of two processors, submitted at 5, that takes 10 s."""
        return moldable(np.array([5.0]), np.array([0, 2]), np.array([np.inf, 10.0]), 3, "")


@pytest.mark.parametrize("slug", MOLDABLE)
@settings(max_examples=15, deadline=None)
@given(p=times_with_minimum(most_jobs=4, most_processors=3), seed=st.integers(0, 2**32 - 1))
def test_no_schedule_beats_the_optimum_of_a_few_jobs(slug, p, seed):
    weight = np.random.default_rng(seed).integers(1, 10, len(p)).astype(float)
    workload = workload_of(p, weight)
    found = summarize(simulate(workload, slug), workload, Platform.of(workload))
    makespan, minsum = moldable_lp.best(p.tolist(), weight, np.zeros(len(p)))

    assert found["makespan"] >= makespan * (1 - 1e-9) and found["weighted_completion"] >= minsum * (1 - 1e-9)
    if slug in ("dual", "list-shelf"):
        assert found["makespan"] <= TWICE * (1 + 1e-3) * makespan * (1 + 1e-9)


@given(times_with_minimum(most_jobs=6), st.floats(0.3, 3.0))
def test_a_guess_is_judged_as_by_all_choices(p, share):
    d = share * float(p.min(axis=1).max())

    assert accepts(p, areas_of(p), d) == twin.accepts(p.tolist(), d)
    assert accepts(p, NO_AREA, d) == twin.accepts(p.tolist(), d)


@settings(deadline=None)
@given(times_with_minimum(most_jobs=30))
def test_shelves_are_within_three_halves_and_lists_within_twice_the_guess(p):
    guess = search(p, areas_of(p), 1e-3)[1]
    _, size, start, built = build(p, areas_of(p), guess, np.zeros(4, np.int64))
    jobs = simulate(workload_of(p), "dual", {"accuracy": 1e-3}).jobs

    assert jobs["end"].max() <= (HALVES if built else TWICE) * guess * (1 + 1e-9)
    if built:
        assert (size >= minimum(p)).all()
        assert (start + p[np.arange(len(p)), size - 1]).max() <= HALVES * guess * (1 + 1e-9)


def test_minimums_can_prevent_the_shelves():
    """Five rigid jobs of 3 of 4 processors: no two fit side by side, and two shelves hold but two."""
    p = np.tile([np.inf, np.inf, 1.0, 1.0], (5, 1))
    schedule = simulate(workload_of(p), "dual")

    assert schedule.counters["without_shelves"] == 1 and sorted(schedule.jobs["end"]) == [1, 2, 3, 4, 5]
    assert set(schedule.jobs["processors"]) == {3}


@settings(max_examples=60, deadline=None)
@given(times_with_minimum(most_jobs=7, most_processors=5), st.integers(0, 2**32 - 1))
def test_each_batch_takes_the_heaviest_set_that_fits(p, seed):
    """The slow twin fills the same batches, as far as their weight decides."""
    n, m = p.shape
    weight = np.random.default_rng(seed).uniform(1, 10, n)
    shelf = simulate(workload_of(p, weight), "demt", {"final": "basic"}).jobs["shelf"]
    length = grid(search(p, areas_of(p), 1e-3)[1], float(p.min()))[1]
    for batch in range(shelf.max() + 1):
        items = twin.items(p, weight, [job for job in range(n) if shelf[job] >= batch], length * 2.0**batch)

        assert weight[shelf == batch].sum() == pytest.approx(twin.heaviest(items, m))


def test_rigid_jobs_are_scheduled_on_their_sizes():
    rigid = generate("lublin", {"jobs": 60, "processors": 32, "load": 1.2}, 4)
    made = convert(rigid, "moldable", {"law": "rigid"})
    asks = np.minimum(rigid.jobs["processors"], 32)

    assert minimums(made).tolist() == asks.tolist()
    for slug in set(MOLDABLE) - {"gang"}:
        jobs = simulate(made, slug).jobs
        assert jobs["processors"].tolist() == asks.tolist()
        assert jobs["end"] - jobs["start"] == pytest.approx(rigid.jobs["runtime"])


def test_rejected_jobs_keep_their_row_and_say_why():
    p = np.array([[2.0, 1.0, 1.0], [np.inf, np.inf, 4.0], [3.0, 3.0, 3.0]])
    schedule = simulate(workload_of(p), "demt", platform={"processors": 2})

    assert schedule.jobs["state"].tolist() == [FINISHED, REJECTED, FINISHED]
    assert schedule.jobs["processors"][1] == 3 and schedule.jobs["batch"].tolist() == [0, -1, 0]
    (row,) = np.flatnonzero(schedule.events["value"] == 3.0)
    assert schedule.events["job"][row] == 1
    nothing = simulate(workload_of(p[1:2]), "demt", platform={"processors": 2})
    assert nothing.rejected == 1 and nothing.finished == 0


def test_work_is_compared_from_the_minimum_on():
    assert is_monotonic(np.array([[np.inf, 4.0, 3.0], [6.0, 3.0, 2.0]]))
    assert not is_monotonic(np.array([[np.inf, 4.0, 1.0]]))
