"""The family of multitask jobs."""

from __future__ import annotations

from typing import Any

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.families.family import Family
from shadowtime.engine.families.multitask import workload as multitask
from shadowtime.engine.families.multitask.conversion import TASKS
from shadowtime.engine.families.multitask.entries import ALGORITHMS
from shadowtime.engine.families.multitask.generator import MULTITASK
from shadowtime.engine.families.multitask.google import GOOGLE
from shadowtime.engine.families.multitask.tasks import Tasks
from shadowtime.engine.families.units import Units
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload


class Multitask(Family):
    """Jobs of tasks, each with a size, and a time on every machine where it may run."""

    name = "multitask"
    aliases = ("packing",)
    title = "Multitask"
    summary = "Tasks of one job are packed on machines that suit them."
    algorithms = ALGORITHMS
    generators = (MULTITASK,)
    conversions = (TASKS,)
    formats = (GOOGLE,)
    readers = {"golden-synchpack-1": multitask.read}
    document = staticmethod(multitask.document)
    lane = "machine"
    machine = "machine"
    size = "task"
    held = "task"
    size_histogram = ("by tasks", "task", "")
    quick_bounds = 10_000  # 2 s; the time grows with the square of the jobs
    is_sized = False
    is_weighted = True
    is_planned = True
    shares_lanes = True
    lanes_are_nodes = True
    objective = "weighted_completion"
    metrics = ("preemptions", "migrations")
    bounded = ("makespan", "weighted_completion", "weighted_flow")

    def check(self, workload: Workload, lanes: int, cores_per_node: int) -> None:
        machines = int(workload.machine.get("nodes", 0))
        if lanes != machines or cores_per_node != 1:
            raise InvalidPlatform(
                f"the tasks of {workload.name} are bound to {machines:,} machines of one core each; "
                f"the platform has {lanes:,} lanes, {cores_per_node:,} a node"
            )

    def units(self, workload: Workload, lanes: int, **options: bool) -> Units:
        return Tasks(self, workload, lanes, **options)

    def bounds(
        self, workload: Workload, lanes: int, tau: float, jobs: Table | None, *, migrates: bool | None, alone: bool
    ) -> Any:
        from shadowtime.engine.families.multitask import bounds as proven  # with numba

        source = proven.Packing(workload, jobs, is_alone=alone, migrates=migrates)
        return source if len(source) else None


FAMILY = Multitask()
