"""Golden cases of the family: whole simulations, yields on given mappings, single packings.

simulation.json#memory_conflict, GreedyP*, one node, period 600, penalty 300

0        100     200      500                    1400
|1 1 1 1 1|2 2 2 2|. . . . .|1 1 1 1 1 1 1 1 1 1 1|
                   1 resumes and stands still
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine import Simulation, Workload, simulate
from shadowtime.engine.bounds.registry import lower_bounds
from shadowtime.engine.families.fractional.policies.averaging import average
from shadowtime.engine.families.fractional.policies.filling import fill
from shadowtime.engine.families.fractional.policies.packing import pack
from shadowtime.engine.families.fractional.policies.run import run_fractional
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.workload.job import job_table
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files
from tests.engine.policies.fractional.mappings import mapped, memory_of


def cases(kind):
    for path in golden_files(kind):
        content = json.loads(path.read_text())
        for case in content["cases"]:
            yield path, case, content.get("tolerance", 1e-9)


def simulations():
    for path, case, tolerance in cases("simulation"):
        for name, expected in case["expected"].items():
            slug = name.lower().replace("minft", "minft=").replace("minvt", "minvt=").replace("==", "=")
            yield pytest.param(path, case, slug, expected, tolerance, id=f"{case['name']}-{name}")


@pytest.mark.parametrize(("path", "case", "slug", "expected", "tolerance"), list(simulations()))
def test_simulations(path, case, slug, expected, tolerance):
    with path.open("rb") as stream:
        workload = read(stream, path.name, case["name"])
    platform = Platform.of(workload)
    schedule = simulate(workload, slug)
    metrics = summarize(schedule, workload, platform)

    assert np.abs(schedule.jobs["end"] - np.array(expected["end"])).max() <= tolerance
    assert metrics["max_bounded_stretch"] == pytest.approx(expected["max_stretch"], abs=tolerance)
    assert metrics["normalized_underutilization"] == pytest.approx(expected["underutilization_normalized"], abs=1e-6)
    for count in ("preemptions", "migrations"):
        assert metrics[count] == expected.get(count, 0) == schedule.counters[count]
    bound = lower_bounds(workload, platform).values["max_bounded_stretch"]
    assert bound == pytest.approx(case["max_stretch_bound"], rel=1e-6)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for _, case, _ in cases("allocation")])
def test_yields_on_given_nodes(case):
    memory, hold = mapped(case["jobs"], case["nodes"])
    fill(memory, hold)

    assert memory.row["yield_"][: len(case["jobs"])].tolist() == pytest.approx(
        case["expected"]["yields_opt_min"], abs=1e-9
    )
    load = np.bincount(hold, [job["cpu_need"] for job in case["jobs"] for _ in job["nodes"]], case["nodes"])
    assert load.max() == pytest.approx(case["expected"]["max_load"])
    fill(memory, hold)
    assert average(memory, False)
    assert memory.row["yield_"][: len(case["jobs"])].sum() == pytest.approx(case["expected"]["sum_yields_opt_avg"])
    assert 1.0 / max(1.0, load.max()) == pytest.approx(case["expected"]["min_yield"])


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for _, case, _ in cases("mcb8")])
def test_packings_and_searches(case):
    jobs = case["jobs"]
    for at in case["expected"]["at"]:
        packed = pack_at(case, at["yield_"])
        theirs = at["nodes_of_job"] and [[node - 1 for node in nodes] for nodes in at["nodes_of_job"]]
        assert packed == theirs
        assert (packed is not None) == at["packed"]
    if case["node_cpu"] is None:
        best, placed = search(jobs, case["nodes"])
        found = case["expected"]["search_result"]
        assert placed < len(jobs) if found is None else (placed == len(jobs) and best == pytest.approx(found))


def workload_of(jobs, nodes):
    columns = {name: np.array([float(job[name]) for job in jobs]) for name in ("tasks", "cpu_need", "memory")}
    n = len(jobs)
    table = job_table(np.zeros(n), np.full(n, 100.0), columns.pop("tasks").astype(int), **columns)
    return Workload("fractional", "to pack", table, machine={"nodes": nodes})


def pack_at(case, yield_):
    """Nodes of each job at one yield, or None."""
    jobs, nodes = case["jobs"], case["nodes"]
    memory = memory_of(workload_of(jobs, nodes), "/per")
    for lane in range(nodes):
        memory.node[lane]["cpu"] = 1.0 if case["node_cpu"] is None else case["node_cpu"][lane]
        memory.node[lane]["memory"] = 1.0 if case["node_memory"] is None else case["node_memory"][lane]
    order = sorted(range(len(jobs)), key=lambda i: (-jobs[i]["memory"], i))
    first = 0
    for row, i in enumerate(order):
        c = memory.cand[row]
        c["unit"], c["tasks"], c["first"] = i, jobs[i]["tasks"], first
        c["cpu"], c["memory"] = yield_ * jobs[i]["cpu_need"], jobs[i]["memory"]
        first += jobs[i]["tasks"]
    by_cpu = sorted(range(len(jobs)), key=lambda i: (-jobs[i]["cpu_need"], i))
    memory.place[: len(jobs)] = [order.index(i) for i in by_cpu]
    if not pack(memory, len(jobs), 0):
        return None
    rows = [memory.cand[order.index(i)] for i in range(len(jobs))]
    return [memory.seat[r["first"] : r["first"] + r["tasks"]].tolist() for r in rows]


def search(jobs, nodes):
    """The yield that the search at second 0 finds, and how many jobs are placed."""
    workload = workload_of(jobs, nodes)
    memory, state = memory_of(workload, "/per"), Simulation(workload, "/per")._runner.state
    run_fractional(state, memory, 1)
    return float(memory.m[0]["best"]), int(state.k[0]["running"])
