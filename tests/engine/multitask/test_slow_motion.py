"""Slow motion, copies and matching: golden steps, and what the proof of 24 rests on."""

from __future__ import annotations

import itertools
import json
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine.families.multitask.packing.instance import instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import solve_intervals
from shadowtime.engine.families.multitask.packing.rounding import copies, job_completion, levels, match, stretched
from shadowtime.engine.families.multitask.policies.online import IDLE
from shadowtime.engine.families.multitask.policies.synchpack_2 import packed
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files
from tests.engine.multitask.instances import random_instance

lambdas = st.floats(0.05, 1.0)


@pytest.mark.parametrize("path", golden_files("unit_slow_motion"), ids=lambda path: path.stem)
def test_slow_motion_of_one_task(path):
    said = json.loads(path.read_text())
    columns = [np.array([z[name] for z in said["z"]]) for name in ("task", "machine", "interval", "value")]
    for cap, key in (("task", "expected_task_cap"), ("machine", "per_machine_cap_for_contrast")):
        made = stretched(*columns, said["lambda"], cap)
        found = {(z["task"], z["machine"], z["interval"]): v for z, v in zip(said["z"], made, strict=True) if v > 0}
        expected = {(z["task"], z["machine"], z["interval"]): z["value"] for z in said[key]}

        assert found == pytest.approx(expected, rel=1e-6)
        if cap == "task":
            assert max(interval for *_, interval in found) <= said["lambda_point_interval"]


@pytest.mark.parametrize("path", golden_files("unit_interval_copies"), ids=lambda path: path.stem)
def test_copies_of_one_machine_interval(path):
    said = json.loads(path.read_text())
    assert said["volumes"] == sorted(said["volumes"], reverse=True)
    task, copy, weight = copies(np.zeros(len(said["fractions"]), "i8"), np.array(said["fractions"]))
    found = {(int(k), int(c)): w for k, c, w in zip(task, copy, weight, strict=True)}

    assert found == pytest.approx({(k, c): w for k, c, w in said["expected_edges"]}, rel=1e-6)
    assert copy.max() + 1 == said["expected_copies"]


@settings(deadline=None)
@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=12))
def test_copies_are_full_but_for_the_last(fractions):
    task, copy, weight = copies(np.zeros(len(fractions), "i8"), np.array(fractions))

    assert np.bincount(task, weight) == pytest.approx(fractions, abs=2e-9)
    full = np.bincount(copy, weight)
    assert full[:-1] == pytest.approx(1.0, abs=1e-8) and full[-1] <= 1.0 + 1e-8


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000), lambdas)
def test_a_stretched_task_is_whole_by_its_lambda_point(seed, lam):
    instance = random_instance(seed, jobs=4, machines=3, places=2, whole=False)
    found = solve_intervals(instance)
    task, machine = instance.owner[found.option], instance.machine[found.option]
    made = stretched(task, machine, found.interval, found.value, lam)

    assert np.bincount(task, made) == pytest.approx(1.0)
    for k in range(instance.tasks):
        mine = task == k
        done = np.bincount(found.interval[mine], found.value[mine], len(found.ends)).cumsum()
        point = int(np.argmax(done >= lam - 1e-7))
        assert found.interval[mine & (made > 1e-6)].max() <= point


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 100_000), lambdas, st.sampled_from(["any", "earliest"]), st.sampled_from(["task", "machine"]))
def test_matched_volumes_and_barriers_keep_their_bounds(seed, lam, matching, cap):
    instance = random_instance(seed, jobs=5, machines=3, places=2, whole=False)
    found = solve_intervals(instance)
    matched = match(instance, found, lam, matching=matching, cap=cap)
    machine, time = instance.machine[matched.option], instance.time[matched.option]
    volume = instance.volume[matched.option]
    many = len(found.ends)
    place = machine * many + matched.interval
    mapped = np.bincount(place, volume, instance.machines * many)
    spot = instance.machine[found.option] * many + found.interval
    slowed = np.bincount(spot, matched.stretched * instance.volume[found.option], instance.machines * many)
    limit = slowed + np.outer(instance.capacity, found.ends).ravel()
    barrier = packed(instance, matched, job_completion(instance, found), "barrier", IDLE)
    left = packed(instance, matched, job_completion(instance, found), "left", IDLE)

    assert (instance.owner[matched.option] == np.arange(instance.tasks)).all()
    assert (mapped <= limit * (1 + 1e-7)).all(), "(i) the volume mapped to a machine and interval"
    assert (time <= found.ends[matched.interval] * (1 + 1e-9)).all()
    ends = barrier.end
    for i in range(instance.machines):
        before = 0.0
        for level in range(many):
            here = (machine == i) & (matched.interval == level)
            if not here.any():
                continue
            long = 2 * max(time[here].max(), volume[here].sum() / instance.capacity[i])
            assert ends[here].max() - before <= long * (1 + 1e-9), "(ii) greedy packing"
            before = ends[here].max()
    if cap == "task":
        assert (ends <= 6 * found.ends[matched.interval] / lam * (1 + 1e-6)).all(), "(iii) barrier completion"
    assert (left.start <= barrier.start + 1e-9).all(), "nothing comes later by shifting left"


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 100_000))
def test_expected_completion_is_within_24_of_the_program(seed):
    """(iv): the expectation over lambda, by its corners: between two levels all plans are the same but for scale."""
    instance = random_instance(seed, jobs=4, machines=2, places=2)
    found = solve_intervals(instance)
    ends = job_completion(instance, found)
    total = 0.0
    corners = np.concatenate([[0.0], levels(instance, found)])
    for low, high in itertools.pairwise(corners):
        made = packed(instance, match(instance, found, float(high)), ends, "barrier", IDLE)
        done = np.zeros(instance.jobs)
        np.maximum.at(done, instance.job, made.completion(instance.tasks))
        total += (high**2 - low**2) * float(instance.weight @ done)

    assert total <= 24 * found.bound * (1 + 1e-6)


@pytest.mark.parametrize("path", golden_files("multi_machine_nonpreemptive"), ids=lambda path: path.stem)
def test_a_perfect_matching_exists_for_every_lambda(path):
    said = json.loads(path.read_text())
    instance = instance_of(read(BytesIO(path.read_bytes()), path.name))[0]
    found = solve_intervals(instance)
    values = []
    for lam in np.linspace(0.02, 1.0, 50):
        matched = match(instance, found, float(lam))
        made = packed(instance, matched, job_completion(instance, found), "left", IDLE)
        done = np.zeros(instance.jobs)
        np.maximum.at(done, instance.job, made.completion(instance.tasks))
        values.append(float(instance.weight @ done))

    assert min(values) >= said["must"]["any_nonpreemptive_min"] * (1 - 1e-9)
    assert max(values) <= said["must"]["synchpack2_expected_max"]
