"""The exact bound on the largest stretch, against golden values, a linear program and laws."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine.bounds.backlog import backlog
from shadowtime.engine.bounds.cut import LARGEST, cut, cut_window
from shadowtime.engine.bounds.cut_repair import meet, outline
from shadowtime.engine.bounds.fluid import EXACT, Fluid
from shadowtime.engine.bounds.registry import bound, lower_bounds
from shadowtime.engine.bounds.work import work_of
from shadowtime.engine.registry import find_family
from tests.engine.bounds.instances import FIGURE_1, burst, golden_workload, machine, work, works
from tests.engine.golden import golden_files
from tests.engine.metrics.examples import FOUR
from tests.reference.stretch_lp import can_meet, smallest_target

CASES = [
    (path, name) for path in golden_files("stretch_bound") for name in range(len(json.loads(path.read_text())["cases"]))
]


def scale_of(jobs, tau=10.0):
    return np.maximum(jobs.runtime, tau)


@pytest.mark.parametrize(("path", "number"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_golden_bounds(path, number):
    golden = json.loads(path.read_text())
    case = golden["cases"][number]

    found = bound(golden_workload(case["instance"]), machine(case["instance"]["nodes"]), "max-stretch", case["tau"])

    assert found["bound"] == pytest.approx(case["expected"]["max_stretch_bound"], rel=golden["tolerance"])
    assert found["name"] == "cut"


@pytest.mark.parametrize("path", golden_files("simulation"), ids=lambda path: path.stem)
def test_golden_bounds_of_simulations(path):
    golden = json.loads(path.read_text())

    for case in golden["cases"]:
        values = lower_bounds(golden_workload(case["instance"]), machine(case["instance"]["nodes"])).values
        assert values["max_bounded_stretch"] == pytest.approx(case["max_stretch_bound"], rel=golden["tolerance"])


def test_four_jobs_of_the_contract():
    found = lower_bounds(FOUR, machine(10))

    assert found.values["max_bounded_stretch"] == pytest.approx(1.123076923076923, rel=1e-14)
    assert found.names["max_bounded_stretch"] == "cut"


def test_two_tier_jobs_count_by_the_cpu_that_they_use():
    """Counting processors would give 2.43, although KEASY reaches 2.36."""
    found = lower_bounds(FIGURE_1, machine(5))

    assert found.values["max_bounded_stretch"] == pytest.approx(81 / 51, rel=1e-14)
    assert found.values["makespan"] == pytest.approx(16.2, rel=1e-14)


def test_a_task_pinned_to_its_rate_by_a_deadline_elsewhere():
    """Every contiguous window passes, yet all together fail: job 2 has only [3, 6) left and spills into [5, 10).

    Two lanes; (release, deadline, width, work): (0, 3, 2, 6), (0, 6, 1, 3), (5, 10, 2, 4), (5, 10, 2, 6).
    """
    jobs = work([0, 0, 5, 5], [3, 3, 2, 3], [2, 1, 2, 2], 2)
    scale = np.array([3.0, 6.0, 5.0, 5.0])

    assert not can_meet(jobs, scale, 1.0)
    assert cut(jobs, scale, 0.5) == pytest.approx(smallest_target(jobs, scale), rel=1e-7)
    assert cut(jobs, scale, 0.5) > 1.0 + 1e-3


@settings(max_examples=80, deadline=None)
@given(works(most=14))
def test_it_is_the_smallest_target_that_the_linear_program_can_meet(jobs):
    scale = scale_of(jobs)

    target = cut(jobs, scale, max(1.0, backlog(jobs, scale).best))

    assert can_meet(jobs, scale, target * (1.0 + 1e-6))
    assert target == 1.0 or not can_meet(jobs, scale, target * (1.0 - 1e-5))


@pytest.mark.parametrize("seed", range(3))
def test_bisection_over_the_linear_program_gives_the_same_number(seed):
    jobs = burst(40, 16, seed)
    scale = scale_of(jobs)

    assert cut(jobs, scale, 1.0) == pytest.approx(smallest_target(jobs, scale), rel=2e-7)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tau", [0.0, 10.0])
def test_the_answer_does_not_depend_on_where_the_search_starts(seed, tau):
    jobs = burst(600, 32, seed)
    scale = scale_of(jobs, tau)
    start = backlog(jobs, scale).best

    exact = cut(jobs, scale, 1.0)

    assert start <= exact * (1.0 + 1e-12)
    assert cut(jobs, scale, max(1.0, start)) == pytest.approx(exact, rel=1e-12)


def test_the_answer_does_not_depend_on_the_room_for_arcs(monkeypatch):
    jobs = burst(600, 32, 3)
    exact = cut(jobs, scale_of(jobs), 1.0)

    monkeypatch.setattr(sys.modules["shadowtime.engine.bounds.cut"], "ARCS_OF_A_JOB", 1)

    assert cut(jobs, scale_of(jobs), 1.0) == exact


@settings(max_examples=60, deadline=None)
@given(works(most=14, whole=True), st.sampled_from([0.25, 1.0, 1.5, 4.0]))
def test_the_capacity_of_jobs_is_what_adding_up_their_windows_gives(jobs, target):
    """To the last digit: the times are whole or quarters, and so is each sum. The slope is known where none meet."""
    due = jobs.release + target * jobs.runtime
    times = np.unique(np.concatenate((jobs.release, due)))
    middle = 0.5 * (times[:-1] + times[1:])
    open_ = (jobs.release[:, None] <= middle) & (middle < due[:, None])
    used = np.minimum((jobs.width[:, None] * open_).sum(axis=0), jobs.lanes)

    def capacity(at):
        due, n = jobs.release + at * jobs.runtime, len(jobs)
        by_due = np.argsort(due, kind="stable")
        return outline(
            jobs.release, due, by_due, jobs.width, jobs.runtime, jobs.lanes, np.empty(2 * n - 1), np.empty(n)
        )

    blink = 2.0**-20
    done, slope = capacity(target + blink)
    assert capacity(target)[0] == np.sum(used * np.diff(times))
    assert capacity(target + 2 * blink)[0] - done == pytest.approx(slope * blink, rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(works(most=40))
def test_an_order_that_is_corrected_and_one_that_is_sorted_lead_to_the_same_target(jobs):
    """From an order in reverse so much must move that the jobs are sorted."""
    start = 0.01
    by_due = np.argsort(jobs.release + start * jobs.runtime, kind="stable")
    given = jobs.release, jobs.runtime, jobs.width, float(np.sum(jobs.area)), jobs.lanes, start

    assert meet(*given, by_due) == meet(*given, by_due[::-1].copy())


@settings(max_examples=30, deadline=None)
@given(works(most=20))
def test_shifting_and_stretching_time_change_nothing(jobs):
    scale = jobs.runtime
    exact = cut(jobs, scale, 1.0)

    later = work(jobs.release + 4096.0, jobs.runtime, jobs.width, jobs.lanes)
    slower = work(jobs.release * 8.0, jobs.runtime * 8.0, jobs.width, jobs.lanes)

    assert cut(later, later.runtime, 1.0) == pytest.approx(exact, rel=1e-9)
    assert cut(slower, slower.runtime, 1.0) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(("seed", "load"), [(1, 0.8), (2, 0.9), (3, 1.0), (4, 1.1)])
def test_windows_never_exceed_the_whole(seed, load):
    jobs = burst(3000, 32, seed, load)
    scale = scale_of(jobs)
    piles = backlog(jobs, scale)

    part = cut_window(jobs, scale, max(1.0, piles.best), piles)

    assert piles.best <= part <= cut(jobs, scale, 1.0) * (1.0 + 1e-12)


def test_windows_find_the_burst_in_a_long_log():
    """5,000 idle jobs, then 200 at once, then 5,000 idle ones: only the burst matters."""
    quiet = np.arange(5000) * 1000.0
    release = np.concatenate((quiet, np.full(200, 5.5e6), 6e6 + quiet))
    jobs = work(release, np.full(len(release), 20.0), np.ones(len(release)), 8)
    scale = scale_of(jobs)
    piles = backlog(jobs, scale)

    assert len(jobs) > LARGEST
    assert cut_window(jobs, scale, 1.0, piles) == pytest.approx(200 / 8, rel=1e-12)


@pytest.mark.parametrize("n", [300, 1500, 5001])
def test_the_largest_stretch_is_never_bounded_below_the_largest_bounded_one(n):
    bounds = Fluid(burst(n, 32, 9), 10.0)

    assert max(bounds.max_stretch().values()) >= max(bounds.max_bounded_stretch().values())


def test_up_to_five_thousand_jobs_the_bound_is_exact_and_says_so():
    assert list(Fluid(burst(EXACT, 32, 9), 10.0).max_bounded_stretch()) == ["cut", "backlog"]
    assert list(Fluid(burst(EXACT + 1, 32, 9), 10.0).max_bounded_stretch()) == ["cut_window", "backlog"]


def test_the_same_source_runs_plain_and_gives_the_same_number():
    program = (
        "from tests.engine.bounds.instances import burst\n"
        "from shadowtime.engine.bounds.fluid import Fluid\n"
        "bounds = Fluid(burst(60, 8, 5), 10.0)\n"
        "print([getattr(bounds, name)() for name in ('max_bounded_stretch', 'max_flow', 'mean_flow')])\n"
    )

    plain, compiled = (
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("1", "0")
    )

    assert plain == compiled
    assert "cut" in plain


def test_work_of_a_schedule_holds_the_jobs_that_ended():
    jobs = FOUR.jobs | {"start": np.zeros(4), "end": np.array([100.0, np.nan, 1110.0, 53.0])}

    counted = work_of(find_family("rigid"), FOUR, 10, jobs)

    assert counted.width.tolist() == [6.0, 4.0, 4.0]
