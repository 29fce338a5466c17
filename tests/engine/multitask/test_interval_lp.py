"""LP1 and LP2: golden values, the sparse form against the printed one, and what the intervals promise."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine.bounds.linear_program import Program, Solver
from shadowtime.engine.errors import SimulationError
from shadowtime.engine.families.multitask.packing.instance import instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import (
    interval_ends,
    interval_program,
    needed_ends,
    solve_intervals,
)
from shadowtime.engine.runner.watch import Stopped, Watch
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files
from tests.engine.multitask.instances import random_instance
from tests.reference.interval_lp_dense import dense_value

CASES = golden_files("multi_machine_nonpreemptive") + golden_files("multi_machine_migratory")
CHARGES = ("d0", "zero", "plus")
NAMES = ("first_interval_charged_d0", "literal_first_interval_charged_0", "job_lower_bounds")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_values(path):
    said = json.loads(path.read_text())["lb"]
    instance = instance_of(read(BytesIO(path.read_bytes()), path.name))[0]
    migration = "migratory" in path.read_text()
    name = "lp1" if migration else "lp2"

    assert interval_ends(instance, said["epsilon"]) == pytest.approx(said["interval_ends"], rel=1e-6)
    for charge, key in zip(CHARGES, NAMES, strict=True):
        found = solve_intervals(instance, epsilon=said["epsilon"], charge=charge, migration=migration)
        assert found.bound == pytest.approx(said[f"{name}_{key}"], rel=1e-5, abs=1e-9)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(CHARGES), st.sampled_from([(False, 1.0), (True, 0.5), (True, 0.3)]))
def test_sparse_and_dense_agree_and_later_intervals_are_never_needed(seed, charge, how):
    instance = random_instance(seed, jobs=3, places=2, whole=False)
    migration, epsilon = how
    found = solve_intervals(instance, epsilon=epsilon, charge=charge, migration=migration)

    assert found.bound == pytest.approx(dense_value(instance, epsilon, charge, migration), rel=1e-6)
    assert len(needed_ends(instance, epsilon)) <= len(interval_ends(instance, epsilon))
    task = instance.owner[found.option]
    assert np.bincount(task, found.value) == pytest.approx(1.0)
    if not migration:
        assert (instance.time[found.option] <= found.ends[found.interval] * (1 + 1e-9)).all()


def test_a_program_without_a_solution_says_so():
    one = np.array([0])
    program = Program(np.ones(1), np.zeros(1), np.ones(1), np.array([2.0]), np.array([3.0]), one, one, np.ones(1))

    with pytest.raises(SimulationError, match="without an optimum: status 'Infeasible' of HiGHS"):
        Solver(program).solve()


def test_a_watch_stops_a_program():
    instance = random_instance(1, jobs=30, machines=4, places=3)
    program, _ = interval_program(instance, needed_ends(instance, 1.0), "d0", False)
    watch = Watch()
    solver = Solver(program, watch)
    watch.stop = True

    with pytest.raises(Stopped):
        solver.solve()
