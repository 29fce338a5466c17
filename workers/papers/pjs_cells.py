"""Compute the points of the four studies of Collins and George 2001 as separate small runs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shadowtime.engine.families.classed.generator import MIXES
from shadowtime.engine.families.classed.workload import classed
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload

REPEATS = 5
"""Number of timings of a planning call; the quickest counts, since other programs only slow it down."""
TIME_SCALE = 3.0
"""Factor on the times of the stand-in site, from the axes of the paper's figures (`pjs_axes`)."""


@dataclass(frozen=True)
class Call:
    """Study 1: one planning call on random tables."""

    rule: str
    jobs: int
    machines: int
    clusters: int = 0
    parallel: float = 0.0
    seed: int = 0

    @property
    def size(self) -> int:
        """Return what orders the cells of a study by their work."""
        return self.jobs * self.machines


@dataclass(frozen=True)
class Cost:
    """Cost of a planning call."""

    MEASURED: ClassVar[tuple[str, ...]] = ("seconds",)
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
    """Mean number of jobs that arrive per quantum; 0: all at second 0."""
    time_scale: float = TIME_SCALE
    options: tuple[tuple[str, Any], ...] = ()
    """Parameters of the scheduler."""


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
    schedule = simulate(workload_of(cell), cell.rule, dict(cell.options))
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


def workload_of(cell: Cell) -> Workload:
    """Return the jobs of a cell.

    Jobs that arrive have drawn priorities, as in the paper. If all are there at second 0, the shares of priorities are
    exact, as in the paper's example (5 high, 5 medium and 40 low jobs); which jobs have which is drawn.
    """
    values = {"site": cell.site, "jobs": cell.jobs, "rate": cell.rate, "time_scale": cell.time_scale}
    if cell.rate or cell.mix == "none":
        return generate("classed", {**values, "mix": cell.mix}, cell.seed)
    drawn = generate("classed", values, cell.seed)
    assert drawn.site is not None, "a classed workload brings its site"
    priority = np.random.default_rng([cell.seed, cell.jobs]).permutation(
        np.repeat(range(3), counts(cell.mix, cell.jobs))
    )
    return classed(drawn.site, drawn.jobs["job_class"], priority=priority).with_(name=drawn.name, source=drawn.source)


def counts(mix: str, jobs: int) -> list[int]:
    """Return the numbers of high, medium and low jobs among so many; the low ones take what rounding leaves."""
    shares = MIXES[mix]
    assert shares is not None, "a mix with priorities"
    high, medium = (round(share * jobs) for share in shares[:2])
    return [high, medium, jobs - high - medium]


def _three(values: list[float]) -> tuple[float, float, float]:
    high, medium, low = values
    return high, medium, low
