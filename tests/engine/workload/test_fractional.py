"""Tasks that share nodes: the preparation of HPC2N, the synthetic workload, and how much of the memory they take."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.offered import offered_load
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.sharing import nodes_alone, tasks_per_node

GB = 1024 * 1024  # in KB


def log(*records):
    """A log of (processors, used KB, requested KB) on four processors."""
    lines = [
        f"{i} {i} -1 60 {q} -1 {used} {q} 90 {asked} 1 1 -1 -1 -1 -1 -1 -1"
        for i, (q, used, asked) in enumerate(records, 1)
    ]
    return read(BytesIO("\n".join(["; MaxProcs: 4", *lines]).encode()), "log.swf")


def test_memory_is_the_larger_of_used_and_requested_where_known():
    workload = log((1, 100, 300), (1, 500, -1), (1, -1, -1), (1, 0, 0))

    assert workload.jobs["memory_kb"].tolist()[:2] == [300, 500]
    assert np.isnan(workload.jobs["memory_kb"][2:]).all()
    assert "memory_kb" not in log((1, -1, -1), (2, 0, -1)).jobs


def test_even_jobs_of_little_memory_take_whole_nodes():
    converted = convert(
        log((4, 0.5 * GB, -1), (3, 0.5 * GB, -1), (2, 1.0 * GB, -1), (2, -1, -1), (1, 3 * GB, -1)), "fractional"
    )

    # Two GB a node: 1/4, 1/4, exactly one half (not covered by the paper), unknown, more than a node has.
    assert converted.kind == "fractional" and converted.machine == {"nodes": 2, "node_memory": 2.0}
    assert converted.jobs["processors"].tolist() == [2, 3, 2, 1, 1]
    assert converted.jobs["cpu_need"].tolist() == [1.0, 0.5, 0.5, 1.0, 0.5]
    assert converted.jobs["memory"].tolist() == [0.5, 0.25, 0.5, 0.2, 1.0]
    assert converted.report[-2:] == (
        "1 job without memory data: 0.1 of a node.",
        "1 job with more memory than a node was cut to it.",
    )


@pytest.mark.parametrize(("rule", "nodes"), [("log", 8), ("drawn", 16)])
def test_a_machine_of_nodes_and_cores_is_one_of_processors(rule, nodes):
    asked = log((16, -1, -1), (8, -1, -1))
    for machine in ({"processors": 16}, {"nodes": 4, "cores_per_node": 4}):
        made = convert(asked.with_(machine=machine), "fractional", {"rule": rule})
        assert made.machine["nodes"] == nodes and made.machine.keys() == {"nodes", "node_memory"}


def test_no_job_of_hpc2n_exceeds_the_cluster(traces):
    with (traces / "HPC2N-2002-2.2-cln.swf.gz").open("rb") as stream:
        converted = convert(read(stream, "HPC2N"), "fractional")

    assert (converted.jobs["processors"] <= 120 * tasks_per_node(converted.jobs["memory"])).all()
    assert convert(converted, "week", {"k": 20}).machine == converted.machine


def test_synthetic_jobs_follow_the_memory_law():
    jobs = generate("fractional", {"jobs": 20_000}, seed=5).jobs

    assert (jobs["memory"] == 0.1).mean() == pytest.approx(0.55, abs=0.01)
    assert jobs["memory"].mean() == pytest.approx(0.325, abs=0.01)
    assert ((jobs["cpu_need"] == 0.25) == (jobs["processors"] == 1)).all()


def test_synthetic_loads_are_reached():
    workload = generate("fractional", {"jobs": 400, "load": 0.7}, seed=1)

    assert offered_load(workload.jobs, 128) == pytest.approx(0.7, rel=1e-3)
    assert workload.machine == {"nodes": 128, "node_memory": 8.0}


def test_nodes_that_a_job_takes_alone():
    jobs = {
        "processors": np.array([3, 3, 4, 5]),
        "cpu_need": np.array([1.0, 0.25, 0.3, 0.1]),
        "memory": np.array([0.1, 0.5, 0.1, 0.0]),
    }

    assert nodes_alone(jobs).tolist() == [3, 2, 2, 1]
    assert tasks_per_node(np.array([0.1, 0.3, 0.51, 0.0])).tolist() == [10, 3, 1, np.inf]
