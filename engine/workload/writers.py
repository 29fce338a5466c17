"""Write workloads: as JSON instances, the native format of their kind, as logs in SWF, or for the simulator Batsim."""

from __future__ import annotations

import json
from typing import BinaryIO

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.job import Workload, stated_lanes
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

    Unknown fields are -1, always for memory and programs. Weights have no field and are lost, and so are names. Raises
    UnsupportedWorkload if the jobs are not rigid.
    """
    _check_rigid(workload, "SWF holds")
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


def write_batsim(workload: Workload, stream: BinaryIO, *, version: int = 5) -> None:
    """Write jobs whose profiles are delays, one profile for each runtime; `version` 4 is for Batsim 1 to 4.

    The walltime is the requested time; a job that ran longer has its runtime there, since Batsim would stop it.
    `nb_res` is the workload's machine, else its largest job. Numbers of jobs that are not unique are replaced by 1,
    2 ... in the order of submission. Users, memory, dates and what was recorded have no field and are lost. Raises
    UnsupportedWorkload if the jobs are not rigid.
    """
    _check_rigid(workload, "Batsim takes")
    jobs = workload.jobs
    ids = jobs["job_id"] if len(np.unique(jobs["job_id"])) == len(workload) else np.arange(1, len(workload) + 1)
    columns = (ids, jobs["release"], jobs["processors"], np.fmax(jobs["requested"], jobs["runtime"]))
    unlimited, runtime = np.isnan(jobs["requested"]).tolist(), _words(jobs["runtime"])
    rows = zip(*(_words(column) for column in columns), runtime, unlimited, strict=True)
    processors = stated_lanes(workload) or jobs["processors"].max()
    stream.write(f'{{"nb_res": {int(processors)},\n"jobs": ['.encode())
    separator = "\n"
    for job_id, submit, size, walltime, time, no_limit in rows:
        limit = "" if no_limit else f', "walltime": {walltime}'
        stream.write(
            f'{separator}{{"id": "{job_id}", "subtime": {submit}, "res": {size}{limit}, "profile": "{time}"}}'.encode()
        )
        separator = ",\n"
    kind = "DelayProfile" if version >= 5 else "delay"
    profiles = ",\n".join(f'"{time}": {{"type": "{kind}", "delay": {time}}}' for time in dict.fromkeys(runtime))
    stream.write(f'],\n"profiles": {{\n{profiles}}}}}\n'.encode())


def _check_rigid(workload: Workload, takes: str) -> None:
    if workload.kind != "rigid":
        raise UnsupportedWorkload(f"{takes} rigid jobs; {workload.name} is a {workload.kind} workload.")


def _header(workload: Workload) -> list[tuple[str, object]]:
    entries: list[tuple[str, object]] = [("Version", "2.2"), ("MaxJobs", len(workload)), ("MaxRecords", len(workload))]
    if clock := workload.clock:
        entries += [("UnixStartTime", _word(clock.unix_start)), ("TimeZone", _word(clock.utc_offset))]
        entries += [("TimeZoneString", clock.zone)] if clock.zone else []
    if lanes := stated_lanes(workload):
        entries += [("MaxNodes", workload.machine.get("nodes", lanes)), ("MaxProcs", lanes)]
    return entries


def _words(column: np.ndarray) -> list[str]:
    return [_word(value) for value in column.tolist()]


def _word(value: float) -> str:
    """Return the shortest text that parses to `value`."""
    return str(int(value)) if value == int(value) else repr(value)
