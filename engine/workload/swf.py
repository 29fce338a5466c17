"""Read the standard workload format: one line of 18 numbers per job, comments after `;`.

Rules: size = requested processors (field 8) if above 0, else allocated (5). A record is left out if its size or runtime
is not above 0, if it was submitted before second 0, or if it is a partial execution (status 2 to 4) of a job that has
a line of its own (0, 1 or 5), whose runtime counts the parts; else its status does not matter. Times stay unchanged.
Jobs are in order of submission, ties in the order of the file. A requested time (9) not above 0 is unknown, and so is
memory (the larger of used, 7, and requested, 10; KB per processor). The recorded start is the submission plus the wait
(3), where that is not below 0; status (11), group (13) and queue (15) are kept as outcome, account and partition. Other
fields (6, 14, 16 to 18) are counted, not read.

Format: S. Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP 1999.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.tables import Table, rows
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload, job_table, rigid_log
from shadowtime.engine.workload.limits import LARGEST_ID, LONGEST, WIDEST, Limits
from shadowtime.engine.workload.sites.growing import Growing
from shadowtime.engine.workload.swf_header import Header
from shadowtime.engine.workload.words import count, were

COLUMNS = 18
SHORTEST = 2 * COLUMNS - 1
"""Characters of the shortest record."""
FIELDS = (
    (1, "job number", LARGEST_ID, True),
    (2, "submit time", LONGEST, False),
    (3, "wait", np.inf, False),
    (4, "runtime", LONGEST, False),
    (5, "allocated processors", WIDEST, True),
    (7, "used memory", np.inf, False),
    (8, "requested processors", WIDEST, True),
    (9, "requested time", LONGEST, False),
    (10, "requested memory", np.inf, False),
    (11, "status", np.inf, False),
    (12, "user", LARGEST_ID, True),
    (13, "group", np.inf, False),
    (15, "queue", np.inf, False),
)
"""Fields that are read: number (from 1), name, largest value, whether it is a whole number. A field of MAY_FAIL that is
no number is read as unknown; all others refuse the file."""
MAY_FAIL = (3, 7, 10, 11, 13, 15)
OUTCOMES = ("failed", "completed", "partial", "last partial, completed", "last partial, failed", "cancelled")
"""Meanings of the status, from 0."""
PARTIAL, SUMMED_UP = (2, 3, 4), (0, 1, 5)
"""Status of a part of a job, and of a whole job."""

RUNTIME, ALLOCATED, REQUESTED = 3, 4, 6
"""Columns of the values read, by position in FIELDS."""
LARGEST = np.array([largest for _, _, largest, _ in FIELDS], dtype="f8")
WHOLE = np.array([whole for *_, whole in FIELDS])
PLACES = np.full(COLUMNS, -1)
"""Position in FIELDS of each word of a line; -1: it is not read."""
PLACES[[field - 1 for field, *_ in FIELDS]] = np.arange(len(FIELDS))
MANY = 1_000_000
"""Bytes of a block from which compiled code saves more time than loading it costs (0.4 s)."""
SCANNER = "shadowtime.engine.workload.swf_scan"
"""Module with that code: once it is loaded, it reads small blocks too."""

NUMERIC = b"0123456789+-.eE \t\r\n"
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
SHAPE = bytes(32 if byte in b" \t\r\n" else 120 for byte in range(256))
"""Translation of blanks to " " and of all other bytes to "x"."""


def read_swf(pieces: Iterable[bytes], limits: Limits) -> Workload:
    """Return the workload of a log, given as pieces of bytes.

    Raises
    ------
    InvalidWorkload
        If a line breaks a rule; the message names the line, its value and the rule.
    """
    header = Header()
    columns, without = [Growing("i4") for _ in FIELDS], 0
    for first, block in _blocks(pieces, limits):
        lines = block.count(b"\n") + 1
        _check_empty(without + lines - (len(block) - lines + 1) // SHORTEST, limits)
        values = _scan(block, lines, limits) if len(block) >= MANY or SCANNER in sys.modules else None
        if values is None:
            values = _values(header.strip(_lines(block, first, limits)), first).T
        without += lines - values.shape[1]
        _check_empty(without, limits)
        for column, part in zip(columns, values, strict=True):
            column.add(part)
    return _workload([column.whole() for column in columns], header)


def _check_empty(lines: int, limits: Limits) -> None:
    """Raise InvalidWorkload for too many lines without a record."""
    if lines > limits.lines:
        raise InvalidWorkload(f"it has more than {limits.lines:,} lines without a job, the limit here.")


def _blocks(pieces: Iterable[bytes], limits: Limits) -> Iterator[tuple[int, bytes]]:
    """Yield blocks of whole lines, some 2 MB each and without the last newline, with the number of their first line.

    A block ends after its last comment, so that those after a header have none."""
    first, rest = 1, b""
    for piece in pieces:
        text = rest + piece
        end = text.rfind(b"\n")
        if len(text) - end - 1 > limits.line:
            _lines(text, first, limits)
        if end < 0:
            rest = text
            continue
        block, rest = text[:end], text[end + 1 :]
        comment = block.find(b"\n", block.rfind(b";")) if b";" in block else -1
        if comment >= 0:
            yield first, block[:comment]
            first += block.count(b"\n", 0, comment) + 1
            block = block[comment + 1 :]
        yield first, block
        first += block.count(b"\n") + 1
    yield first, rest


def _lines(text: bytes, first: int, limits: Limits) -> list[bytes]:
    """Return the lines of a text that begins with line `first`; raise InvalidWorkload for one that is too long."""
    lines = text.split(b"\n")
    if max(map(len, lines)) > limits.line:
        number = first + next(i for i, line in enumerate(lines) if len(line) > limits.line)
        raise InvalidWorkload(f"line {number:,} has more than {limits.line:,} characters, the limit here.")
    return lines


def _scan(block: bytes, lines: int, limits: Limits) -> np.ndarray | None:
    """Return the values of the records, 13 x n, read by compiled code; None unless all lines are regular."""
    from shadowtime.engine.workload.swf_scan import POWERS, scan  # with numba

    text, values = np.frombuffer(block + b"\n", "u1"), np.empty((len(FIELDS), lines))
    records = scan(text, PLACES, LARGEST, WHOLE, limits.line, POWERS, values)
    return None if records < 0 else values[:, :records]


def warm() -> None:
    """Compile the scanner, or load what was compiled; 0.4 to 2 s."""
    _scan(b"", 1, Limits())


def _values(lines: list[bytes], first: int) -> np.ndarray:
    """Return the checked values of the records in `lines`, n x 13; comments are already blank."""
    values = _plain(lines)
    if values is not None and not _faults(values).any():
        return values
    values, numbers = _line_by_line(lines, first)
    for row, column in np.argwhere(_faults(values))[:1]:
        field, name, largest, _ = FIELDS[column]
        value = values[row, column]
        rule = f"the limit here is {largest:,.0f}" if abs(value) > largest else "a whole number is needed"
        raise InvalidWorkload(f"line {numbers[row]:,}: field {field} ({name}) is {value:.15g}; {rule}.")
    return values


def _faults(values: np.ndarray) -> np.ndarray:
    """Return which values exceed their limit, or have a fraction although they must be whole."""
    return ~(np.abs(values) <= LARGEST) | (WHOLE & (values != np.floor(values)))


def _plain(lines: list[bytes]) -> np.ndarray | None:
    """Parse the values with numpy (some 2.5 million records a second); None unless all lines are certainly regular.

    Each line has at least 18 columns if the parser finds the 18th; so each has exactly 18 if together they have
    18 times as many words as lines.
    """
    text = b"\n".join(lines)
    if text.translate(None, NUMERIC):
        return None
    words = (b" " + text.translate(SHAPE)).count(b" x")
    if not words:
        return np.empty((0, len(FIELDS)))
    try:
        values = np.loadtxt(lines, usecols=[field - 1 for field, *_ in FIELDS] + [COLUMNS - 1], ndmin=2)
    except ValueError:
        return None
    return values[:, :-1] if words == COLUMNS * len(values) else None


def _line_by_line(lines: list[bytes], first: int) -> tuple[np.ndarray, list[int]]:
    """Parse the values slowly, with the line number of each record; raise InvalidWorkload for an invalid line."""
    values, numbers = [], []
    for number, line in enumerate(lines, first):
        words = line.split()
        if not words:
            continue
        if len(words) != COLUMNS:
            columns = "1 column" if len(words) == 1 else f"{len(words)} columns"
            raise InvalidWorkload(f"line {number:,} has {columns}; SWF needs {COLUMNS}.")
        for field, name, *_ in FIELDS:
            if not NUMBER.fullmatch(words[field - 1]):
                if field in MAY_FAIL:
                    words[field - 1] = b"-1"
                    continue
                word = ascii(words[field - 1][:40].decode("latin-1"))
                raise InvalidWorkload(f"line {number:,}: field {field} ({name}) is {word}, not a number.")
        values.append([float(words[field - 1]) for field, *_ in FIELDS])
        numbers.append(number)
    return np.array(values, dtype="f8").reshape(-1, len(FIELDS)), numbers


def _workload(records: list[np.ndarray], header: Header) -> Workload:
    if not len(records[0]):
        raise InvalidWorkload("it holds no record.")
    (
        job,
        submit,
        wait,
        runtime,
        allocated,
        used_memory,
        requested,
        time,
        requested_memory,
        status,
        user,
        group,
        queue,
    ) = records
    size = np.where(requested > 0, requested, allocated)
    usable = (size > 0) & (runtime > 0)
    parts = usable & np.isin(status, PARTIAL)
    if parts.any():
        parts &= np.isin(job, job[usable & np.isin(status, SUMMED_UP)])
    kept = usable & ~parts & (submit >= 0)
    if not usable.any():
        raise InvalidWorkload(f"it has {count(len(job), 'record')}, none with a size and a runtime above 0.")
    if not kept.any():
        raise InvalidWorkload("all its jobs were submitted before second 0.")

    columns = {"job_id": job, "user": user, "requested": np.where(time > 0, time, np.nan)}
    both = (used_memory, requested_memory)
    if any(((column > 0) & (column <= LONGEST)).any() for column in both):
        known = (np.where((column > 0) & (column <= LONGEST), column, np.nan) for column in both)
        columns["memory_kb"] = np.fmax(*known)
    waited = (wait >= 0) & (wait <= LONGEST)
    if waited.any():
        start = np.where(waited, submit.astype("f8") + wait, np.nan)
        columns |= {"recorded_start": start, "recorded_end": start + runtime}
    codes = {"account": _codes(group), "partition": _codes(queue), "outcome": _codes(status, len(OUTCOMES) - 1)}
    columns |= {name: column for name, column in codes.items() if (column >= 0).any()}
    if not kept.all():
        for name in columns:
            columns[name] = columns[name][kept]
        submit, runtime, size = submit[kept], runtime[kept], size[kept]
    table = job_table(submit, runtime, size, **columns)
    del columns, codes
    divided = int(parts.sum())
    report = (
        f"{count(len(job), 'record')}, {count(int(kept.sum()), 'job')} kept.",
        *_left_out(int(np.sum(~usable)), "without a size or a runtime"),
        *_left_out(divided, f"partial execution{'s' * (divided > 1)} of jobs with a line of their own"),
        *_left_out(int(np.sum(usable & ~parts & ~kept)), "submitted before second 0"),
        *_oddities(records, table),
        *header.report(),
    )
    texts = {"outcome": OUTCOMES} if "outcome" in table else {}
    return rigid_log(table, header.processors, report, clock=header.clock(), texts=texts)


def _codes(column: np.ndarray, largest: float = LARGEST_ID) -> np.ndarray:
    """Return whole numbers from 0 to `largest`; -1 for all else."""
    return np.where((column >= 0) & (column <= largest) & (column == np.floor(column)), column, -1).astype("i8")


def _left_out(n: int, why: str) -> Iterator[str]:
    if n:
        yield f"{n:,} {why} {were(n)} left out."


def _oddities(records: list[np.ndarray], jobs: Table) -> Iterator[str]:
    """Yield sentences about irregularities of a log: `records` in file order, `jobs` kept but not yet sorted."""
    negative = int(((records[RUNTIME] < -1) | (records[ALLOCATED] < -1) | (records[REQUESTED] < -1)).sum())
    if negative:
        yield f"{count(negative, 'record')} with a size or runtime below -1: read as unknown."
    without_time = int(np.isnan(jobs["requested"]).sum())
    if without_time == rows(jobs):
        yield "No job has a requested time: the runtime stands in for it."
    elif without_time:
        yield f"{count(without_time, 'job')} without a requested time: the runtime stands in for it."
    late = int((jobs["release"] < np.maximum.accumulate(jobs["release"])).sum())
    if late:
        yield f"{count(late, 'job')} stood below jobs submitted later: sorted by submission."
    ids = jobs["job_id"]
    twice = 0 if (np.diff(ids) > 0).all() else len(ids) - len(np.unique(ids))
    if twice:
        yield f"{count(twice, 'job')} with a job number that another has already."


SWF = Format(
    "swf",
    "Standard workload format",
    (".swf", ".swf.gz"),
    "Logs of rigid jobs, as in the Parallel Workloads Archive.",
    read_swf,
)
