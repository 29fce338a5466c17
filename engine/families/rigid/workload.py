"""Rigid JSON: {"kind": "rigid", "processors": 10, "jobs": [{"id", "submit", "runtime", "processors", ...}]}.

A job must have `runtime` and `processors`; `submit` (default 0), `id` (position from 1), `requested`, `weight` and
`user` are optional. The optional `clock` is {"unix_start", "utc_offset", "zone"}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from shadowtime.engine.workload import columns
from shadowtime.engine.workload.clock import clock_of
from shadowtime.engine.workload.job import Workload, in_order, job_table
from shadowtime.engine.workload.limits import WIDEST
from shadowtime.engine.workload.words import count


def read(instance: Mapping[str, Any]) -> Workload:
    """Return the workload of one instance."""
    items = columns.objects(instance, "jobs")
    jobs = job_table(
        columns.times(items, "submit", 0),
        columns.times(items, "runtime", above=True),
        columns.sizes(items, "processors"),
        requested=columns.times(items, "requested", np.nan, above=True),
        **columns.attributes(items),
    )
    jobs, _ = in_order(jobs, {})
    machine = {}
    if "processors" in instance:
        machine["processors"] = columns.number(instance, "processors", low=1, high=WIDEST, whole=True)
    return Workload(
        kind="rigid",
        name="",
        jobs=jobs,
        machine=machine,
        report=(f"{count(len(items), 'job')} read.",),
        clock=clock_of(instance.get("clock")),
        has_estimates=bool(np.isfinite(jobs["requested"]).any()),
    )


def document(workload: Workload) -> dict[str, Any]:
    """Return the instance from which `read` makes `workload`."""
    instance: dict[str, Any] = {"kind": "rigid", **{k: v for k, v in workload.machine.items() if k == "processors"}}
    if workload.clock:
        instance["clock"] = asdict(workload.clock)
    return {**instance, "jobs": columns.rows(workload.jobs, {"job_id": "id", "release": "submit"})}
