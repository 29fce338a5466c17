"""Instances for the tests of bounds: by hand, from golden files, and drawn."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

from shadowtime.engine.bounds.work import Work
from shadowtime.engine.workload.job import Workload, job_table

FIGURE_1 = Workload(
    "two_tier",
    "figure1",
    job_table(
        release=np.array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0]),
        runtime=np.array([10, 6, 5, 11, 2, 3, 5, 4, 5, 8, 4, 3.0]),
        processors=np.array([2, 4, 2, 1, 1, 1, 1, 1, 1, 1, 5, 4]),
    ),
    {"usage": np.concatenate((np.full(8, 0.5), np.ones(7), np.full(9, 0.5)))},
)
"""Figure 1(a) of the two-tier paper: processes of parallel jobs use half a processor, serial ones a whole."""


def machine(lanes: float) -> SimpleNamespace:
    return SimpleNamespace(lanes=lanes)


def golden_workload(instance) -> Workload:
    """The fractional workload of an instance in a golden file."""
    jobs = instance["jobs"]

    def column(name: str) -> np.ndarray:
        return np.array([job[name] for job in jobs])

    table = job_table(
        release=column("release"), runtime=column("runtime"), processors=column("tasks"), job_id=column("id"),
        cpu_need=column("cpu_need"), memory=column("memory"),
    )  # fmt: skip
    return Workload("fractional", "golden", table)


def work(release, runtime, width, lanes, weight=None) -> Work:
    order = np.argsort(release, kind="stable")
    columns = [np.asarray(column, float)[order] for column in (release, runtime, width)]
    weights = np.ones(len(order)) if weight is None else np.asarray(weight, float)[order]
    return Work(*columns, weights, float(lanes))


def eighths(low: int, high: int):
    """Seconds to a precision that a linear program can bear."""
    return st.integers(low, high).map(lambda value: value / 8.0)


@st.composite
def works(draw, most: int = 12, whole: bool = False, longest: int = 60) -> Work:
    """A few jobs on a small machine; whole seconds and widths if `whole`."""
    n = draw(st.integers(1, most))
    lanes = draw(st.integers(1, 4))
    if whole:
        time, length, width = st.integers(0, 5), st.integers(1, longest), st.integers(1, lanes)
    else:
        time, length = eighths(0, 640), eighths(2, 8 * longest)
        width = st.sampled_from([0.25, 0.5, 1.0, 1.75, float(lanes)]).map(lambda value: min(value, float(lanes)))
    column = st.lists
    return work(
        draw(column(time, min_size=n, max_size=n)),
        draw(column(length, min_size=n, max_size=n)),
        draw(column(width, min_size=n, max_size=n)),
        lanes,
        draw(column(st.integers(1, 5), min_size=n, max_size=n)),
    )


def burst(n: int, lanes: int, seed: int, load: float = 1.0) -> Work:
    """Many jobs with long tails, in bursts: what the cut has to repair."""
    rng = np.random.default_rng(seed)
    runtime = np.ceil(rng.lognormal(4.0, 1.8, n))
    width = 2.0 ** rng.integers(0, 1 + int(np.log2(lanes)), n)
    gap = float(np.mean(runtime * width)) / lanes / load
    release = np.cumsum(np.floor(rng.exponential(gap, n) * rng.choice([0.1, 1.9], n)))
    return work(release, runtime, width, lanes)
