"""Write workloads: as JSON instances, the native format of their kind, or as logs in the standard workload format."""

from __future__ import annotations

import json
from typing import BinaryIO

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.swf import COLUMNS, OUTCOMES


def write_json(workload: Workload, stream: BinaryIO) -> None:
    """Write a workload so that reading returns it exactly; its report and conversions are not written.

    Raises
    ------
    UnsupportedWorkload
        If the family has no such form, or the text is larger than readers allow.
    """
    text = json.dumps(find_family(workload.kind).document(workload), allow_nan=False).encode() + b"\n"
    if len(text) > (most := Limits().json):
        raise UnsupportedWorkload(
            f"{workload.name} would take {len(text) / 1e6:,.1f} MB as JSON; an instance has at most "
            f"{bytes_in_words(most)} here."
        )
    stream.write(text)


def write_swf(workload: Workload, stream: BinaryIO) -> None:
    """Write one line per job, so that reading returns the same jobs, machine and clock.

    Unknown fields are -1, always for memory and programs. Weights have no field and are lost, and so are names.

    Raises
    ------
    UnsupportedWorkload
        If the jobs are not rigid.
    """
    if workload.kind != "rigid":
        raise UnsupportedWorkload(f"SWF holds rigid jobs; {workload.name} is a {workload.kind} workload.")
    stream.write("".join(f"; {key}: {value}\n" for key, value in _header(workload)).encode())
    jobs = workload.jobs
    size = _words(jobs["processors"])
    columns = {
        1: _words(jobs["job_id"]), 2: _words(jobs["release"]), 4: _words(jobs["runtime"]), 5: size, 8: size,
        9: _words(np.where(np.isnan(jobs["requested"]), -1, jobs["requested"])), 12: _words(jobs["user"]),
    }  # fmt: skip
    if "recorded_start" in jobs:
        wait = jobs["recorded_start"] - jobs["release"]
        columns[3] = _words(np.where(wait >= 0, wait, -1))
    for field, name in ((11, "outcome"), (13, "account"), (15, "partition")):
        if name in jobs and (name != "outcome" or workload.texts.get(name) == OUTCOMES):
            columns[field] = _words(jobs[name])
    unknown = ["-1"] * len(workload)
    lines = zip(*(columns.get(field, unknown) for field in range(1, COLUMNS + 1)), strict=True)
    stream.write("".join(" ".join(line) + "\n" for line in lines).encode())


def _header(workload: Workload) -> list[tuple[str, object]]:
    entries: list[tuple[str, object]] = [("Version", "2.2"), ("MaxJobs", len(workload)), ("MaxRecords", len(workload))]
    if clock := workload.clock:
        entries += [("UnixStartTime", _word(clock.unix_start)), ("TimeZone", _word(clock.utc_offset))]
        entries += [("TimeZoneString", clock.zone)] if clock.zone else []
    if "processors" in workload.machine:
        entries += [("MaxNodes", workload.machine["processors"]), ("MaxProcs", workload.machine["processors"])]
    return entries


def _words(column: np.ndarray) -> list[str]:
    return [_word(value) for value in column.tolist()]


def _word(value: float) -> str:
    """Return the shortest text that parses to `value`."""
    return str(int(value)) if value == int(value) else repr(value)
