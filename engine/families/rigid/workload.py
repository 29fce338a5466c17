"""Rigid JSON: {"kind": "rigid", "processors": 10, "jobs": [{"id", "submit", "runtime", "processors", ...}]}.

A job must have `runtime` and `processors`; `submit` (default 0), `id` (position from 1), `requested`, `weight` and
`user` are optional; `estimate` is another name of `requested`. `memory_kb` is the memory of a processor,
`recorded_start` and `recorded_end` tell when the job ran on its machine. The optional `clock` is
{"unix_start", "utc_offset", "zone"}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import RECORDED, Workload, stated_lanes
from shadowtime.engine.workload.limits import LONGEST
from shadowtime.engine.workload.words import count

RECORDED_TIMES = ("recorded_start", "recorded_end")
NOT_WRITTEN = RECORDED.keys() - RECORDED_TIMES
KEYS = {
    "id", "submit", "runtime", "processors", "requested", "estimate", "weight", "user", "memory_kb", *RECORDED_TIMES,
}  # fmt: skip
"""What a job may have."""
SHOWN = 10
"""Unknown keys that the report names."""


def read(instance: Mapping[str, Any]) -> Workload:
    """Return the workload of one instance."""
    items = columns.objects(instance, "jobs")
    requested = "requested" if any("requested" in item for item in items) else "estimate"
    jobs = columns.table(items, "submit", "processors", requested)
    for name, least in (("memory_kb", 0.0), *((name, -LONGEST) for name in RECORDED_TIMES)):
        if any(name in item for item in items):
            jobs[name] = columns.column(items, name, np.nan, low=least, high=LONGEST)
    report = f"{count(len(items), 'job')} read."
    if others := sorted(set().union(*items) - KEYS):
        report += f" Keys of jobs that mean nothing here: {', '.join(others[:SHOWN])[:200]}."
    return columns.workload("rigid", instance, jobs, {}, columns.size_of_machine(instance), report)


def document(workload: Workload) -> dict[str, Any]:
    """Return the instance from which `read` makes `workload`."""
    lanes = stated_lanes(workload)
    machine = {"processors": lanes} if lanes else {}
    kept = {name: values for name, values in workload.jobs.items() if name not in NOT_WRITTEN}
    jobs = columns.rows(kept, {"job_id": "id", "release": "submit"})
    return {"kind": "rigid", **machine, **columns.clock_in(workload), "jobs": jobs}
