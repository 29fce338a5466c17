"""Write the jobs of a log as a table that is read as it is, with pseudonyms for users and accounts."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
from collections.abc import Callable, Iterable, Sequence
from typing import BinaryIO

import numpy as np

from shadowtime.engine.errors import InvalidParameter, UnsupportedWorkload
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.writers import not_written

BLOCK = 100_000
SHORTEST_KEY = 8
"""Bytes of a key; a shorter one is guessed too easily."""
DIGITS = (8, 16, 32, 64)
"""Digits of a pseudonym: the fewest with which all are different."""
NAMED = ("user", "account")
COLUMNS = {
    "user": "user", "account": "account", "partition": "partition", "outcome": "state", "nodes": "nodelist",
}  # fmt: skip
WRITTEN = (
    "job_id", "release", "runtime", "requested", "processors", "memory_kb", "gpus", "recorded_start", "recorded_end",
    *COLUMNS,
)  # fmt: skip
"""Columns of jobs that a table has."""

Rename = Callable[[str, Sequence[str]], Sequence[str]]
"""Returns other names for the names of a column, given the column and the names."""


def pseudonyms(key: bytes) -> Rename:
    """Return the function that gives names such as `user-3f9a2c81`: HMAC-SHA256 of the name with a key.

    Blanks and line ends around the key are no part of it, as editors and shells add them.

    Raises
    ------
    InvalidParameter
        If the key is too short.
    """
    key = key.strip()
    if len(key) < SHORTEST_KEY:
        raise InvalidParameter(f"the key for pseudonyms has {len(key)} bytes; it needs at least {SHORTEST_KEY}")

    def rename(column: str, names: Sequence[str]) -> Sequence[str]:
        found = [hmac.new(key, f"{column}:{name}".encode(), hashlib.sha256).hexdigest() for name in names]
        digits = next(n for n in DIGITS if len({one[:n] for one in found}) == len(set(names)))
        return [f"{column}-{one[:digits]}" for one in found]

    return rename


def write_table(workload: Workload, stream: BinaryIO, rename: Rename) -> None:
    """Write one line a job: only the columns that readers keep, users and accounts renamed.

    Seconds count from 1970 where the log has dates. Starts are left out where not all are known.

    Raises
    ------
    UnsupportedWorkload
        If the jobs are not rigid.
    """
    if workload.kind != "rigid":
        raise UnsupportedWorkload(
            f"{workload.name} has {workload.kind} jobs; only logs of rigid jobs have users to rename."
        )
    if workload.cluster is not None:
        raise UnsupportedWorkload(
            "The log comes with the files of its site, whose names would not match; rename the log alone."
        )
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    for fact in _facts(workload):
        text.write(f"# {fact}\n")
    columns = _columns(workload, rename)
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(columns)
    for first in range(0, len(workload), BLOCK):
        rows = slice(first, first + BLOCK)
        lines.writerows(zip(*(column(rows) for column in columns.values()), strict=True))
    text.detach()


def has_starts(workload: Workload) -> bool:
    """Return whether a table has recorded starts and ends: those of all jobs are known."""
    return "recorded_start" in workload.jobs and not np.isnan(workload.jobs["recorded_start"]).any()


def not_in_table(workload: Workload) -> list[str]:
    """Return, in words, what of the jobs is lost in a table."""
    is_whole = has_starts(workload)
    columns = [name for name in WRITTEN if is_whole or name not in ("recorded_start", "recorded_end")]
    return not_written(workload, columns, keeps_names=True)


def _facts(workload: Workload) -> Iterable[str]:
    if "processors" in workload.machine:
        yield f"processors: {int(workload.machine['processors'])}"
    if workload.clock:
        yield f"utc_offset: {int(workload.clock.utc_offset)}"
        if workload.clock.zone:
            yield f"zone: {workload.clock.zone}"


def _columns(workload: Workload, rename: Rename) -> dict[str, Callable[[slice], Iterable[str]]]:
    """Return the columns by their names: functions from rows to texts."""
    jobs, zero = workload.jobs, workload.clock.unix_start if workload.clock else 0.0
    columns = {"id": _numbers(jobs["job_id"]), "submit": _numbers(jobs["release"], zero)}
    if has_starts(workload):
        columns["start"] = _numbers(jobs["recorded_start"], zero)
        columns["end"] = _numbers(jobs["recorded_end"], zero)
    columns["runtime"] = _numbers(jobs["runtime"])
    columns["requested"] = _numbers(jobs["requested"])
    columns["cores"] = _numbers(jobs["processors"])
    if "memory_kb" in jobs:
        columns["memory_kb"] = _numbers(jobs["memory_kb"] * jobs["processors"])
    if "gpus" in jobs:
        columns["gpus"] = _numbers(jobs["gpus"])
    for name, header in COLUMNS.items():
        if name in jobs and (jobs[name] >= 0).any():
            columns[header] = _names(workload, name, rename if name in NAMED else lambda _, names: names)
    return columns


def _numbers(column: np.ndarray, zero: float = 0.0) -> Callable[[slice], Iterable[str]]:
    def texts(rows: slice) -> list[str]:
        values = (column[rows] + zero if zero else column[rows]).tolist()
        return ["" if value != value else str(int(value)) if value == int(value) else repr(value) for value in values]

    return texts


def _names(workload: Workload, name: str, rename: Rename) -> Callable[[slice], Iterable[str]]:
    """Return the names of a column of codes; a code without a text is its number."""
    codes = workload.jobs[name]
    known = workload.texts.get(name)
    if known is None:
        used = np.unique(codes[codes >= 0]).tolist()
        by_code = dict(zip(used, rename(name, [str(code) for code in used]), strict=True))
    else:
        by_code = dict(enumerate(rename(name, list(known))))
    return lambda rows: [by_code.get(code, "") for code in codes[rows].tolist()]
