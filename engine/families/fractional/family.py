"""The family of fractional jobs."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.bounds.work import METRICS
from shadowtime.engine.families.family import Family, Values
from shadowtime.engine.families.fractional import workload as fractional
from shadowtime.engine.families.fractional.conversion import FRACTIONAL as CONVERSION
from shadowtime.engine.families.fractional.entries import ALGORITHMS
from shadowtime.engine.families.fractional.generator import FRACTIONAL as GENERATOR
from shadowtime.engine.metrics import moves
from shadowtime.engine.output.submissions import Unfit
from shadowtime.engine.tables import MEMORY, NODES, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.sharing import nodes_alone, tasks_per_node

BYTES_PER_GB = 1024.0**3


class Fractional(Family):
    """Jobs of identical tasks, each of which needs a share of the CPU and memory of a node."""

    name = "fractional"
    title = "Fractional"
    summary = "Jobs share the CPU of nodes, and may be paused and moved."
    algorithms = ALGORITHMS
    generators = (GENERATOR,)
    conversions = (CONVERSION,)
    readers = {"simulation": fractional.read, "stretch_bound": fractional.read}
    document = staticmethod(fractional.document)
    lane = "node"
    size = "task"
    held = "task"
    size_histogram = ("by tasks", "task", "")
    objective = "max_bounded_stretch"
    shares_lanes = True
    has_yields = True
    lanes_are_nodes = True
    metrics = (*Family.metrics, "migrations", "bandwidth")
    bounded = METRICS

    def fits(self, workload: Workload, lanes: int) -> np.ndarray:
        """Return which jobs can run: several tasks may share a node, so memory decides."""
        return workload.jobs["processors"] <= lanes * tasks_per_node(workload.jobs["memory"])

    def default_estimates(self, workload: Workload) -> str:
        return "actual"

    def lanes_of_jobs(self, workload: Workload, lanes: int, exclusive: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return one lane per task if nodes are shared, else whole nodes."""
        jobs = workload.jobs
        if exclusive:
            size = nodes_alone(jobs)
            return np.minimum(size, lanes), size > lanes
        too_large = ~self.fits(workload, lanes)
        return np.where(too_large, 1, jobs["processors"]), too_large

    def unfit(self, workload: Workload, exclusive: bool) -> Unfit:
        jobs = workload.jobs
        return Unfit(NODES, nodes_alone(jobs)) if exclusive else Unfit(MEMORY, jobs["processors"])

    def columns_before(self, view: Table) -> Table:
        return {"moved_tasks": np.asarray(view["moved"], dtype="i8").copy()}

    def cpu_need(self, workload: Workload) -> np.ndarray | None:
        return workload.jobs["processors"] * workload.jobs["cpu_need"]

    def metrics_of(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float | None) -> Values:
        values = super().metrics_of(schedule, workload, lanes, done, makespan)
        if makespan is None or "node_memory" not in workload.machine:
            return values
        carried = moves.preempted_memory(schedule.jobs, schedule.events) + moves.migrated_memory(schedule.jobs)
        return values | {"bandwidth": carried * (workload.machine["node_memory"] * BYTES_PER_GB) / makespan}


FAMILY = Fractional()
