"""The family of jobs of classes on heterogeneous machines."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.families.classed import bounds as proven
from shadowtime.engine.families.classed import workload as classed
from shadowtime.engine.families.classed.entries import ALGORITHMS
from shadowtime.engine.families.classed.generator import CLASSED
from shadowtime.engine.families.family import Family, Values
from shadowtime.engine.metrics import moves, usage
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload


class Classed(Family):
    """Jobs whose times depend on their class and on the machine or cluster of the workload's own site."""

    name = "classed"
    aliases = ("heterogeneous", "site")
    title = "Classed"
    summary = "Heterogeneous clusters: a job's time depends on its class and the machine or cluster."
    algorithms = ALGORITHMS
    generators = (CLASSED,)
    readers = {
        "pjs_static": classed.read,
        "pjs_priorities": classed.read,
        "pjs_online": classed.read,
        "classed": classed.read_classed,
    }
    document = staticmethod(classed.document)
    case_readers = {"pjs_site": classed.read_site, "site": classed.read_site}
    lane = "machine"
    machine = "machine"
    held = "machine"
    size_is_stated = False
    size_histogram = ("by class", "", "")
    is_sized = False
    has_site = True
    objective = "total_job_time"
    metrics = ("preemptions", "kills", "waste_by_kills", "parallel_share")
    bounded = proven.METRICS

    def check(self, workload: Workload, lanes: int, cores_per_node: int) -> None:
        machines = int(workload.machine.get("processors", lanes))
        if lanes != machines or cores_per_node != 1:
            raise InvalidPlatform(
                f"{workload.name} has its own site of {machines:,} machines; another platform ({lanes:,}) does not "
                "fit its times"
            )

    def allotments(self, workload: Workload) -> tuple[int, ...]:
        assert workload.site is not None, "classed workloads have a site"
        return workload.site.sizes

    def columns_after(self, workload: Workload, view: Table) -> Table:
        """Return the lanes that the scheduler chose, and the time on the best machine, to which stretches refer."""
        return {"processors": np.asarray(view["procs"]).copy(), "runtime": workload.jobs["runtime"]}

    def counts(self, events: Table) -> Values:
        """Return kills and lost work; jobs have no checkpoints, so a stopped job loses its work."""
        # The PJS paper calls kills preemptions; both metrics exist, for readers of the older name.
        return super().counts(events) | {"preemptions": moves.kills(events)}

    def metrics_of(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float | None) -> Values:
        values = super().metrics_of(schedule, workload, lanes, done, makespan)
        if makespan is None or "cluster" not in done:  # a policy of one's own may not say where a job ran
            return values
        return values | {"parallel_share": usage.parallel_share(done)}

    def bounds(self, workload: Workload, lanes: int, tau: float, jobs: Table | None, **_: Any) -> Any:
        from shadowtime.engine.bounds import fluid  # with numba

        work = proven.work_of(workload, jobs)
        return fluid.Fluid(work, tau) if len(work) else None

    def histogram_of_sizes(self, workload: Workload) -> dict[str, Any]:
        """Count the jobs of each class."""
        assert workload.site is not None, "classed workloads have a site"
        names = [*workload.site.job_classes]
        return {"labels": names, "counts": np.bincount(workload.jobs["job_class"], minlength=len(names)).tolist()}


FAMILY = Classed()
