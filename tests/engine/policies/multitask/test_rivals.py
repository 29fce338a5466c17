"""PSRS, Tetris and JSQ-MaxWeight on small cases worked out by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.families.multitask.workload import assemble
from shadowtime.engine.tables import JOB_STATES
from shadowtime.engine.workload.generators.generate import generate
from tests.engine.golden import golden_files
from tests.engine.packed import check_packed


def workload(tasks, capacity=(4.0,), weight=None, release=None):
    """Jobs of one task each: (size, {machine: time})."""
    n = len(tasks)
    machine = [i for _, places in tasks for i in places]
    time = [p for _, places in tasks for p in places.values()]
    return assemble(
        np.zeros(n) if release is None else np.array(release, "f8"),
        np.ones(n) if weight is None else np.array(weight, "f8"),
        np.ones(n, "i8"), np.array([size for size, _ in tasks]), np.array([len(places) for _, places in tasks]),
        np.array(machine), np.array(time, "f8"), np.array(capacity, "f8"),
    )  # fmt: skip


def ends(*args, algorithm, parameters=None, **how):
    asked = workload(*args, **how)
    schedule = simulate(asked, algorithm, parameters)
    check_packed(schedule, asked)
    return schedule.jobs["end"].tolist()


@pytest.mark.parametrize("path", golden_files("unit_psrs"), ids=lambda path: path.stem)
def test_psrs_preempts_for_a_wide_task(path):
    said = json.loads(path.read_text())
    tasks = [(task["a"], {0: task["p"]}) for task in said["tasks"]]
    asked = workload(tasks, (said["capacity"],), [task.get("w", 1.0) for task in said["tasks"]])
    schedule = simulate(asked, "psrs", {"V": said["V"]})
    wide = schedule.segments["start"][schedule.segments["task"] == said["expected_order"][-1]]

    assert schedule.jobs["end"] == pytest.approx(said["expected_completion"], rel=1e-6)
    assert wide == pytest.approx([said["expected_preemption_time"]], rel=1e-6)


def test_psrs_plans_again_when_a_job_arrives():
    """The heavy one takes its place at 2; the light one has 8 s left."""
    tasks = [(4.0, {0: 10.0}), (4.0, {0: 3.0})]

    assert ends(tasks, algorithm="psrs", weight=[1, 100], release=[0, 2]) == pytest.approx([13.0, 5.0])


def test_tetris_prefers_little_left_or_large_tasks_by_f():
    """A small job of 2 and a large one of 12: with f = 0 the larger task goes first, with f = 10 the shorter job."""
    tasks = [(3.0, {0: 4.0}), (2.0, {0: 1.0})]
    for algorithm in ("tetris", "tetris-p"):
        assert ends(tasks, algorithm=algorithm, parameters={"f": 0.0}) == [4.0, 5.0]
        assert ends(tasks, algorithm=algorithm, parameters={"f": 10.0}) == [5.0, 1.0]


def test_tetris_p_takes_tasks_off_and_tetris_does_not():
    tasks = [(3.0, {0: 10.0}), (3.0, {0: 2.0})]

    assert ends(tasks, algorithm="tetris-p", release=[0, 3], weight=[1, 5]) == [12.0, 5.0]
    assert ends(tasks, algorithm="tetris", release=[0, 3], weight=[1, 5]) == [10.0, 12.0]


def test_tetris_waits_for_nobody_but_prefers_the_local_machine():
    tasks = [(4.0, {0: 4.0, 1: 8.0}), (4.0, {0: 4.0, 1: 8.0})]

    assert sorted(ends(tasks, (4.0, 4.0), algorithm="tetris")) == [4.0, 8.0]


def test_jsq_serves_the_remote_queue_when_it_is_longer():
    """All are local to machine 0 only: half of them go to the remote queue, which machine 1 serves."""
    tasks = [(4.0, {0: 4.0, 1: 8.0})] * 4

    assert sorted(ends(tasks, (4.0, 4.0), algorithm="jsq-mw")) == [4.0, 8.0, 8.0, 12.0]


@pytest.mark.parametrize("seed", range(6))
def test_jsq_enters_a_job_beside_one_that_fits_nowhere(seed):
    asked = workload([(6.0, {0: 1.0}), (2.0, {0: 1.0}), (5.0, {0: 1.0}), (3.0, {0: 1.0})])
    schedule = simulate(asked, "jsq-mw", seed=seed)

    assert [JOB_STATES[state] for state in schedule.jobs["state"]] == ["rejected", "finished", "rejected", "finished"]


def test_jsq_enters_jobs_in_an_order_of_its_seed():
    asked = generate("multitask", {"jobs": 12, "machines": 3, "local": 2}, 1)
    first, again, other = (simulate(asked, "jsq-mw", seed=seed).jobs["end"] for seed in (1, 1, 2))

    assert np.array_equal(first, again) and not np.array_equal(first, other)
