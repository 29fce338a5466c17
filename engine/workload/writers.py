"""Write workloads: as JSON instances, the native format of their kind, as logs in SWF, or for the simulator Batsim."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.job import TEXTS, Workload, stated_lanes
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.swf import COLUMNS, OUTCOMES

STATUSES = {
    "COMPLETED": 1, "FAILED": 0, "TIMEOUT": 0, "NODE_FAIL": 0, "BOOT_FAIL": 0, "OUT_OF_MEMORY": 0, "DEADLINE": 0,
    "CANCELLED": 5,
}  # fmt: skip
"""Status in SWF of each outcome in Slurm's words."""

IN_BATSIM: tuple[str, ...] = ("job_id", "release", "runtime", "processors", "requested")
IN_JSON = (*IN_BATSIM, "weight", "user", "memory_kb", "recorded_start", "recorded_end")
IN_SWF = (*IN_BATSIM, "user", "memory_kb", "recorded_start", "recorded_end", "outcome", "account", "partition")
"""Columns of rigid jobs that each format has."""
WORDS = {
    "weight": "weights", "user": "users", "memory_kb": "memory", "recorded_start": "recorded starts",
    "recorded_end": "recorded ends",
    "outcome": "outcomes", "account": "accounts", "partition": "partitions", "nodes": "lists of nodes", "gpus": "GPUs",
    "qos": "QOS", "dependency": "dependencies", "eligible": "eligible times", "nice": "nice values",
    "min_nodes": "least numbers of nodes", "task_cores": "cores per task", "whole_nodes": "whole nodes",
}  # fmt: skip
"""What columns hold."""
NOTHING = {
    "weight": 1.0, "gpus": 0.0, "nice": 0.0, "min_nodes": 0.0, "task_cores": 0.0, "whole_nodes": 0.0,
}  # fmt: skip
"""What a column holds for a job of which nothing is known, where that is neither -1 nor NaN."""
ROUNDING = 1e-3
"""Seconds by which sums of instants and durations may differ."""


def not_written(workload: Workload, columns: Sequence[str], *, keeps_names: bool = False) -> list[str]:
    """Return, in words, what of rigid jobs is lost in a format with these columns: other columns, and names of users,
    accounts and partitions, of which most formats keep the numbers."""
    jobs = workload.jobs
    lost = ["the machine of its site"] if workload.cluster is not None else []
    lost += ["the floor of the bounded stretch"] if "tau" in workload.machine and columns != IN_JSON else []
    others = {name: words for name, words in WORDS.items() if name in jobs and name not in columns}
    lost += [words for name, words in others.items() if _is_known(jobs[name], NOTHING.get(name, -1.0)).any()]
    if not keeps_names:
        named = [WORDS[name] for name in TEXTS if name in columns and name != "outcome" and workload.texts.get(name)]
        lost += [f"names of {words}" for words in named]
    if columns == IN_BATSIM and not _are_unique(jobs["job_id"]):
        lost.append("numbers that several jobs share")
    return lost + (_changed_in_swf(workload) if columns == IN_SWF else [])


def _changed_in_swf(workload: Workload) -> list[str]:
    """Return, in words, the values that are lost in SWF although others of their columns are kept: a status is one of a
    few, a wait is not negative, and the end is always the start plus the runtime."""
    jobs, unknown = workload.jobs, np.full(len(workload), np.nan)
    start, end = (jobs.get(name, unknown) for name in ("recorded_start", "recorded_end"))
    known = ~np.isnan(end)
    changed = {
        "outcomes without a status": "outcome" in jobs and (jobs["outcome"] >= 0) & (_statuses(workload) < 0),
        "recorded starts before the submission": start < jobs["release"],
        "recorded ends other than start plus runtime": known & ~(np.abs(start + jobs["runtime"] - end) < ROUNDING),
    }
    return [words for words, rows in changed.items() if np.any(rows)]


def _are_unique(numbers: np.ndarray) -> bool:
    return len(np.unique(numbers)) == len(numbers)


def _is_known(values: np.ndarray, nothing: float) -> np.ndarray:
    return (values != nothing) & ~np.isnan(values)


def write_json(workload: Workload, stream: BinaryIO) -> None:
    """Write a workload so that reading returns it exactly; its report and conversions are not written.

    Raises
    ------
    UnsupportedWorkload
        If the family has no such form, or the text is larger than readers allow.
    """
    document = find_family(workload.kind).document(workload)
    if "tau" in workload.machine:
        (document["cases"][0] if "cases" in document else document)["tau"] = workload.machine["tau"]
    text = json.dumps(document, allow_nan=False).encode() + b"\n"
    if len(text) > (most := Limits().json):
        raise UnsupportedWorkload(
            f"{workload.name} would take {len(text) / 1e6:,.1f} MB as JSON; an instance has at most "
            f"{bytes_in_words(most)} here."
        )
    stream.write(text)


def write_swf(workload: Workload, stream: BinaryIO) -> None:
    """Write one line per job, so that reading returns the same jobs, machine and clock.

    Unknown fields are -1, always for used memory and programs. Weights have no field and are lost. So are names: users,
    accounts and partitions that have them are numbered from 1. Raises UnsupportedWorkload if the jobs are not rigid.
    """
    _check_rigid(workload, "SWF holds")
    stream.write("".join(f"; {key}: {value}\n" for key, value in _header(workload)).encode())
    jobs = workload.jobs
    size = _words(jobs["processors"])
    columns = {
        1: _words(jobs["job_id"]), 2: _words(jobs["release"]), 4: _words(jobs["runtime"]), 5: size, 8: size,
        9: _words(np.where(np.isnan(jobs["requested"]), -1, jobs["requested"])),
        12: _words(_numbered(workload, "user")),
    }  # fmt: skip
    if "recorded_start" in jobs:
        wait = jobs["recorded_start"] - jobs["release"]
        columns[3] = _words(np.where(wait >= 0, wait, -1))
    if "memory_kb" in jobs:
        columns[10] = _words(np.where(np.isnan(jobs["memory_kb"]), -1, jobs["memory_kb"]))
    if "outcome" in jobs:
        columns[11] = _words(_statuses(workload))
    for field, name in ((13, "account"), (15, "partition")):
        if name in jobs:
            columns[field] = _words(_numbered(workload, name))
    unknown = ["-1"] * len(workload)
    lines = zip(*(columns.get(field, unknown) for field in range(1, COLUMNS + 1)), strict=True)
    stream.write("".join(" ".join(line) + "\n" for line in lines).encode())


def _numbered(workload: Workload, name: str) -> np.ndarray:
    """Return the codes of a column, from 1 where they stand for names."""
    codes = workload.jobs[name]
    return np.where(codes >= 0, codes + 1, codes) if workload.texts.get(name) else codes


def _statuses(workload: Workload) -> np.ndarray:
    """Return the status of each job as SWF numbers it; -1 for other outcomes, as of a log without their texts."""
    texts = workload.texts.get("outcome", ())
    if texts == OUTCOMES:
        return workload.jobs["outcome"]
    statuses = np.array([*(STATUSES.get(text.upper(), -1) for text in texts), -1])
    return statuses[np.minimum(workload.jobs["outcome"], len(texts))]


def write_batsim(workload: Workload, stream: BinaryIO, *, version: int = 5) -> None:
    """Write jobs whose profiles are delays, one profile for each runtime; `version` 4 is for Batsim 1 to 4.

    The walltime is the requested time; a job that ran longer has its runtime there, since Batsim would stop it.
    `nb_res` is the workload's machine, else its largest job. Numbers that several jobs share are replaced by 1,
    2 ... in the order of submission. Users, memory, dates and what was recorded have no field and are lost. Raises
    UnsupportedWorkload if the jobs are not rigid.
    """
    _check_rigid(workload, "Batsim takes")
    jobs = workload.jobs
    ids = jobs["job_id"] if _are_unique(jobs["job_id"]) else np.arange(1, len(workload) + 1)
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
