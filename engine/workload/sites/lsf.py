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
from collections.abc import Iterator, Sequence

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.lines import UNKNOWN, OddLines, first_lines, numbered_lines, positive, whole
from shadowtime.engine.workload.sites.records import Records
from shadowtime.engine.workload.sites.site_log import left_out, noted, workload_of

RECORD = re.compile(rb'"[A-Z_]{3,40}" "\d+(\.\d+)?" \d+ ')
FIELD = re.compile(rb'"[^"]*(?:""[^"]*)*"|[^ "]+')
PRINTED = b"Accounting information about jobs"
"""With this begins what the command bacct prints."""
ASKED_HOSTS = 22
"""Position of numAskedHosts: from here the positions of fields depend on the record."""
PROJECT, EXTENSIONS = 24, 53
"""Positions of projectName and of the number of submission extensions, after that of jStatus."""
USAGE, REQUIREMENT, RUN_TIME = 5, 3, 13
"""Fields of the usage on a host; positions of effectiveResReq and runTime after that of runLimit. Records of 9.11, 10.1
and 10.108 have runLimit before options3, and not after it as the reference lists them."""
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
    records, odd, others, late = Records("user", "account", "partition", "outcome", "nodes"), OddLines(), 0, 0
    for number, lines in numbered_lines(pieces, limits):
        for at, line in enumerate(lines):
            if line.startswith(b'"JOB_FINISH" '):
                fields = FIELD.findall(line)
                row = finished(fields)
                if row is None:
                    odd.add(number + at, line)
                    continue
                records.add(*row)
                late += whole(fields[8]) > row[0][1] + LATE
            elif RECORD.match(line):
                others += 1
            elif line.startswith(PRINTED):
                raise InvalidWorkload(
                    "it is what bacct prints, whose dates have no year; use the file lsb.acct of LSF."
                )
            else:
                odd.add(number + at, line)
    if others and not len(records):
        raise InvalidWorkload("it has no record JOB_FINISH; use the file lsb.acct of LSF.")
    notes = (
        *odd.sentences("whole record"),
        *left_out(others, "record", " of other kinds than JOB_FINISH"),
        *noted(late, "was to begin later than submitted", "were to begin later than submitted"),
    )
    return workload_of(records.log("LSF", ("user", "account", "partition", "outcome", "nodes"), notes=notes))


def finished(fields: Sequence[bytes]) -> tuple[tuple[float, ...], tuple[bytes, ...]] | None:
    """Return the numbers and texts of a record JOB_FINISH; None if it is cut or its counts are no numbers."""
    asked = counted(fields, ASKED_HOSTS, 1)
    at = counted(fields, asked, 1)
    if not asked or not at or len(fields) <= at + PROJECT:
        return None
    end, start = positive(fields[2]), positive(fields[10])
    names, slots = hosts(fields[asked + 1 : at])
    limit, elapsed = durations(fields, at)
    if not 0 < elapsed <= end - start:
        elapsed = UNKNOWN
    numbers = (whole(fields[3]), positive(fields[7]), start, end, slots or whole(fields[6]), elapsed, limit,
               UNKNOWN, UNKNOWN)  # fmt: skip
    status = OUTCOMES.get(fields[at], fields[at])
    return numbers, (text(fields[11]), text(fields[at + PROJECT]), text(fields[12]), status, names)


def counted(fields: Sequence[bytes], at: int, width: int) -> int:
    """Return the position after a list of as many entries of `width` fields as field `at` says; 0 if there is none."""
    if not at or len(fields) <= at or not fields[at].isdigit() or len(fields[at]) > 9:
        return 0
    return at + 1 + width * int(fields[at])


def durations(fields: Sequence[bytes], at: int) -> tuple[float, float]:
    """Return runLimit and runTime [s]; NaN in older versions, whose records end before."""
    usages = counted(fields, at + EXTENSIONS, 2)
    limit = counted(fields, usages, 0)
    for _ in range(min(int(fields[usages]), len(fields)) if limit else 0):
        limit = counted(fields, limit + USAGE, 2)  # a host, four numbers, and pairs of names and values
    if not limit or len(fields) <= limit + RUN_TIME or not fields[limit + REQUIREMENT].startswith(b'"'):
        return UNKNOWN, UNKNOWN
    return positive(fields[limit]), positive(fields[limit + RUN_TIME])


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
