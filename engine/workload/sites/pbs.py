"""Read the accounting of PBS and Torque: one record a line, `date;type;job;key=value key=value ...`.

Rules: a job is an E record, and each R record (a run that was requeued) that has a start and an end. Other records only
count jobs that never started or had not ended. The number is the digits with which the job's id begins; tasks of an
array share the array's number, and the record of a whole array (`7[].server`) is left out. The submission is ctime,
else qtime, else etime. Processors are the largest number that the record names: slots of exec_host,
total_execution_slots, and in Resource_List ncpus (select where that is missing), nodes, procs, size, mppwidth and
nodect. The runtime is resources_used.walltime, unless that is 0 or more than the end less the start. Accounts are those
of account, without the quotation marks that OpenPBS writes, or of group where no record has one. Of records with the
same id, size and instants, as where files were copied, one counts. The difference between the dates of the records and
their ends is the offset of the site's clock.

Format: PBS Professional 2022.1 administrator's guide, chapter Accounting; Torque 6.1 administrator guide, Accounting
records.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.lines import (
    UNKNOWN,
    duration,
    first_lines,
    memory,
    numbered_lines,
    positive,
    whole,
)
from shadowtime.engine.workload.sites.records import Records
from shadowtime.engine.workload.sites.site_log import Remark, SiteLog, left_out, workload_of
from shadowtime.engine.workload.sites.stream import OddLines

RECORD = re.compile(rb"[^;]{0,300}\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;(?:L;|[A-Za-z];[^;]*(?:;[^;]*=|;?\s*$))")
"""A line; what `grep` puts before it (the name of a file) may stand there. Keys with values follow the job, except in
records of licences (L). A table with a date and a column of single letters has no keys there."""
NUMBER = re.compile(rb"\d{1,15}")
SELECT = b"Resource_List.select"
CHUNKS = (b"Resource_List.nodes", b"Resource_List.nodect", SELECT)
"""Lists of chunks; a job's `select` is summed up in its `ncpus`."""
SIZES = (
    b"Resource_List.ncpus", b"Resource_List.procs", b"Resource_List.size", b"Resource_List.mppwidth",
    b"total_execution_slots",
)  # fmt: skip
CHUNK_GPUS = (b"gpus", b"gpu", b"ngpus")
GPUS = (b"Resource_List.ngpus", b"Resource_List.gpus", b"Resource_List.gpu")
QUARTER = 900
"""Offsets of clocks are multiples of a quarter of an hour [s]."""
FARTHEST = 14.5 * 3600
"""Offsets of clocks are less than this [s]."""
PAIR = re.compile(rb"""(?<!\S)([^\s=]+)=("[^"]*"(?!\S)|'[^']*'(?!\S)|\S*)""")
LATE = 60
"""Seconds after the submission from which a job that may run counts as held back."""


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is an accounting log of PBS."""
    return any(RECORD.match(line) for line in first_lines(head))


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of the accounting of PBS.

    Raises
    ------
    InvalidWorkload
        If it holds no job that ran, or a value is beyond the limits.
    """
    accounting, odd = Accounting(), OddLines()
    for number, lines in numbered_lines(pieces, limits):
        for at, line in enumerate(lines):
            parts = line.split(b";", 3)
            if len(parts) < 3 or len(parts[1]) != 1 or parts[0][-17:-16] != b"/":
                odd.add_bytes(line, number + at)
            else:
                accounting.add(parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else b"")
    return workload_of(accounting.log(tuple(odd.sentences("record"))))


class Accounting:
    """The records of jobs, and the jobs without a record of their end."""

    def __init__(self) -> None:
        self.records = Records("user", "partition", "outcome", "nodes", "account", "group")
        self.ended = array("q")
        self.queued: set[int] = set()
        self.started: set[int] = set()
        self.deleted: set[int] = set()
        self.offsets: Counter[float] = Counter()
        self.last_requeue = (0, b"")
        self.arrays = self.requeues = 0
        self.held, self.longer = array("q"), array("q")
        self.names = array("q")
        """Of each job with a record, as numbers; the jobs of an array, and of two servers, share their `job_id`."""

    def add(self, stamp: bytes, kind: bytes, identity: bytes, message: bytes) -> None:
        """Add one record."""
        job = hash(identity)
        if kind == b"E":
            self.ended.append(job)
            self.queued.discard(job)
            self.started.discard(job)
            if b"[]" in identity:
                self.arrays += 1
                return
            self._run(stamp, identity, message, b"")
        elif kind == b"R":
            self.started.discard(job)
            self.queued.add(job)
            if b" end=" not in message or b" start=" not in message:
                self.requeues += 1
            elif (job, message) != self.last_requeue:
                self.last_requeue = (job, message)
                self._run(stamp, identity, message, b"requeued")
        elif b"[]" in identity:
            return
        elif kind == b"S":
            self.started.add(job)
        elif kind == b"Q":
            self.queued.add(job)
        elif kind in (b"D", b"A"):
            self.deleted.add(job)

    def _run(self, stamp: bytes, identity: bytes, message: bytes, outcome: bytes) -> None:
        values = pairs(message)
        value = values.get
        start, end, created = positive(value(b"start")), positive(value(b"end")), positive(value(b"ctime"))
        eligible = positive(value(b"etime"))
        if created != created:
            queued = positive(value(b"qtime"))
            created = queued if queued == queued else eligible
        if eligible > created + LATE:
            self.held.append(len(self.records))
        elapsed = duration(value(b"resources_used.walltime", b"")) or UNKNOWN
        if elapsed > end - start:
            elapsed = UNKNOWN
            self.longer.append(len(self.records))
        names, slots = hosts(value(b"exec_host", b""))
        size, gpus = resources(values, slots)
        found = NUMBER.match(identity)
        self.names.append(hash(identity))
        status = value(b"Exit_status")
        self.records.add(
            (float(found[0]) if found else 0.0, created, start, end, size, elapsed,
             duration(value(b"Resource_List.walltime", b"")), memory(value(b"Resource_List.mem", b"")), gpus),
            (value(b"user"), value(b"queue"), outcome or (status and b"exit " + status), names, value(b"account"),
             value(b"group")),
        )  # fmt: skip
        written = hour(stamp[-19:-6]) + 60.0 * whole(stamp[-5:-3])
        if abs(written - end) < FARTHEST:
            self.offsets[round((written - end) / QUARTER) * QUARTER] += 1

    def log(self, notes: tuple[str, ...]) -> SiteLog:
        """Return all that was added as a log."""
        ended = np.array(self.ended, dtype="i8")
        started = without(self.started, ended)
        waiting = without((self.queued | self.deleted) - self.started, ended)
        self.records.add_unfinished(waiting, started)
        account = "account" if self.records.knows("account") else "account=group"
        return self.records.log(
            "PBS",
            ("user", account, "partition", "outcome", "nodes"),
            numbered=True,
            names=np.array(self.names, dtype="i8"),
            utc_offset=winter(self.offsets),
            notes=(
                *notes,
                *left_out(self.arrays, "record", " of a whole array"),
                *left_out(self.requeues, "requeue", " without a start and an end"),
            ),
            remarks=[
                Remark(self.held, "could only start later than submitted: held, or after another job"),
                Remark(self.longer, "used more walltime than from start to end, which counts instead"),
            ],
        )


def pairs(message: bytes) -> dict[bytes, bytes]:
    """Return the values of a record by name; OpenPBS quotes accounts, and values with blanks."""
    if b'"' in message or b"'" in message:
        found = {}
        for name, value in PAIR.findall(message):
            quoted = len(value) > 1 and value[:1] in (b'"', b"'") and value[-1:] == value[:1]
            found[name] = value[1:-1] if quoted else value
        return found
    try:
        return dict([pair.split(b"=", 1) for pair in message.strip().split(b" ")])
    except ValueError:  # a word without a value, or two blanks
        return dict([pair.split(b"=", 1) for pair in message.split() if b"=" in pair])


def winter(offsets: Counter[float]) -> float:
    """Return the most frequent offset of a clock [s], or that of an hour earlier if a tenth of the records have it."""
    if not offsets:
        return 0.0
    ((usual, _),) = offsets.most_common(1)
    return usual - 3600 if 10 * offsets[usual - 3600] >= offsets.total() else usual


def without(jobs: set[int], ended: np.ndarray) -> int:
    """Return how many of these jobs have not ended."""
    return int((~np.isin(np.fromiter(jobs, "i8", len(jobs)), ended)).sum())


@lru_cache(1 << 12)
def hour(text: bytes) -> float:
    """Return the begin of the hour `12/21/2009 15` [s since 1970, as if in UTC]; NaN where the text is none."""
    try:
        return datetime.strptime(text.decode("ascii"), "%m/%d/%Y %H").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return UNKNOWN


def hosts(text: bytes) -> tuple[bytes, float]:
    """Return the hosts of exec_host, separated by commas, and the number of slots: `a/0-3+a/5+b/0*13` has 18."""
    names: dict[bytes, None] = {}
    slots = 0.0
    for chunk in text.split(b"+") if text else ():
        name, _, slot = chunk.partition(b"/")
        names[name] = None
        slots += 1.0 if slot.isdigit() else ranges(slot)
    return b",".join(names), slots


@lru_cache(1 << 12)
def ranges(text: bytes) -> float:
    """Return the number of slots in `0-3`, `0-3,7` and `0*13`; 1 for a text that is none of them."""
    _, star, times = text.partition(b"*")
    if star:
        return max(0.0, whole(times))
    total = 0.0
    for part in text.split(b","):
        first, dash, last = part.partition(b"-")
        total += max(1.0, whole(last) - whole(first) + 1.0) if dash else 1.0
    return total


@lru_cache(1 << 14)
def chunks(text: bytes) -> tuple[float, float]:
    """Return the processors (at least one a chunk) and GPUs of `4:ppn=8:gpus=1+node7:ppn=2` or `5:ncpus=13`."""
    total = graphics = 0.0
    for chunk in text.split(b"+") if text else ():
        first, *fields = chunk.partition(b"#")[0].split(b":")
        pairs = [field.split(b"=", 1) for field in (fields if first.isdigit() else [first, *fields]) if b"=" in field]
        times = whole(first) if first.isdigit() else 1.0
        total += times * max((1.0, *(whole(number) for name, number in pairs if name in (b"ppn", b"ncpus"))))
        graphics += times * max((0.0, *(whole(number) for name, number in pairs if name in CHUNK_GPUS)))
    return total, graphics


def resources(values: Mapping[bytes, bytes], slots: float) -> tuple[float, float]:
    """Return the processors and GPUs of a job: the largest numbers that its record names."""
    size, gpus = slots, 0.0
    for name in CHUNKS:
        if name in values and not (name == SELECT and b"Resource_List.ncpus" in values):
            most, graphics = chunks(values[name])
            size, gpus = max(size, most), max(gpus, graphics)
    for name in SIZES:
        if name in values:
            size = max(size, whole(values[name]))
    for name in GPUS:
        if name in values:
            gpus = max(gpus, whole(values[name]))
    return size, gpus


PBS = Format(
    "pbs",
    "PBS and Torque accounting",
    (".txt", ".log", ".txt.gz"),
    "Accounting records of PBS and Torque; daily files may follow one another.",
    read,
    recognizes,
)
