"""Tetris and JSQ-MaxWeight against their slow twins, on random instances, at once and over time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import simulate
from shadowtime.engine.families.multitask.workload import assemble
from tests.engine.multitask.instances import random_instance
from tests.reference import packing_rivals as twins


def workload_of(instance, release):
    """Return the workload of an instance, tasks numbered as there."""
    tasks = np.bincount(instance.job, minlength=instance.jobs)
    return assemble(
        release, instance.weight, tasks, instance.size, np.diff(instance.options), instance.machine, instance.time,
        instance.capacity,
    )  # fmt: skip


def started(slug, instance, release, parameters, seed=0):
    """Return machine and start of each task."""
    segments = simulate(workload_of(instance, release), slug, parameters, seed=seed).segments
    order = np.argsort(segments["task"])
    assert segments["task"][order].tolist() == list(range(instance.tasks))
    return list(zip(segments["first"][order].tolist(), segments["start"][order].tolist(), strict=True))


def asked(seed: int, places: int, over_time: bool):
    instance = random_instance(seed, jobs=6, machines=3, places=places, whole=False)
    rng = np.random.default_rng(seed)
    release = np.sort(rng.uniform(0.0, 12.0, instance.jobs)) if over_time else np.zeros(instance.jobs)
    return instance, release - release[0]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 100_000), st.integers(1, 3), st.booleans(), st.sampled_from([0.1, 1.0, 10.0]))
def test_tetris_starts_what_its_twin_starts(seed, places, over_time, f):
    instance, release = asked(seed, places, over_time)
    found = started("tetris", instance, release, {"f": f, "penalty": 0.0})
    expected = twins.tetris(instance, release, f)

    assert [machine for machine, _ in found] == [machine for machine, _ in expected]
    assert [start for _, start in found] == pytest.approx([start for _, start in expected])


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 100_000), st.integers(1, 3), st.booleans(), st.sampled_from([1.0, 2.0, 3.0]))
def test_jsq_serves_what_its_twin_serves(seed, places, over_time, factor):
    instance, release = asked(seed, places, over_time)
    found = started("jsq-mw", instance, release, {"remote_factor": factor}, seed)
    turn = np.random.default_rng(seed).permutation(instance.jobs)
    expected = twins.jsq_mw(instance, release, turn, factor)

    assert [machine for machine, _ in found] == [machine for machine, _ in expected]
    assert [start for _, start in found] == pytest.approx([start for _, start in expected])
