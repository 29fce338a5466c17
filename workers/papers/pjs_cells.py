"""Compute the points of the four studies of Collins and George 2001 as separate small runs."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate

REPEATS = 5
"""Number of timings of a planning call; the quickest counts, since other programs only slow it down."""


@dataclass(frozen=True)
class Call:
    """Study 1: one planning call on random tables."""

    rule: str
    jobs: int
    machines: int
    clusters: int = 0
    parallel: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Cost:
    """Cost of a planning call."""

    seconds: float
    """Processor time [s]."""
    sjs_calls: int


@dataclass(frozen=True)
class Cell:
    """Studies 2 to 4: a workload under one scheduler."""

    site: str
    rule: str
    jobs: int
    seed: int
    mix: str = "none"
    rate: float = 0.0


@dataclass(frozen=True)
class Point:
    """Result of a cell by level: high, medium, low; NaN where a level has no jobs."""

    total: float
    """Total job time [s]."""
    level_total: tuple[float, float, float]
    level_mean: tuple[float, float, float]
    parallel: tuple[float, float, float]
    """Share of jobs whose final run was on a cluster."""
    parallel_all: float
    preemptions: int


def run(question: Call | Cell) -> Cost | Point:
    """Compute one cell of any study."""
    return run_call(question) if isinstance(question, Call) else run_cell(question)


def run_call(call: Call) -> Cost:
    """Time one planning call, all jobs at second 0."""
    from shadowtime.engine.families.classed.policies.planning import plan, warm_planner

    warm_planner(call.rule)
    values = {
        "site": "random", "jobs": call.jobs, "machines": call.machines, "clusters": call.clusters,
        "cluster_size": 4, "parallel": call.parallel,
    }  # fmt: skip
    site = generate("classed", values, call.seed).site
    assert site is not None, "a classed workload brings its site"
    times = site.experience.expected
    clocks, rows = np.zeros(call.machines), np.arange(call.jobs)
    taken = []
    for _ in range(REPEATS):
        began = time.process_time()
        made = plan(call.rule, rows, times[:, : call.machines], times[:, call.machines :], site.members, clocks)
        taken.append(time.process_time() - began)
    return Cost(min(taken), made.sjs_calls)


def run_cell(cell: Cell) -> Point:
    """Simulate one cell."""
    values = {"site": cell.site, "jobs": cell.jobs, "mix": cell.mix, "rate": cell.rate}
    schedule = simulate(generate("classed", values, cell.seed), cell.rule)
    jobs = schedule.jobs
    flow, cluster, priority = jobs["end"] - jobs["release"], jobs["cluster"] >= 0, jobs["priority"]
    levels = [priority == level for level in range(3)]
    return Point(
        float(flow.sum()),
        _three([float(flow[here].sum()) if here.any() else np.nan for here in levels]),
        _three([float(flow[here].mean()) if here.any() else np.nan for here in levels]),
        _three([float(cluster[here].mean()) if here.any() else np.nan for here in levels]),
        float(cluster.mean()),
        schedule.counters["kills"],
    )


def _three(values: list[float]) -> tuple[float, float, float]:
    high, medium, low = values
    return high, medium, low
