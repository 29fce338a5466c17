"""A seventh family, as a plug-in would bring it: rigid jobs, some of which need the one licence of the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.family import Family, Values
from shadowtime.engine.metrics.metric import Metric
from shadowtime.engine.runner.makers import Scripted
from shadowtime.engine.tables import Table
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.generators.generator import JOBS, Generator
from shadowtime.engine.workload.job import Workload, in_order, job_table


class LicenceFcfs:
    """In order of submission; a job that needs the licence waits until no one holds it."""

    def decide(self, desk: Any) -> None:
        held = any(desk.column("licence", job) for job in desk.running)
        for job in list(desk.waiting):
            needs = bool(desk.column("licence", job))
            free = desk.free_lanes()
            if desk.size(job) > len(free) or (needs and held):
                return
            desk.place(job, free[: desk.size(job)])
            held = held or needs


def read(instance: Mapping[str, Any]) -> Workload:
    """The workload of {"kind": "licensed", "processors", "jobs": [{"submit", "runtime", "processors", "licence"}]}."""
    items = columns.objects(instance, "jobs")
    jobs = job_table(
        columns.times(items, "submit", 0),
        columns.times(items, "runtime", above=True),
        columns.sizes(items, "processors"),
        licence=columns.column(items, "licence", 0, low=0, high=1, whole=True),
    )
    jobs, _ = in_order(jobs, {})
    machine = {"processors": columns.number(instance, "processors", low=1, high=1000, whole=True)}
    return Workload(kind="licensed", name="", jobs=jobs, machine=machine, report=("Some jobs need the licence.",))


def draw(values: Mapping[str, Any], rng: np.random.Generator) -> Workload:
    """Jobs of which every third needs the licence."""
    n = values["jobs"]
    release = np.sort(rng.integers(0, 10 * n, n)).astype(float)
    jobs = job_table(
        release,
        rng.integers(1, 60, n).astype(float),
        rng.integers(1, 4, n),
        licence=(np.arange(n) % 3 == 0).astype(float),
    )
    return Workload(kind="licensed", name="", jobs=jobs, machine={"processors": 4})


class Licensed(Family):
    """Rigid jobs that share one licence."""

    name = "licensed"
    title = "Licensed"
    summary = "Some jobs need the one licence of the site."
    algorithms = (
        Algorithm(
            slug="licence-fcfs",
            family="licensed",
            title="Licence FCFS",
            summary="In order of submission, one licence",
            source="A test of this project",
            kinds=("licensed",),
            runner=Scripted(LicenceFcfs),
        ),
    )
    generators = (
        Generator("licensed", "Licensed jobs", "Every third job needs the licence.", "licensed", (JOBS,), "", draw),
    )
    readers = {"licensed": read}
    own_metrics = (Metric("licence_time", "Licence time", "s", "neither", "Seconds for which it was held."),)
    objective = "mean_wait"

    def cpu_need(self, workload: Workload) -> np.ndarray | None:
        return workload.jobs["processors"].astype(float)

    def metrics_of(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float | None) -> Values:
        values = super().metrics_of(schedule, workload, lanes, done, makespan)
        return values | {"licence_time": float(np.sum(done["runtime"][done["licence"] > 0]))}

    def document(self, workload: Workload) -> dict[str, Any]:
        names = {"release": "submit"}
        return {"kind": self.name, **workload.machine, "jobs": columns.rows(workload.jobs, names)}


FAMILY = Licensed()
