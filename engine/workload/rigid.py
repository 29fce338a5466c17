"""Rigid JSON: {"kind": "rigid", "processors": 10, "jobs": [{"id", "submit", "runtime", "processors", ...}]}.

Of a job, `runtime` and `processors` must be given; `submit` (default 0), `id` (position from 1), `requested`,
`weight` and `user` may be. `clock`: {"unix_start", "utc_offset", "zone"} gives dates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np

from engine.errors import UnsupportedWorkload
from engine.workload import columns
from engine.workload.job import Clock, Workload, in_order, job_table, zone_name
from engine.workload.limits import LARGEST_ID, LONGEST, WIDEST
from engine.workload.words import count


def read(instance: Mapping[str, Any]) -> Workload:
    """The workload of one instance."""
    items = columns.objects(instance, "jobs")
    jobs = job_table(
        columns.times(items, "submit", 0),
        columns.times(items, "runtime", above=True),
        columns.sizes(items, "processors"),
        job_id=columns.ids(items),
        requested=columns.times(items, "requested", np.nan, above=True),
        weight=columns.column(items, "weight", 1, low=0, high=LONGEST),
        user=columns.column(items, "user", -1, low=-1, high=LARGEST_ID, whole=True),
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
        clock=_clock(instance.get("clock")),
        has_estimates=bool(np.isfinite(jobs["requested"]).any()),
    )


def write_json(workload: Workload, stream: BinaryIO) -> None:
    """Write rigid jobs so that reading gives them back exactly.

    Raises
    ------
    UnsupportedWorkload
        For another kind.
    """
    if workload.kind != "rigid":
        raise UnsupportedWorkload(f"rigid JSON holds rigid jobs; {workload.name} is a {workload.kind} workload.")
    document: dict[str, Any] = {"kind": "rigid", **{k: v for k, v in workload.machine.items() if k == "processors"}}
    if workload.clock:
        document["clock"] = asdict(workload.clock)
    names = {"job_id": "id", "release": "submit"}
    values = [column.tolist() for column in workload.jobs.values()]
    document["jobs"] = [
        {names.get(name, name): value for name, value in zip(workload.jobs, job, strict=True) if value == value}
        for job in zip(*values, strict=True)
    ]
    stream.write(json.dumps(document, allow_nan=False).encode() + b"\n")


def _clock(given: Any) -> Clock | None:
    if not isinstance(given, dict):
        return None
    return Clock(
        columns.number(given, "unix_start", low=0, high=LONGEST),
        columns.number({"utc_offset": 0, **given}, "utc_offset", low=-86_400, high=86_400),
        zone_name(given.get("zone")),
    )
