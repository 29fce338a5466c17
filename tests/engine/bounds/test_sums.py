"""Bounds on sums of flows, against every schedule of tiny instances and a machine simulated by the second."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine.bounds.fluid import Fluid
from shadowtime.engine.bounds.squashed import mean_busy_time, preempt, shortest_remaining
from tests.engine.bounds.instances import burst, work, works
from tests.reference.best_schedule import best_makespan, best_sum
from tests.reference.one_machine_slots import preempt_by_second

tiny = works(most=4, whole=True, longest=3)
ROUNDING = 1.0 + 1e-12


@settings(max_examples=150, deadline=None)
@given(tiny)
def test_no_schedule_beats_a_bound_on_weighted_flow(jobs):
    bounds = Fluid(jobs, 10.0)

    best = best_sum(jobs, lambda j, end: float(jobs.weight[j] * (end - jobs.release[j])))
    best_completion = best_sum(jobs, lambda j, end: float(jobs.weight[j] * end))

    assert max(bounds.weighted_flow().values()) <= best * ROUNDING
    assert max(bounds.weighted_completion().values()) <= best_completion * ROUNDING


@settings(max_examples=150, deadline=None)
@given(tiny)
def test_no_schedule_beats_a_bound_on_flow_or_makespan(jobs):
    bounds = Fluid(jobs, 10.0)

    assert (
        max(bounds.total_job_time().values()) <= best_sum(jobs, lambda j, end: float(end - jobs.release[j])) * ROUNDING
    )
    assert max(bounds.makespan().values()) <= best_makespan(jobs) * ROUNDING


@settings(max_examples=150, deadline=None)
@given(tiny, st.sampled_from([0.0, 1.0, 2.0, 10.0]))
def test_no_schedule_beats_a_bound_on_the_mean_bounded_stretch(jobs, tau):
    bounds = Fluid(jobs, tau)
    floor = np.maximum(jobs.runtime, tau)

    best = best_sum(jobs, lambda j, end: max(1.0, float((end - jobs.release[j]) / floor[j]))) / len(jobs)

    assert max(bounds.mean_bounded_stretch().values()) <= best * ROUNDING
    assert (
        max(bounds.mean_stretch().values())
        <= best_sum(jobs, lambda j, end: float((end - jobs.release[j]) / jobs.runtime[j])) / len(jobs) * ROUNDING
    )


@given(st.data(), st.booleans())
def test_the_preemptive_machine_is_the_one_simulated_by_the_second(data, by_rest):
    n = data.draw(st.integers(1, 8))
    release = np.sort(np.array(data.draw(st.lists(st.integers(0, 15), min_size=n, max_size=n)), float))
    length = np.array(data.draw(st.lists(st.integers(1, 6), min_size=n, max_size=n)), float)
    rank = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), float)

    served, flow, period = preempt(release, length, rank, by_rest)

    slow_served, slow_flow = preempt_by_second(release, length, rank, by_rest)
    assert served == pytest.approx(slow_served, abs=1e-9)
    assert flow == pytest.approx(slow_flow)
    end = release + flow
    for busy in range(int(period.max())):  # a period is over before the next begins
        assert end[period == busy].max() <= release[period == busy + 1].min()


def test_wide_jobs_released_together_have_the_sum_of_shortest_first():
    """Jobs as wide as the machine run one after another; shortest first is the best, and the bound knows."""
    jobs = work([0, 0, 0], [3, 1, 2], [4, 4, 4], 4)

    assert shortest_remaining(jobs) == 1 + 3 + 6
    assert mean_busy_time(jobs, jobs.weight, jobs.runtime) == pytest.approx(1 + 3 + 6)


def test_narrow_long_jobs_do_not_weaken_the_bound_of_the_others():
    """A week-long serial job beside wide short ones: the whole set shows nothing, the set without it does."""
    wide = work([0] * 8, [10] * 8, [64] * 8, 64)
    both = work([0] * 9, [10] * 8 + [600_000], [64] * 8 + [1], 64)

    alone = mean_busy_time(wide, wide.weight, wide.runtime)

    assert alone == pytest.approx(360.0)
    assert mean_busy_time(both, both.weight, both.runtime) == pytest.approx(alone + 600_000)


@pytest.mark.parametrize("seed", range(4))
def test_refining_sets_of_jobs_only_raises_the_bound(seed):
    jobs = burst(2000, 32, seed, 0.9)
    served, _, _ = preempt(jobs.release, jobs.area / jobs.lanes, jobs.area / jobs.lanes, False)
    plain = float(np.sum(served + 0.5 * jobs.runtime))

    refined = mean_busy_time(jobs, np.ones(len(jobs)), jobs.runtime)

    assert refined >= max(plain, float(np.sum(jobs.runtime))) * (1.0 - 1e-12)
