"""The dual approximation: golden values, its proof against all choices, and shelves within 3/2 of the guess."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine.families.moldable.policies.dual import (
    NO_AREA,
    accepts,
    allotments,
    is_monotonic,
    least_areas,
    search,
    trivial,
)
from shadowtime.engine.families.moldable.policies.shelves import HALVES, SMALL, build
from shadowtime.engine.families.moldable.speedup import recurrence
from tests.engine.moldable_golden import every_instance, load
from tests.reference import moldable_twin as twin
from tests.strategies import monotonic_times


def shelves(p, d):
    """Shelf, size, start and end of each job, and the counts of the rules."""
    used = np.zeros(4, np.int64)
    shelf, size, start, well = build(p, NO_AREA, d, used)
    assert well
    return shelf, size, start, start + p[np.arange(len(p)), size - 1], used


def most_held(size, start, end):
    """Most processors held at one time, ends within rounding of a start aside."""
    slack = 1e-9 * end.max()
    return max(int(size[(start <= t) & (end > t + slack)].sum()) for t in start)


@every_instance
def test_golden_bound_and_guesses(path):
    document, p, _ = load(path)
    bound, guess = search(p, NO_AREA, 1e-9)

    assert bound == pytest.approx(document["lb"]["makespan_dual_critical"], rel=1e-6) and guess >= bound
    assert trivial(p, NO_AREA) == pytest.approx(document["lb"]["makespan_trivial"], rel=1e-6)
    assert not any(accepts(p, NO_AREA, d) for d in document["must"]["reject_at"])
    assert all(accepts(p, NO_AREA, d) for d in document["must"]["accept_at"])


@every_instance
def test_golden_canonical_allotments(path):
    document, p, _ = load(path)
    canonical = document["canonical"]

    assert allotments(p, canonical["d"]).tolist() == canonical["gamma_d"]
    assert allotments(p, canonical["d"] / 2).tolist() == canonical["gamma_half_d"]


@every_instance
def test_golden_shelves(path):
    document, p, _ = load(path)
    must = document["must"]
    guess = search(p, NO_AREA, 1e-3)[1]
    end = shelves(p, guess)[3]

    assert (
        must["dual_schedule_makespan_min"] * (1 - 1e-9) <= end.max() <= must["dual_schedule_makespan_max"] * (1 + 1e-9)
    )
    if "transformation_guess" in must:
        *_, end, used = shelves(p, must["transformation_guess"])
        assert used.any() and end.max() <= HALVES * must["transformation_guess"] * (1 + 1e-9)


@given(monotonic_times(most_jobs=6), st.floats(0.3, 3.0))
def test_a_guess_is_judged_as_by_all_choices(p, share):
    d = share * trivial(p, NO_AREA)

    assert accepts(p, NO_AREA, d) == twin.accepts(p.tolist(), d)
    assert accepts(p, least_areas(p), d) == accepts(p, NO_AREA, d)


@given(monotonic_times(most_jobs=12), st.floats(1.0, 2.0))
def test_shelves_are_short_and_hold_every_job_once(p, stretch):
    bound, guess = search(p, NO_AREA, 1e-6)
    d = stretch * guess
    assert accepts(p, NO_AREA, d) and bound <= guess <= bound * (1 + 1e-5)
    shelf, size, start, end, _ = shelves(p, d)

    assert end.max() <= HALVES * d * (1 + 1e-9) and start.min() >= 0
    assert (size >= 1).all() and (size <= p.shape[1]).all() and (size[shelf == SMALL] == 1).all()
    assert most_held(size, start, end) <= p.shape[1]


@settings(max_examples=400)
@given(st.integers(2, 12), st.integers(0, 2**32 - 1), st.floats(1.0, 1.5))
def test_near_identical_parallel_jobs_need_the_rules_and_still_fit(m, seed, stretch):
    """The hard ones of section 2.4: shelf 2 is often too wide for them."""
    p = near_identical(m, np.random.default_rng(seed))
    d = stretch * search(p, NO_AREA, 1e-6)[1]
    _, size, start, end, _ = shelves(p, d)

    assert end.max() <= HALVES * d * (1 + 1e-9)
    assert most_held(size, start, end) <= m


def near_identical(m, rng):
    """1.5 m to 2 m jobs, times about 1, a few about 2 or 3, almost perfectly parallel."""
    n = int(rng.integers(int(1.5 * m), 2 * m + 1))
    base = rng.choice([1, 2, 3], n, p=[0.94, 0.03, 0.03])
    spread, least = [(1.25, 0.7), (1.1, 0.9), (1.03, 0.95)][rng.integers(3)]
    return recurrence(base * rng.uniform(1 / spread, spread, n), rng.uniform(least, 1.0, n), m)


def test_every_rule_is_needed_somewhere():
    rng, used = np.random.default_rng(7), np.zeros(4, np.int64)
    for _ in range(1500):
        p = near_identical(int(rng.integers(3, 16)), rng)
        guess = search(p, NO_AREA, 1e-6)[1]
        for stretch in (1.0, 1.05, 1.2):
            *_, end, rules = shelves(p, stretch * guess)
            assert end.max() <= HALVES * stretch * guess * (1 + 1e-9)
            used += rules

    assert (used > 0).all(), used


def test_what_is_not_monotonic_is_known():
    assert is_monotonic(np.array([[4.0, 2.0, 2.0]])) and not is_monotonic(np.array([[4.0, 1.5, 1.5]]))


def test_a_bound_of_falling_work_counts_the_least_area():
    """One job takes 4 s on one processor and 1 s on two: two of them end at 2 s at best, not at 4."""
    p = np.array([[4.0, 1.0], [4.0, 1.0]])

    assert search(p, least_areas(p), 1e-9)[0] == pytest.approx(2.0)
