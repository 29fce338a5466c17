"""What is proven of a run depends on its parameters: nothing where the proof does not hold."""

from __future__ import annotations

import itertools
import pickle

import pytest

from shadowtime.engine import generate, simulate
from shadowtime.engine.families.multitask.entries import PSRS, SYNCHPACK_1, SYNCHPACK_2
from shadowtime.engine.families.multitask.packing.instance import instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import solve_intervals

SPREAD = {"jobs": 12, "machines": 4, "local": 2, "remote": 1, "weights": "random", "mean_tasks": 4.0}


def stated(entry, **given):
    return entry.guarantee(entry.resolve(given, "multitask"))


def over_program(slug, workload, migration, **given):
    epsilon = given.get("epsilon", 0.5) if migration else 1.0
    program = solve_intervals(instance_of(workload)[0], epsilon=epsilon, migration=migration).bound
    jobs = simulate(workload, slug, given, seed=1).jobs
    return float(jobs["weight"] @ jobs["end"]) / program


def test_a_fixed_slow_lambda_has_no_guarantee_and_exceeds_the_factor():
    given = {"lambda": 0.02, "shift": False}
    crowded = generate("multitask", {"jobs": 30, "machines": 2, "local": 2, "mean_tasks": 5.0, "weights": "random"}, 1)

    assert over_program("synchpack-1", crowded, True, **given) > 30.0
    assert stated(SYNCHPACK_1, **given) == ""


@pytest.mark.parametrize("given", [{"lambda": 1.0}, {"cap": "machine"}, {"charge": "zero"}], ids=str)
def test_nothing_is_proven_with_other_readings(given):
    assert stated(SYNCHPACK_1, **given) == stated(SYNCHPACK_2, **given) == ""


@pytest.mark.parametrize("given", [{"shift": "list"}, {"draws": 0}, {"draws": 0, "shift": "barrier"}], ids=str)
def test_synchpack_2_is_proven_for_drawn_lambdas_and_the_shift_that_delays_nothing(given):
    assert stated(SYNCHPACK_2, **given) == ""


def test_what_is_certain_and_what_is_expected():
    assert stated(SYNCHPACK_1) == (
        "When all jobs are there at once, the weighted completion is at most 9 times the least possible."
    )
    assert "is expected to be at most 7.5 times" in stated(SYNCHPACK_1, choice="random", epsilon=0.25)
    assert "is expected to be at most 24 times" in stated(SYNCHPACK_2)
    assert "is expected to be at most 24 times" in stated(SYNCHPACK_2, choice="random", draws=0)
    assert "completion is at most 24 times" in stated(SYNCHPACK_2, choice="levels", draws=0)


def test_without_parameters_a_guarantee_names_those_that_it_needs():
    assert SYNCHPACK_1.guarantee({}).endswith("least possible. With cap = task, charge = d0, lambda = 0.")
    assert SYNCHPACK_2.guarantee({}).endswith("lambda = 0, shift = left or barrier, draws above 0.")
    assert PSRS.guarantee({}).endswith("With V = 0.836.")
    assert stated(PSRS) and not stated(PSRS, V=5.0)
    assert pickle.loads(pickle.dumps(SYNCHPACK_2)).guarantee({}) == SYNCHPACK_2.guarantee({})


@pytest.mark.parametrize("seed", [1, 2])
def test_where_something_is_proven_it_holds(seed):
    workload = generate("multitask", SPREAD, seed)
    for shift, choice in itertools.product([True, False], ["best", "random"]):
        given = {"shift": shift, "choice": choice}
        assert stated(SYNCHPACK_1, **given) and over_program("synchpack-1", workload, True, **given) <= 9.0
    for shift, choice in itertools.product(["left", "barrier"], ["best", "random", "levels"]):
        given = {"shift": shift, "choice": choice}
        assert stated(SYNCHPACK_2, **given) and over_program("synchpack-2", workload, False, **given) <= 24.0
