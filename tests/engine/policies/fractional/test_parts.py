"""What memory cannot hold is known without packing, and nothing that it can hold is ruled out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from shadowtime.engine import Simulation, Workload
from shadowtime.engine.families.fractional.policies.parts import reserve_memory, reset_memory
from shadowtime.engine.families.fractional.policies.run import run_fractional
from shadowtime.engine.workload.job import job_table
from tests.engine.policies.fractional.mappings import memory_of

SIZES = [0.1, 0.125, 1 / 7, 1 / 6, 0.1953125, 0.2, 0.25, 0.3, 1 / 3, 0.34, 0.390625, 0.4, 0.5, 0.51, 2 / 3, 0.75, 1.0]


def together(memories, nodes):
    """Jobs of one task each, all there from second 0."""
    ones = np.ones(len(memories))
    table = job_table(0.0 * ones, 10.0 * ones, ones, cpu_need=0.5 * ones, memory=np.array(memories))
    return Workload("fractional", "drawn", table, machine={"nodes": nodes})


@njit
def first_ruled_out(s, f):
    """How many units, in order, memory could hold."""
    reset_memory(s, f)
    for i in range(s.k[0].units):
        if not reserve_memory(s, f, i):
            return i
    return s.k[0].units


def held(workload):
    return first_ruled_out(Simulation(workload, "/per")._runner.state, memory_of(workload, "/per/opt=min"))


@settings(max_examples=150, deadline=None)
@given(nodes=st.lists(st.lists(st.sampled_from(SIZES), max_size=10), min_size=1, max_size=6), overdrawn=st.booleans())
def test_what_sits_on_nodes_is_never_ruled_out(nodes, overdrawn):
    tasks = []
    for expected in nodes:
        free = 1.0 + (1e-9 if overdrawn else 0.0)
        for memory in [*expected, free if overdrawn else 0.0]:
            if 0.0 < memory <= free:
                free -= memory
                tasks.append(min(1.0, memory))
    if tasks:
        assert held(together(tasks, len(nodes))) == len(tasks)


@pytest.mark.parametrize(("memory", "on_a_node"), [(0.51, 1), (0.34, 2), (0.390625, 2), (0.26, 3), (0.1953125, 5)])
def test_tasks_that_do_not_share_a_node_are_counted(memory, on_a_node):
    assert held(together([memory] * 40, 4)) == 4 * on_a_node


def test_who_does_not_fit_however_packed_is_dropped_untried():
    workload = together(np.random.default_rng(3).choice([0.390625, 0.1953125, 0.51], 500), 80)
    memory = memory_of(workload, "/per/opt=min")
    run_fractional(Simulation(workload, "/per")._runner.state, memory, 1)

    assert memory.m[0]["running"] == 199
    assert memory.m[0]["packings"] == 9  # dropping one by one: 28
