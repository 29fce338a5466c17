"""Fractional JSON: jobs of identical tasks, each of which needs a share of a node's CPU and memory.

A case has `instance`: {"nodes", "jobs": [{"id", "release", "tasks", "cpu_need", "memory", "runtime"}]}, and may have
the parameters `period`, `penalty` and `tau`. A job may have `requested`, `weight` and `user`; the instance may have a
`clock` as in rigid JSON, and the `node_memory` [GB].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.clock import clock_of
from shadowtime.engine.workload.job import Workload, in_order, job_table
from shadowtime.engine.workload.limits import LONGEST, WIDEST
from shadowtime.engine.workload.words import count


def read(case: Mapping[str, Any]) -> Workload:
    """Return the workload of one case: `processors` counts tasks; `cpu_need` and `memory` are columns of the jobs."""
    instance = case.get("instance")
    if not isinstance(instance, dict):
        raise InvalidWorkload("a fractional case needs an `instance` with nodes and jobs.")
    items = columns.objects(instance, "jobs")
    jobs = job_table(
        columns.times(items, "release", 0),
        columns.times(items, "runtime", above=True),
        columns.sizes(items, "tasks"),
        requested=columns.times(items, "requested", np.nan, above=True),
        **columns.attributes(items),
        cpu_need=columns.column(items, "cpu_need", low=0, high=1, above=True),
        memory=columns.column(items, "memory", low=0, high=1),
    )
    jobs, _ = in_order(jobs, {})
    machine = {"nodes": columns.number(instance, "nodes", low=1, high=WIDEST, whole=True)}
    if "node_memory" in instance:
        machine["node_memory"] = columns.number(instance, "node_memory", low=0, high=LONGEST, above=True)
    for key in ("period", "penalty", "tau"):
        if key in case:
            machine[key] = columns.number(case, key, low=0, high=LONGEST)
    report = f"{count(len(items), 'job')} with {count(int(jobs['processors'].sum()), 'task')} read."
    return Workload(
        kind="fractional",
        name="",
        jobs=jobs,
        machine=machine,
        report=(report,),
        clock=clock_of(instance.get("clock")),
        has_estimates=bool(np.isfinite(jobs["requested"]).any()),
    )


def document(workload: Workload) -> dict[str, Any]:
    """Return the file from which `read` makes `workload`."""
    if "nodes" not in workload.machine:
        raise UnsupportedWorkload(
            f"{workload.name} does not state how many nodes its machine has, which an instance needs."
        )
    stated = {key: workload.machine[key] for key in ("period", "penalty", "tau") if key in workload.machine}
    clock = {"clock": asdict(workload.clock)} if workload.clock else {}
    jobs = columns.rows(workload.jobs, {"job_id": "id", "processors": "tasks"})
    size = {"node_memory": workload.machine["node_memory"]} if "node_memory" in workload.machine else {}
    instance = {"nodes": int(workload.machine["nodes"]), **size, **clock, "jobs": jobs}
    return {"kind": "simulation", "cases": [{"name": "whole", **stated, "instance": instance}]}
