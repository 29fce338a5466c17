"""Bounds of packed tasks: chains, releases, and which of them stand beside which run."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Platform, simulate
from shadowtime.engine.bounds.linear_program import NoOptimum, Solver
from shadowtime.engine.bounds.registry import bound, lower_bounds
from shadowtime.engine.families.multitask.packing.loads import loads_of, primal_dual, squashed_loads
from shadowtime.engine.families.multitask.packing.order import cut_order, full_order
from shadowtime.engine.families.multitask.policies.lists import job_ranks, list_schedule
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files
from tests.engine.multitask.instances import random_instance, random_workload


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000), st.booleans())
def test_dual_cuts_full_schedule_four_times_dual(seed, whole):
    instance = random_instance(seed, jobs=6, machines=3, whole=whole)
    loads = loads_of(instance)
    order, dual = primal_dual(loads)
    cuts, full = cut_order(loads)[0], full_order(loads)[0]
    ends = np.zeros(instance.jobs)
    np.maximum.at(ends, instance.job, list_schedule(instance, job_ranks(instance, order)).completion(instance.tasks))
    value = float(instance.weight @ ends)

    assert dual <= cuts * (1 + 1e-7) and cuts <= full * (1 + 1e-7)
    assert full <= value * (1 + 1e-7) and value <= 4 * dual * (1 + 1e-7)
    assert primal_dual(squashed_loads(instance))[1] <= value * (1 + 1e-9)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000), st.permutations(range(6)))
def test_any_list_ends_its_first_jobs_by_twice_their_load(seed, order):
    instance = random_instance(seed, jobs=6, machines=3, whole=False)
    ends = list_schedule(instance, job_ranks(instance, np.array(order))).completion(instance.tasks)
    for j in range(1, 7):
        first = np.isin(instance.job, order[:j])
        loads = np.bincount(instance.machine[first], instance.volume[first], instance.machines) / instance.capacity
        longest = np.zeros(instance.machines)
        np.maximum.at(longest, instance.machine[first], instance.time[first])
        last = np.zeros(instance.machines)
        np.maximum.at(last, instance.machine[first], ends[first])

        assert (last <= 2 * np.maximum(loads, longest) * (1 + 1e-9)).all()


def test_the_bound_of_a_file_is_of_its_regime():
    for kind, names in (
        ("multi_machine_migratory", {"lp1", "lp1_literal", "lp1_plus"}),
        ("multi_machine_nonpreemptive", {"lp2", "lp2_literal", "lp2_plus"}),
        ("single_machine_preemptive", {"lp3", "lp3_cuts", "primal_dual"}),
    ):
        for path in golden_files(kind):
            workload = read(BytesIO(path.read_bytes()), path.name)
            found = bound(workload, Platform.of(workload), "weighted-completion")
            optimum = next(v for k, v in json.loads(path.read_text())["opt"].items() if isinstance(v, float | int))

            assert names <= set(found["bounds"])
            assert found["bound"] == pytest.approx(max(found["bounds"].values())) and found["bound"] <= optimum * (
                1 + 1e-7
            )


@pytest.mark.parametrize("load", [0.0, 0.8])
def test_beside_a_run_stand_the_bounds_that_hold_for_it(load):
    single = generate("multitask", {"jobs": 30, "machines": 6, "load": load}, 3)
    schedule = simulate(single, "synchpack-3")
    bounds = lower_bounds(single, Platform.of(single), jobs=schedule.jobs, migrates=False)
    several = generate("multitask", {"jobs": 20, "machines": 6, "local": 2, "load": load}, 3)
    stays, moves = (lower_bounds(several, Platform.of(several), migrates=m) for m in (False, True))

    assert {"lp3", "lp3_cuts", "primal_dual", "squashed", "mean_busy_time"} == set(bounds.all["weighted_flow"])
    assert "lp2_plus" in stays.all["weighted_completion"] and "lp1_plus" in moves.all["weighted_completion"]
    value = float(schedule.jobs["weight"] @ schedule.jobs["end"])
    assert all(v <= value * (1 + 1e-9) for v in bounds.all["weighted_completion"].values())
    makespan = schedule.jobs["end"].max() - schedule.jobs["release"].min()
    assert all(v <= makespan * (1 + 1e-9) for v in bounds.all["makespan"].values())


def test_large_questions_get_the_cheap_bounds():
    workload = generate("multitask", {"jobs": 800, "machines": 20, "local": 3}, 1)
    bounds = lower_bounds(workload, Platform.of(workload), migrates=True)

    assert set(bounds.all["weighted_completion"]) == {"squashed", "mean_busy_time"}


def test_a_workload_of_no_jobs_that_fit_has_no_bounds():
    workload = random_workload(1)
    workload = workload.with_(parts={**workload.parts, "size": workload.parts["size"] * 100})

    assert not lower_bounds(workload, Platform.of(workload)).values


@pytest.mark.parametrize(("local", "migrates"), [(1, False), (2, False), (2, True)], ids=["lp3", "lp2", "lp1"])
def test_a_program_without_an_optimum_leaves_the_other_bounds(monkeypatch, local, migrates):
    def give_up(self):
        raise NoOptimum("the linear program ended without an optimum")

    monkeypatch.setattr(Solver, "solve", give_up)
    workload = generate("multitask", {"jobs": 6, "machines": 3, "local": local}, local)
    platform, jobs = Platform.of(workload), simulate(workload, "tetris").jobs
    alone = bound(workload, platform, "weighted-completion")["bounds"]
    with_run = lower_bounds(workload, platform, jobs=jobs, migrates=migrates).all["weighted_completion"]

    for found in (alone, with_run):
        assert max(found.values()) > 0.0 and not any(name.startswith("lp") for name in found)
