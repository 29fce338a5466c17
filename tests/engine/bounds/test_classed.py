"""Bounds on machines that differ: against every order of every placement of tiny workloads, and against runs."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Platform, simulate
from shadowtime.engine.bounds.registry import bound, check, lower_bounds
from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.classed.site.site import make_site
from shadowtime.engine.families.classed.workload import classed
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.generators.generate import generate
from tests.engine.policies.classed.sites import random_classed


def best_total(site, workload):
    """The least total job time of any order and any placement, and the least makespan: tried all."""
    times = site.experience.expected
    jobs = workload.jobs
    least, shortest = np.inf, np.inf
    for order in permutations(range(len(workload))):
        for places in product(range(site.resources), repeat=len(workload)):
            free, ends = np.zeros(len(site.machines)), np.zeros(len(workload))
            for job, resource in zip(order, places, strict=True):
                machines = list(site.machines_of(resource))
                start = max(free[machines].max(), jobs["release"][job])
                free[machines] = ends[job] = start + times[jobs["job_class"][job], resource]
            least = min(least, float((ends - jobs["release"]).sum()))
            shortest = min(shortest, float(ends.max() - jobs["release"].min()))
    return least, shortest


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31))
def test_no_schedule_of_a_tiny_site_beats_them(seed):
    rng = np.random.default_rng(seed)
    times, together = rng.integers(1, 9, (2, 2)).astype(float), rng.integers(1, 9, (2, 1)).astype(float)
    site = make_site(times, together, [(0, 1)])
    workload = classed(site, rng.integers(0, 2, 4), release=np.sort(rng.integers(0, 5, 4)).astype(float))
    least, shortest = best_total(site, workload)

    found = lower_bounds(workload, Platform.of(workload)).values
    assert found["total_job_time"] <= least + 1e-9 and found["makespan"] <= shortest + 1e-9
    assert found["total_job_time"] > 0


@pytest.mark.parametrize("slug", ["olb", "min-min", "sjs", "pjs"])
@pytest.mark.parametrize("seed", range(4))
def test_no_run_beats_them(slug, seed):
    drawn = generate("classed", {"jobs": 60, "rate": 8, "mix": "25/25/50", "spread": 0.4}, seed)
    for workload in (random_classed(seed), drawn):
        schedule, platform = simulate(workload, slug), Platform.of(workload)
        bounds = lower_bounds(workload, platform, jobs=schedule.jobs)
        check(summarize(schedule, workload, platform), bounds)
        assert set(bounds.values) == set(find_family("classed").bounded)


def test_the_command_refuses_a_stretch():
    workload = generate("classed", {"jobs": 5})

    assert bound(workload, Platform.of(workload), "makespan")["bound"] > 0
    with pytest.raises(UnsupportedWorkload, match="no bound on max-stretch is proven for classed workloads"):
        bound(workload, Platform.of(workload), "max-stretch")
