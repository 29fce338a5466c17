"""SynchPack-3 and its programs on the golden instances in which each task has one machine."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.packing.loads import loads_of, primal_dual
from shadowtime.engine.families.multitask.packing.order import cut_order, full_order
from shadowtime.engine.families.multitask.policies.lists import job_ranks, list_schedule
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files
from tests.engine.packed import check_packed

CASES = golden_files("single_machine_preemptive")


def one_machine(capacity: float, tasks: list[dict]) -> Instance:
    """Jobs of one task each on one machine."""
    n = len(tasks)
    weight = np.array([task.get("w", 1.0) for task in tasks], "f8")
    size, time = (np.array([task[name] for task in tasks], "f8") for name in ("a", "p"))
    return Instance(weight, np.arange(n), size, np.arange(n + 1), np.zeros(n, "i8"), time, np.array([capacity], "f8"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
class TestSingle:
    @pytest.fixture
    def case(self, path):
        return json.loads(path.read_text()), read(BytesIO(path.read_bytes()), path.name)

    def test_programs(self, case):
        said, workload = case
        loads = loads_of(instance_of(workload)[0])
        cuts, full = cut_order(loads)[0], full_order(loads)[0]
        order, dual = primal_dual(loads)

        assert full == pytest.approx(said["lb"]["lp3_full"], rel=1e-5)
        assert cuts == pytest.approx(said["lb"]["lp3_parallel_inequalities"], rel=1e-5)
        assert dual <= cuts * (1 + 1e-9) and cuts <= full * (1 + 1e-9)
        assert full <= said["opt"]["preemptive_slotted"] * (1 + 1e-9)
        assert sorted(order.tolist()) == list(range(len(workload)))

    def test_list_schedules(self, case):
        said, workload = case
        instance, _ = instance_of(workload)
        for listed in said["list_schedules"].values():
            pieces = list_schedule(instance, job_ranks(instance, np.array(listed["order"])))
            ends = np.zeros(instance.tasks)
            ends[workload.parts["task"]] = pieces.completion(instance.tasks)
            job_ends = np.zeros(instance.jobs)
            np.maximum.at(job_ends, instance.job, pieces.completion(instance.tasks))

            assert ends == pytest.approx(listed["task_completion"], rel=1e-6)
            assert job_ends == pytest.approx(listed["job_completion"], rel=1e-6)
            assert float(workload.jobs["weight"] @ job_ends) == pytest.approx(listed["value"], rel=1e-6)
            assert listed["value"] >= said["must"]["any_list_schedule_min"]

    @pytest.mark.parametrize("order", ["auto", "lp3", "cuts", "primal-dual"])
    def test_synchpack_3(self, case, order):
        said, workload = case
        schedule = simulate(workload, "synchpack-3", {"order": order})
        value = float(schedule.jobs["weight"] @ schedule.jobs["end"])

        check_packed(schedule, workload, migratory=False)
        assert said["opt"]["preemptive_slotted"] * (1 - 1e-9) <= value
        assert value <= said["must"]["synchpack3_from_parallel_inequalities_max"] * (1 + 1e-9)
        assert value <= said["must"]["synchpack3_max"] * (1 + 1e-9)


def joined_pieces(pieces):
    """(task, start, end) sorted, those that touch as one: a task that goes on at once was not really taken off."""
    made = []
    for task, start, end in sorted(tuple(piece) for piece in pieces):
        if made and made[-1][0] == task and made[-1][2] == start:
            start = made.pop()[1]
        made.append((task, start, end))
    return made


@pytest.mark.parametrize("path", golden_files("unit_list_schedule"), ids=lambda path: path.stem)
def test_list_schedule_of_one_machine(path):
    said = json.loads(path.read_text())
    instance = one_machine(said["capacity"], said["tasks"])
    pieces = list_schedule(instance, np.arange(instance.tasks))

    assert pieces.completion(instance.tasks).tolist() == said["expected_completion"]
    assert joined_pieces(zip(pieces.unit, pieces.start, pieces.end, strict=True)) == joined_pieces(
        said["expected_pieces"]
    )
