"""Fractional JSON: jobs of identical tasks, each of which needs a share of a node's CPU and memory.

A case has `instance`: {"nodes", "jobs": [{"id", "release", "tasks", "cpu_need", "memory", "runtime"}]}, and may have
the parameters `period` and `penalty`. A job may have `requested`, `weight` and `user`; the instance may have a
`clock` as in rigid JSON, and the `node_memory` [GB].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.engine.errors import InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import LONGEST, WIDEST
from shadowtime.engine.workload.words import count

STATED = ("period", "penalty")
"""Parameters that a case may state."""


def read(case: Mapping[str, Any]) -> Workload:
    """Return the workload of one case: `processors` counts tasks; `cpu_need` and `memory` are columns of the jobs."""
    instance = case.get("instance")
    if not isinstance(instance, dict):
        raise InvalidWorkload("a fractional case needs an `instance` with nodes and jobs.")
    items = columns.objects(instance, "jobs")
    need = columns.column(items, "cpu_need", low=0, high=1, above=True)
    memory = columns.column(items, "memory", low=0, high=1)
    jobs = columns.table(items, "release", "tasks", "requested", cpu_need=need, memory=memory)
    machine = {
        "nodes": columns.number(instance, "nodes", low=1, high=WIDEST, whole=True),
        **columns.stated(instance, "node_memory", low=0, high=LONGEST, above=True),
        **columns.stated(case, *STATED, low=0, high=LONGEST),
    }
    report = f"{count(len(items), 'job')} with {count(int(jobs['processors'].sum()), 'task')} read."
    return columns.workload("fractional", instance, jobs, {}, machine, report)


def document(workload: Workload) -> dict[str, Any]:
    """Return the file from which `read` makes `workload`."""
    if "nodes" not in workload.machine:
        raise UnsupportedWorkload(
            f"{workload.name} does not state how many nodes its machine has, which an instance needs."
        )
    stated = {key: workload.machine[key] for key in STATED if key in workload.machine}
    jobs = columns.rows(workload.jobs, {"job_id": "id", "processors": "tasks"})
    size = {"node_memory": workload.machine["node_memory"]} if "node_memory" in workload.machine else {}
    instance = {"nodes": int(workload.machine["nodes"]), **size, **columns.clock_in(workload), "jobs": jobs}
    return {"kind": "simulation", "cases": [{"name": "whole", **stated, "instance": instance}]}
