"""Bounds of moldable workloads: golden values, the program against a general solver, all schedules of a few jobs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Platform, generate, simulate
from shadowtime.engine.bounds.registry import bound, check, lower_bounds
from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.moldable import bounds as moldable
from shadowtime.engine.families.moldable import interval_lp
from shadowtime.engine.families.moldable.policies.dual import least_areas
from shadowtime.engine.metrics.registry import metrics
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.registry import algorithms, find_family
from tests.engine.moldable_golden import D03, every_instance, load, workload_of
from tests.reference import moldable_lp
from tests.strategies import monotonic_times, times_with_minimum

GOLDEN = {
    "lp_plain": "minsum_lp_plain",
    "lp_tight": "minsum_lp_tight",
    "lp_tight_fine": "minsum_lp_tight_fine",
    "squashed_area": "minsum_squashed_area",
}


FEW = monotonic_times(most_jobs=4, most_processors=3)


@every_instance
def test_golden_bounds(path):
    document, _, workload = load(path)
    machine = Platform.of(workload)
    makespan = bound(workload, machine, "makespan")
    minsum = bound(workload, machine, "weighted-completion")

    assert makespan["bounds"]["dual"] == pytest.approx(document["lb"]["makespan_dual_critical"], rel=1e-6)
    for ours, theirs in GOLDEN.items():
        assert minsum["bounds"][ours] == pytest.approx(document["lb"][theirs], rel=1e-6), ours
    assert makespan["bound"] <= document["opt"]["makespan"] * (1 + 1e-9)
    assert minsum["bound"] <= document["opt"]["minsum"] * (1 + 1e-9)


@every_instance
def test_golden_grids(path):
    """Where a grid ends does not matter, as long as it is far enough."""
    document, p, workload = load(path)
    ours = moldable.Moldable(workload, document["m"], np.arange(len(p)))
    for grid, name in ((ours.doubling().grid, "minsum_grid"), (ours.finer().grid, "minsum_grid_fine")):
        both = min(len(grid), len(document["lb"][name]))
        assert both > 2 and grid[:both] == pytest.approx(document["lb"][name][:both], rel=1e-6)


def test_the_contracts_example():
    workload = load(D03)[2]
    found = lower_bounds(workload, Platform.of(workload))

    assert (found.values["makespan"], found.names["makespan"]) == (6.5, "dual")
    assert (found.values["weighted_completion"], found.names["weighted_completion"]) == (35.5, "squashed_area")
    assert found.all["weighted_completion"]["lp_plain"] == pytest.approx(18.145833333333336)


@settings(max_examples=40)
@given(monotonic_times(most_jobs=5, most_processors=4), st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_the_program_as_a_general_solver_has_it(p, seed, arrive, tight):
    rng = np.random.default_rng(seed)
    weight, release = rng.uniform(1, 10, len(p)), np.sort(rng.uniform(0, 10, len(p))) * arrive
    grid = interval_lp.geometric(float(p.min()), 1.5, 8 * (p.max() + release.max()))
    asked = interval_lp.program(p, np.empty((0, 0)), release, weight, grid)

    value = moldable_lp.interval_program(p.tolist(), weight, release, grid, tight)
    assert interval_lp.interval_lp(asked, tight) == pytest.approx(value, rel=1e-7, abs=1e-7)


@given(monotonic_times(most_jobs=6), st.integers(0, 2**32 - 1))
def test_any_multipliers_give_a_bound_no_better_than_the_program(p, seed):
    rng = np.random.default_rng(seed)
    grid = interval_lp.geometric(float(p.min()), 2.0, 8 * p.max())
    asked = interval_lp.program(p, np.empty((0, 0)), np.zeros(len(p)), rng.uniform(1, 10, len(p)), grid)
    level = np.sort(rng.exponential(1.0, len(grid) - 1))[::-1]

    assert interval_lp.lagrange(asked, True, level) <= interval_lp.interval_lp(asked, True) * (1 + 1e-9) + 1e-9


def test_a_program_that_the_solver_gives_up_still_gives_a_bound():
    p = np.array([[1.0, 1.0, 1.0], [100.0, 100.0, 100.0], [1e-6, 1e-6, 1e-6], [1e-6, 5e-7, 1e-6 / 3]])
    workload, machine = workload_of(p, np.array([1.0, 1e-3, 1.0, 1e3]), np.zeros(4)), Platform(processors=3)
    found = lower_bounds(workload, machine)
    reached = summarize(simulate(workload, "gang"), workload, machine)["weighted_completion"]

    assert found.values["weighted_completion"] == pytest.approx(1.1003343)
    assert max(found.all["weighted_completion"].values()) <= reached


@settings(max_examples=80, deadline=None)
@given(FEW | times_with_minimum(most_jobs=4, most_processors=3), st.integers(0, 2**32 - 1), st.booleans())
def test_no_schedule_of_a_few_jobs_is_below_any_bound(p, seed, arrive):
    rng = np.random.default_rng(seed)
    n = len(p)
    weight, release = rng.integers(1, 10, n).astype(float), np.sort(rng.integers(0, 8, n)).astype(float) * arrive
    found = lower_bounds(workload_of(p, weight, release), Platform(processors=p.shape[1])).all
    makespan, minsum = moldable_lp.best(p.tolist(), weight, release)

    assert max(found["makespan"].values()) <= makespan * (1 + 1e-9)
    assert max(found["weighted_completion"].values()) <= minsum * (1 + 1e-9)
    assert max(found["weighted_flow"].values()) <= (minsum - np.dot(weight, release)) * (1 + 1e-9) + 1e-9


@settings(max_examples=40)
@given(times_with_minimum(most_jobs=5, most_processors=4), st.integers(0, 2**32 - 1), st.booleans())
def test_the_program_with_minimums_as_a_general_solver_has_it(p, seed, tight):
    weight = np.random.default_rng(seed).uniform(1, 10, len(p))
    grid = interval_lp.geometric(float(p.min()), 1.5, 8 * p[np.isfinite(p)].max())
    asked = interval_lp.program(p, least_areas(p), np.zeros(len(p)), weight, grid)

    value = moldable_lp.interval_program(p.tolist(), weight, np.zeros(len(p)), grid, tight)
    assert interval_lp.interval_lp(asked, tight) == pytest.approx(value, rel=1e-7, abs=1e-7)


def test_bounds_of_rigid_jobs_worked_by_hand():
    """Jobs of 2, 2 and 3 of 3 processors, 1 s each: no two side by side, so 3 s, and 1 + 2 + 3 at the very least."""
    p = np.array([[np.inf, 1.0, 1.0], [np.inf, 1.0, 1.0], [np.inf, np.inf, 1.0]])
    found = lower_bounds(workload_of(p), Platform(processors=3)).all

    assert moldable_lp.best(p.tolist(), np.ones(3), np.zeros(3)) == (3.0, 6.0)
    assert found["makespan"]["area"] == pytest.approx(7 / 3) and found["makespan"]["dual"] == pytest.approx(7 / 3)
    assert 4.0 < found["weighted_completion"]["squashed_area"] <= 6.0


@given(st.lists(st.lists(st.integers(1, 9), min_size=2, max_size=2), min_size=2, max_size=3))
def test_bounds_hold_for_work_that_falls(rows):
    p = np.minimum.accumulate(np.array(rows, float), axis=1)
    found = lower_bounds(workload_of(p), Platform(processors=2)).all
    makespan, minsum = moldable_lp.best(p.tolist(), np.ones(len(p)), np.zeros(len(p)))

    assert max(found["makespan"].values()) <= makespan * (1 + 1e-9)
    assert max(found["weighted_completion"].values()) <= minsum * (1 + 1e-9)


@pytest.mark.parametrize("family", ["weak", "high", "mixed", "cirne"])
def test_every_algorithm_stays_above_every_bound(family):
    for load_ in (0.0, 1.0):
        workload = generate("moldable", {"family": family, "jobs": 30, "processors": 16, "load": load_}, 3)
        machine = Platform.of(workload)
        for slug in (a.slug for a in algorithms().values() if "moldable" in a.kinds):
            schedule = simulate(workload, slug)
            found = lower_bounds(workload, machine, jobs=schedule.jobs)
            check(summarize(schedule, workload, machine), found)
            assert found.values["weighted_completion"] > 0


def test_many_jobs_take_their_multipliers_from_some_of_them(monkeypatch):
    workload = generate("moldable", {"jobs": 300, "processors": 32, "family": "mixed"}, 2)
    exact = bound(workload, Platform.of(workload), "weighted-completion")["bounds"]
    monkeypatch.setattr(interval_lp, "MOST_JOBS", 100)
    sampled = bound(workload, Platform.of(workload), "weighted-completion")["bounds"]

    for name in ("lp_plain", "lp_tight", "lp_tight_fine"):
        assert 0.95 * exact[name] <= sampled[name] <= exact[name] * (1 + 1e-9)


def test_a_matrix_too_large_leaves_the_bounds_that_need_none(monkeypatch):
    monkeypatch.setattr(moldable, "MOST_TIMES", 10)
    workload = generate("moldable", {"jobs": 20, "processors": 8}, 2)
    found = lower_bounds(workload, Platform.of(workload)).all

    assert set(found["makespan"]) == {"longest_job", "area"}
    assert set(found["weighted_completion"]) == {"squashed_area", "mean_busy_time"}


def test_metrics_with_bounds():
    assert set(find_family("moldable").bounded) <= set(metrics())
    workload = workload_of(np.array([[2.0, 1.0]]))
    with pytest.raises(UnsupportedWorkload, match="no bound on max-stretch is proven for moldable workloads"):
        bound(workload, Platform(processors=2), "max-stretch")
