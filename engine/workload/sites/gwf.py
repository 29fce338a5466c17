"""Read the grid workload format (GWF): one line of 29 columns a job, comments after `#`; -1 where a value is unknown.

Rules: the size is ReqNProcs (column 8) if above 0, else NProcs (5), as in SWF, of which GWF is an extension. The start
is the submission (2) plus the wait (3), the end the start plus RunTime (4); a job without a RunTime above -1 never
started, and an unknown wait counts as 0. ReqTime (9) and the larger of UsedMemory (7) and ReqMemory (10), KB per
processor, are unknown where not above 0. Status (11), UserID (12), GroupID (13) and QueueID (15) are kept beside the
job, or LastRunSiteID (18) where no job has a queue. Submissions beyond 10^11 are milliseconds. Submissions from 1980 on
are dates, others count from UnixStartTime of the comments, if it is there.

Format: A. Iosup et al., The Grid Workloads Archive, Future Generation Computer Systems 24(7), 2008.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.lines import UNKNOWN, numbered_lines
from shadowtime.engine.workload.sites.records import Records
from shadowtime.engine.workload.sites.site_log import Remark, SiteLog, workload_of
from shadowtime.engine.workload.sites.stream import OddLines

COLUMNS = 29
NUMBER = re.compile(rb"-?\d{1,15}(\.\d{1,20})?([eE][+-]?\d{1,2})?")
NOTHING = re.compile(rb"-1(\.0*)?")
"""A value that is unknown; some writers print all numbers with decimals."""
COMMENT = re.compile(rb"#\s*(processors|maxprocs|unixstarttime)\s*:\s*(\d[\d,]{0,14})\s*$", re.IGNORECASE)
"""A comment that says how many processors there are, or when second 0 was."""
HEAD = 200
"""Lines at the begin of a file that are looked at to recognize it: comments explain the columns."""
MILLISECONDS, DATES = 1e11, 315_532_800.0
"""Submissions beyond the first are milliseconds; those from the second on (1980) are seconds since 1970."""
OUTCOMES = {b"0": b"failed", b"1": b"completed", b"5": b"cancelled"}


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes has the grid workload format."""
    lines = (line.strip() for line in head.split(b"\n", HEAD)[:HEAD])
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    fields = columns(first)
    return len(fields) in (COLUMNS, COLUMNS + 1) and all(NUMBER.fullmatch(fields[at]) for at in (1, 2, 3, 4, 7))


def columns(line: bytes) -> Sequence[bytes]:
    """Return the columns of a line, which blanks separate, or tabs where a column is empty or has blanks."""
    fields = line.split()
    if len(fields) != COLUMNS and line.count(b"\t") >= COLUMNS - 1:
        return [field.strip() for field in line.split(b"\t")]
    return fields


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a text in the grid workload format.

    Raises
    ------
    InvalidWorkload
        If it holds no job that ran, or a value is beyond the limits.
    """
    records, odd, said = Records("user", "account", "outcome", "queue", "site"), OddLines(), dict[bytes, float]()
    waitless = array("q")
    for number, lines in numbered_lines(pieces, limits):
        for at, line in enumerate(lines):
            if line.lstrip().startswith(b"#"):
                if found := COMMENT.match(line.strip()):
                    said.setdefault(found[1].lower(), float(found[2].replace(b",", b"")))
                continue
            fields = columns(line)
            if len(fields) < COLUMNS or not NUMBER.fullmatch(fields[1]):
                odd.add_bytes(line, number + at)
                continue
            if NOTHING.fullmatch(fields[2]) and value(fields[3]) > 0:
                waitless.append(len(records))
            records.add(numbers(fields, len(records) + 1), texts(fields))
    partition = "partition=queue" if records.knows("queue") else "partition=site"
    groups = ("user", "account", partition, "outcome")
    remarks = [Remark(waitless, "without a wait: 0 is assumed")]
    return workload_of(dated(records.log("GWF", groups, notes=[*odd.sentences("job")], remarks=remarks), said))


def dated(log: SiteLog, said: dict[bytes, float]) -> SiteLog:
    """Return the log with its clock, and the processors that the comments name."""
    processors = max((n for name, n in said.items() if name != b"unixstarttime"), default=0.0)
    log.processors = int(processors) if processors <= 2**31 - 1 else 0
    zero = said.get(b"unixstarttime", 0.0)
    if len(log) and not np.fmin.reduce(log.submit) >= DATES:
        log.dated = DATES <= zero <= MILLISECONDS
        for instants in (log.submit, log.start, log.end) if log.dated else ():
            instants += zero
    return log


def value(text: bytes) -> float:
    """Return a number; NaN where the text is none, or -1."""
    return float(text) if NUMBER.fullmatch(text) and not NOTHING.fullmatch(text) else UNKNOWN


def numbers(fields: Sequence[bytes], position: int) -> tuple[float, ...]:
    """Return the numbers of a job, in the order of `Records.add`; a job whose id is no number has its position."""
    submit, wait, runtime = value(fields[1]), value(fields[2]), value(fields[3])
    submit = submit / 1000.0 if submit > MILLISECONDS else submit
    start = submit + (wait if wait == wait else 0.0) if runtime >= 0 else UNKNOWN
    asked, allocated, limit = value(fields[7]), value(fields[4]), value(fields[8])
    size = float(int(asked if asked > 0 else max(0.0, allocated)))
    memory = max(0.0, value(fields[6]), value(fields[9]))
    number = value(fields[0])
    return (
        float(int(number)) if number >= 0 else float(position), submit, start, start + runtime, size, runtime,
        limit if limit > 0 else UNKNOWN, memory * size or UNKNOWN, UNKNOWN,
    )  # fmt: skip


def texts(fields: Sequence[bytes]) -> tuple[bytes | None, ...]:
    """Return the texts of a job."""
    status, user, group, queue, site = (
        None if NOTHING.fullmatch(fields[at]) else fields[at] for at in (10, 11, 12, 14, 17)
    )
    return user, group, OUTCOMES.get(status, b"status " + status) if status else None, queue, site


GWF = Format(
    "gwf",
    "Grid workload format",
    (".gwf", ".gwf.gz"),
    "Traces of the Grid Workloads Archive: 29 columns, comments after `#`.",
    read,
    recognizes,
)
