"""What preemptions and migrations carry, and what the areas of demand and useful CPU come to."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files

GB = 1024.0**3


def case(name, **machine):
    (path,) = golden_files("simulation")
    with path.open("rb") as stream:
        workload = read(stream, path.name, name)
    return workload.with_(machine={**workload.machine, **machine})


def metrics(workload, slug):
    return summarize(simulate(workload, slug), workload, Platform.of(workload))


def test_a_preempted_job_counts_with_the_memory_of_all_its_tasks():
    # Job 1, one task of 0.6, is paused once; the run takes 1,400 s.
    found = metrics(case("memory_conflict", node_memory=8.0), "greedyp*")

    assert found["preemptions"] == 1
    assert found["bandwidth"] == pytest.approx(0.6 * 8 * GB / 1400)


def test_a_migration_counts_with_the_tasks_that_moved():
    found = metrics(case("really_moves", node_memory=2.0), "greedypm*")
    memory = json.loads(golden_files("simulation")[0].read_text())["cases"][4]["instance"]["jobs"][0]["memory"]

    assert found["migrations"] == 1 and found["preemptions"] == 0
    assert found["bandwidth"] == pytest.approx(memory * 2 * GB / found["makespan"])


def test_without_the_memory_of_a_node_there_is_no_bandwidth():
    assert "bandwidth" not in metrics(case("memory_conflict"), "greedyp*")
    assert metrics(case("memory_conflict", node_memory=8.0), "easy")["bandwidth"] == 0.0


def test_useful_cpu_leaves_stalls_out_and_demand_counts_needs():
    # quarter_share: five quarter tasks ask for 1.25 nodes and share one; memory_conflict: nothing useful 200..500.
    shared = simulate(case("quarter_share"), "greedyp*").series
    stalled = simulate(case("memory_conflict"), "greedyp*").series

    assert shared["demand"][0] == pytest.approx(1.25) and shared["utilization"][0] == pytest.approx(1.0)
    during = np.searchsorted(stalled["time"], 200.0)
    assert stalled["time"][during] == 200.0 and stalled["utilization"][during] == 0.0
    assert stalled["demand"][during] == 1.0 and stalled["running"][during] == 1.0
