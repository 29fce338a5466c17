"""Read `lsb.acct` of LSF: one record a line, fields separated by blanks, texts in quotes (a quote in them is doubled).

Rules: a job is a JOB_FINISH record; others are counted. The number is jobId; elements of an array share it. Processors
are the slots of execHosts (`"16*host1"`, or a host for each slot), else numProcessors. The runtime is runTime, in which
a suspension does not count, where the record is as long and runTime is above 0 and not more than the end less the
start. The requested time is runLimit, where above 0. A start of 0 is none: the job was ended while it waited. The
memory that was asked for is unknown: its unit is a setting of the site.

Format: IBM Spectrum LSF 10.1, reference of lsb.acct; older versions write fewer fields at the end.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.lines import UNKNOWN, first_lines, numbered_lines, positive, whole
from shadowtime.engine.workload.sites.records import Records
from shadowtime.engine.workload.sites.site_log import Remark, left_out, workload_of
from shadowtime.engine.workload.sites.stream import OddLines

RECORD = re.compile(rb'"[A-Z_]{3,40}" "\d+(\.\d+)?" \d+ ')
PRINTED = b"Accounting information about jobs"
"""With this begins what the command bacct prints."""
FIELD = rb'(?>"[^"]*(?:""[^"]*)*"|[^ "]+)'
NUMBER, TEXT = rb"(-?\d{1,15})", rb'("[^"]*(?:""[^"]*)*")'


def pattern(*fields: bytes) -> re.Pattern[bytes]:
    """Return the pattern of these fields, each with the blanks behind it."""
    return re.compile(b"".join(field + b"(?: ++|$)" for field in fields))


BEGIN = pattern(
    b'"JOB_FINISH"', FIELD, NUMBER, NUMBER, FIELD, FIELD, NUMBER, NUMBER, NUMBER, FIELD, NUMBER, TEXT, TEXT,
    *[FIELD] * 9,
)  # fmt: skip
"""Event time, jobId, numProcessors, submitTime, beginTime, startTime, userName and queue; numAskedHosts follows."""
STATUS = pattern(b"(" + FIELD + b")", *[FIELD] * 23, b"(" + FIELD + b")")
"""jStatus and projectName, behind the lists of hosts."""
EXTENSIONS = pattern(*[FIELD] * 28)
"""The fields between projectName and the number of submission extensions."""
LIMIT = pattern(NUMBER, FIELD, FIELD, TEXT, *[FIELD] * 9, NUMBER)
"""runLimit, effectiveResReq and runTime. Records of 9.11, 10.1 and 10.108 have runLimit before options3, and not after
it as the reference lists them."""
COUNT, ANY = pattern(rb"(\d{1,9})"), pattern(b"(" + FIELD + b")")
ON_HOST = pattern(*[FIELD] * 5)
"""The usage on a host; pairs of names and values follow."""
OUTCOMES = {b"64": b"DONE", b"32": b"EXIT"}
LATE = 60
"""Seconds after the submission from which the time that was asked for as begin counts as later."""


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is lsb.acct, or what bacct prints."""
    return any(RECORD.match(line) or line.startswith(PRINTED) for line in first_lines(head))


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of lsb.acct.

    Raises
    ------
    InvalidWorkload
        If it is the text of bacct, or holds no job that ran.
    """
    records, odd, others = Records("user", "account", "partition", "outcome", "nodes"), OddLines(), 0
    late = array("q")
    for number, lines in numbered_lines(pieces, limits):
        for at, line in enumerate(lines):
            if line.startswith(b'"JOB_FINISH" '):
                row = finished(line)
                if row is None:
                    odd.add_bytes(line, number + at)
                    continue
                if row[2]:
                    late.append(len(records))
                records.add(*row[:2])
            elif RECORD.match(line):
                others += 1
            elif line.startswith(PRINTED):
                raise InvalidWorkload(
                    "it is what bacct prints, whose dates have no year; use the file lsb.acct of LSF."
                )
            else:
                odd.add_bytes(line, number + at)
    if others and not len(records):
        raise InvalidWorkload("it has no record JOB_FINISH; use the file lsb.acct of LSF.")
    notes = (
        *odd.sentences("whole record"),
        *left_out(others, "record", " of other kinds than JOB_FINISH"),
    )
    groups = ("user", "account", "partition", "outcome", "nodes")
    remarks = [Remark(late, "was to begin later than submitted", "were to begin later than submitted")]
    return workload_of(records.log("LSF", groups, notes=notes, remarks=remarks))


def finished(line: bytes) -> tuple[tuple[float, ...], tuple[bytes, ...], bool] | None:
    """Return the numbers and texts of a record JOB_FINISH, and whether it was to begin later than submitted.

    None if the record is cut or its counts are no numbers, or one of them is missing: what stands in the place of the
    hosts is then no list of texts.
    """
    begin = BEGIN.match(line)
    asked = listed(line, begin.end(), 1) if begin else None
    used = listed(line, asked[1], 1) if asked else None
    status = STATUS.match(line, used[1]) if used else None
    if not (begin and used and status) or not all(host.startswith(b'"') for host in used[0]):
        return None
    end, number, size, submit, later, start, user, queue = begin.groups()
    first, last, sent = positive(start), positive(end), positive(submit)
    names, slots = hosts(used[0])
    limit, elapsed = durations(line, status.end())
    if not 0 < elapsed <= last - first:
        elapsed = UNKNOWN
    numbers = (whole(number), sent, first, last, slots or whole(size), elapsed, limit, UNKNOWN, UNKNOWN)
    how = OUTCOMES.get(status[1], status[1])
    return numbers, (text(user), text(status[2]), text(queue), how, names), whole(later) > sent + LATE


def listed(line: bytes, at: int, width: int) -> tuple[list[bytes], int] | None:
    """Return the list whose length stands at this place, and the place behind it; None if it is cut."""
    length = COUNT.match(line, at)
    if length is None:
        return None
    fields, place = [], length.end()
    for _ in range(width * int(length[1])):
        field = ANY.match(line, place)
        if field is None:
            return None
        fields.append(field[1])
        place = field.end()
    return fields, place


def durations(line: bytes, at: int) -> tuple[float, float]:
    """Return runLimit and runTime [s], behind projectName; NaN in older versions, whose records end before."""
    between = EXTENSIONS.match(line, at)
    extensions = listed(line, between.end(), 2) if between else None
    length = COUNT.match(line, extensions[1]) if extensions else None
    if length is None:
        return UNKNOWN, UNKNOWN
    place = length.end()
    for _ in range(int(length[1])):
        usage = ON_HOST.match(line, place)
        pairs = listed(line, usage.end(), 2) if usage else None
        if pairs is None:
            return UNKNOWN, UNKNOWN
        place = pairs[1]
    limit = LIMIT.match(line, place)
    return (positive(limit[1]), positive(limit[3])) if limit else (UNKNOWN, UNKNOWN)


def hosts(fields: Sequence[bytes]) -> tuple[bytes, float]:
    """Return the names of hosts, separated by commas, and the slots on them: `"16*a" "b" "b"` are 18."""
    names: dict[bytes, None] = {}
    slots = 0.0
    for field in fields:
        number, star, name = text(field).partition(b"*")
        many = star and number.isdigit() and len(number) <= 9
        names[name if many else text(field)] = None
        slots += float(number) if many else 1.0
    return b",".join(names), slots


def text(field: bytes) -> bytes:
    """Return a text without its quotes."""
    return field[1:-1].replace(b'""', b'"') if field.startswith(b'"') else field


LSF = Format(
    "lsf",
    "LSF accounting, lsb.acct",
    (".acct", ".txt", ".txt.gz"),
    "The file lsb.acct of LSF, of any version.",
    read,
    recognizes,
)
