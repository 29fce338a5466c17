"""Rigid JSON: {"kind": "rigid", "processors": 10, "jobs": [{"id", "submit", "runtime", "processors", ...}]}.

A job must have `runtime` and `processors`; `submit` (default 0), `id` (position from 1), `requested`, `weight` and
`user` are optional; `estimate` is another name of `requested`. The optional `clock` is {"unix_start", "utc_offset",
"zone"}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.words import count


def read(instance: Mapping[str, Any]) -> Workload:
    """Return the workload of one instance."""
    items = columns.objects(instance, "jobs")
    requested = "requested" if any("requested" in item for item in items) else "estimate"
    jobs = columns.table(items, "submit", "processors", requested)
    report = f"{count(len(items), 'job')} read."
    return columns.workload("rigid", instance, jobs, {}, columns.size_of_machine(instance), report)


def document(workload: Workload) -> dict[str, Any]:
    """Return the instance from which `read` makes `workload`."""
    machine = {key: value for key, value in workload.machine.items() if key == "processors"}
    jobs = columns.rows(workload.jobs, {"job_id": "id", "release": "submit"})
    return {"kind": "rigid", **machine, **columns.clock_in(workload), "jobs": jobs}
