"""Read the file `accounting` of Grid Engine (SGE, Univa and others): one record a line, fields separated by colons.

Rules: a record is a job; tasks of an array and runs that were started again share the number. Left out are the records
of tasks of parallel jobs (with a pe_taskid, or a submission of 0 and a start), which the job's own record counts. The
size is slots, the runtime the end less the start, the requested time h_rt of the category (what was asked for), else
s_rt; memory is slots times h_vmem, else m_mem_free. Accounts are projects, or groups where no record has a project. The
host is kept for jobs without a parallel environment; of others the record names only the first. Times beyond 10^11 are
milliseconds, as Univa Grid Engine has them from 8.2 on.

Format: manual page accounting(5) of Grid Engine 6.2u5, 8.1.9 and of Univa Grid Engine 8.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.lines import UNKNOWN, duration, first_lines, numbered_lines, positive, whole
from shadowtime.engine.workload.sites.records import Records
from shadowtime.engine.workload.sites.site_log import left_out, workload_of
from shadowtime.engine.workload.sites.stream import OddLines

QUEUE, HOST, GROUP, OWNER, NUMBER, SUBMISSION, START, END, FAILED, EXIT = 0, 1, 2, 3, 5, 8, 9, 10, 11, 12
PROJECT, ENVIRONMENT, SLOTS, CATEGORY = 31, 33, 34, 39
"""Positions of fields; those after the category may be shifted, since it may hold colons."""
ASKED = re.compile(rb"[ ,]([hs]_rt|h_vmem|m_mem_free)=(\d*:\d*:\d*|[0-9.]+[kKmMgGtT]?)(?![^,: ])")
"""Each number of a time may be left out, but not its colons, by sge_types(1)."""
BEHIND = re.compile(rb":\d+\.\d+:(?!\d+\.\d+(?:$|:))([^:]*)")
"""Behind the category stands a number with decimals (iow), then the pe_taskid, which is none. The category itself may
end in such a number behind a colon: `ubuntu:14.04`."""
TASK_OF = re.compile(rb"\d+\.\S")
"""What the pe_taskid of a task of a parallel job looks like: `1.node12`."""
MILLISECONDS = 1e11
"""Times beyond this are milliseconds."""
PRINTED = re.compile(rb"={20,}")
"""With this begins what the command `qacct -j` prints."""
KILOBYTES = {b"": 1 / 1024, b"k": 1000 / 1024, b"m": 1e6 / 1024, b"g": 1e9 / 1024, b"t": 1e12 / 1024, b"K": 1.0,
             b"M": 1024.0, b"G": 1024.0**2, b"T": 1024.0**3}  # fmt: skip


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is accounting of Grid Engine, or what qacct prints."""
    lines = first_lines(head)
    if len(lines) > 1 and PRINTED.fullmatch(lines[0]) and lines[1].startswith(b"qname "):
        return True
    return any(is_record(line.split(b":", CATEGORY)) for line in lines if not line.startswith(b"#"))


def is_record(fields: Sequence[bytes]) -> bool:
    """Return whether these are the fields of a record: numbers stand where numbers should."""
    return len(fields) > CATEGORY and all(fields[at].isdigit() for at in (NUMBER, SUBMISSION, START, END, SLOTS))


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of the accounting of Grid Engine.

    Raises
    ------
    InvalidWorkload
        If it is the text of qacct, or holds no job that ran.
    """
    records, odd, tasks = Records("user", "partition", "outcome", "nodes", "project", "group"), OddLines(), 0
    for number, lines in numbered_lines(pieces, limits):
        for at, line in enumerate(lines):
            if len(line) < 2 or line.startswith(b"#"):
                continue
            fields = line.split(b":", CATEGORY)
            if not is_record(fields):
                if PRINTED.fullmatch(line) and not len(records):
                    raise InvalidWorkload(
                        "it is what qacct prints; use the file accounting in $SGE_ROOT/default/common."
                    )
                odd.add_bytes(line, number + at)
            elif is_task(fields):
                tasks += 1
            else:
                records.add(numbers(fields), texts(fields))
    account = "account=project" if records.knows("project") else "account=group"
    notes = (
        *odd.sentences("record"),
        *left_out(tasks, "record", " of a task of a parallel job" if tasks == 1 else " of tasks of parallel jobs"),
    )
    return workload_of(records.log("Grid Engine", ("user", account, "partition", "outcome", "nodes"), notes=notes))


def is_task(fields: Sequence[bytes]) -> bool:
    """Return whether this is the record of a task of a parallel job."""
    if fields[SUBMISSION] == b"0" and fields[START] != b"0":
        return True
    behind = BEHIND.search(fields[CATEGORY])
    return behind is not None and TASK_OF.match(behind[1]) is not None


def numbers(fields: Sequence[bytes]) -> tuple[float, ...]:
    """Return the numbers of a job, in the order of `Records.add`."""
    start, end, slots = instant(fields[START]), instant(fields[END]), whole(fields[SLOTS])
    limit, kilobytes = asked(fields[CATEGORY])
    elapsed = round(end - start, 3)
    return (whole(fields[NUMBER]), instant(fields[SUBMISSION]), start, end, slots, elapsed, limit, slots * kilobytes,
            UNKNOWN)  # fmt: skip


def texts(fields: Sequence[bytes]) -> tuple[bytes | None, ...]:
    """Return the texts of a job."""
    outcome = b"exit " + fields[EXIT] if fields[FAILED] == b"0" else b"failed " + fields[FAILED]
    is_serial = fields[ENVIRONMENT] == b"NONE"
    project = None if fields[PROJECT] == b"NONE" else fields[PROJECT]
    return fields[OWNER], fields[QUEUE], outcome, fields[HOST] if is_serial else None, project, fields[GROUP]


def instant(text: bytes) -> float:
    """Return an instant [s since 1970]; NaN for 0."""
    value = positive(text)
    return value / 1000.0 if value > MILLISECONDS else value


def asked(text: bytes) -> tuple[float, float]:
    """Return the requested time [s] and memory of a slot [KB] in a category and what follows it; NaN where unknown."""
    if b"_rt=" not in text and b"mem" not in text:
        return UNKNOWN, UNKNOWN
    found: dict[bytes, bytes] = {}
    for name, value in ASKED.findall(text):
        found.setdefault(name, value)
    limit = found.get(b"h_rt") or found.get(b"s_rt", b"")
    size = found.get(b"h_vmem") or found.get(b"m_mem_free", b"")
    return duration(b":".join(part or b"0" for part in limit.split(b":"))) or UNKNOWN, memory(size)


@lru_cache(1 << 14)
def memory(text: bytes) -> float:
    """Return memory [KB], where `1k` has 1,000 bytes and `1K` 1,024; NaN where the text is none, or 0."""
    unit = text[-1:] if text[-1:].isalpha() else b""
    number = text.removesuffix(unit)
    if unit not in KILOBYTES or not number.replace(b".", b"", 1).isdigit() or len(number) > 15:
        return UNKNOWN
    return float(number) * KILOBYTES[unit] or UNKNOWN


SGE = Format(
    "sge",
    "Grid Engine accounting",
    (".txt", ".log", ".txt.gz"),
    "The file accounting of Sun, Son of, Univa and Altair Grid Engine.",
    read,
    recognizes,
)
