"""The compiled family against the slow twin, on random workloads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shadowtime.engine import Workload, simulate
from shadowtime.engine.families.fractional.names import variants
from shadowtime.engine.workload.job import job_table
from tests.reference.fractional_twin import Twin
from tests.whole import whole_or

PERIOD, PENALTY = 60.0, 20.0
MANY = whole_or(300, 160)
"""Jobs of a backlog, most of which wait at once."""
MEMORIES = [0.1, 0.13, 0.2, 0.27, 0.3, 0.5, 0.9]
LOGGED = [0.390625, 0.1953125, 0.390625, 0.1953125, 0.2, 0.5, 0.585938]
"""As in HPC2N: nearly all tasks ask for one of two amounts, so that whole groups of jobs are alike."""

jobs_of = st.lists(
    st.tuples(
        st.integers(0, 240).map(float),
        st.integers(1, 5),
        st.sampled_from([0.25, 0.3, 0.5, 0.6, 1.0]),
        st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5, 0.7]),
        st.integers(5, 200).map(float),
    ),
    min_size=1,
    max_size=9,
).map(lambda jobs: sorted(jobs, key=lambda job: job[0]))

COMPARABLE = [variant for variant in variants() if variant.optimum != "avg"]
STRETCH_PER = next(v for v in COMPARABLE if v.name.lower() == "/stretch-per/opt=max/minvt=600")
EQUAL_REQUESTS = [
    (0.0, 1, 0.25, 0.1, 5.0), (143.0, 2, 0.6, 0.7, 121.0), (157.0, 4, 0.5, 0.1, 110.0), (157.0, 4, 0.5, 0.1, 116.0),
    (157.0, 4, 0.5, 0.1, 110.0),
]  # fmt: skip
"""Jobs 2 and 4 have the same virtual time at 480 s, 22640/207 s, but for rounding."""


def workload_of(jobs, nodes):
    columns = [list(column) for column in zip(*jobs, strict=True)]
    release, tasks, need, memory, runtime = (np.array(column) for column in columns)
    table = job_table(release, runtime, tasks, cpu_need=need, memory=memory)
    return Workload("fractional", "drawn", table, machine={"nodes": nodes})


@settings(max_examples=600, deadline=None)
@given(jobs=jobs_of, nodes=st.integers(1, 4), variant=st.sampled_from(COMPARABLE))
@example(jobs=EQUAL_REQUESTS, nodes=3, variant=STRETCH_PER)
def test_ends_and_counts_equal_the_slow_twin(jobs, nodes, variant):
    jobs = [job for job in jobs if job[1] <= nodes * int(1.0 / job[3] + 1e-9)]
    if not jobs:
        return
    bound = variant.bound / 10.0
    twin = Twin(jobs, nodes, variant.submission, variant.on_completion, variant.periodic, limit=variant.limit,
                bound=bound, period=PERIOD, penalty=PENALTY)  # fmt: skip
    ends = twin.run()
    given_ = {"penalty": PENALTY} | ({"period": PERIOD} if variant.periodic else {})
    schedule = simulate_with_bound(workload_of(jobs, nodes), variant, bound, given_)

    assert schedule.jobs["end"].tolist() == pytest.approx(ends, abs=1e-5)
    assert {name: schedule.counters[name] for name in twin.counts} == twin.counts
    assert int(schedule.jobs["moved_tasks"].sum()) == twin.moved_tasks


@pytest.mark.parametrize("drawn_from", [MEMORIES, LOGGED], ids=["drawn", "logged"])
@pytest.mark.parametrize(
    "name", ["greedypm*/per/opt=min/minvt=600", "greedyp*/opt=min", "/per/opt=min", "mcb8*/opt=min"]
)
def test_a_long_backlog_equals_the_slow_twin(name, drawn_from):
    """More wait than are tried at a time, so that priorities are guessed, and guessed wrong."""
    rng = np.random.default_rng(5)
    sizes, needs, memories = rng.integers(1, 4, MANY), rng.choice([0.25, 0.5, 1.0], MANY), rng.choice(drawn_from, MANY)
    releases, runtimes = np.sort(rng.integers(0, 2 * MANY, MANY)), rng.integers(5, 200, MANY)
    jobs = [(float(r), int(n), float(c), float(m), float(p))
            for r, n, c, m, p in zip(releases, sizes, needs, memories, runtimes, strict=True)]  # fmt: skip
    variant = next(v for v in variants() if v.name.lower() == name)
    twin = Twin(jobs, 4, variant.submission, variant.on_completion, variant.periodic, limit=variant.limit,
                bound=60.0, period=PERIOD, penalty=PENALTY)  # fmt: skip
    ends = twin.run()
    given_ = {"penalty": PENALTY} | ({"period": PERIOD} if variant.periodic else {})
    schedule = simulate_with_bound(workload_of(jobs, 4), variant, 60.0, given_)

    assert schedule.jobs["end"].tolist() == pytest.approx(ends, abs=1e-5)
    assert {count: schedule.counters[count] for count in twin.counts} == twin.counts


def simulate_with_bound(workload, variant, bound, parameters):
    """A run of the variant with another bound than the paper's, so that short jobs meet it."""
    from dataclasses import replace

    from shadowtime.engine import registry

    name = variant.name.lower()
    entry = registry.find(name)
    registry._ALGORITHMS[name] = replace(
        entry, runner=replace(entry.runner, options={**entry.runner.options, "bound": bound})
    )
    try:
        return simulate(workload, name, parameters)
    finally:
        registry._ALGORITHMS[name] = entry
