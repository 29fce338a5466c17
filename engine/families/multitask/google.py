"""Read tasks of the Google cluster trace of 2011: its original `task_events` files, or a table of one line a task.

An original file (`part-00000-of-00500.csv`, no header) has one event a line, with 13 columns: time [us], missing info,
job, task index, machine, event (0 submit, 1 schedule, 2 evict, 3 fail, 4 finish, 5 kill, 6 lost, 7 and 8 update), user,
class, priority, CPU, memory and disk request, constraint. A table has a header that names the columns of TABLE.

The time of a task is that from its first schedule to its last end; its size is its memory request, a share of the
largest machine. A task without a time or a size is left out, and so is a job without any other task. No other filter
applies here: jobs have `priority`, `finished` (all tasks finished) and `interruptions` (submissions beyond the first),
which the conversion `multitask` reads. Each task has the machine that it ran on; a table has no machines, so they are
drawn.

C. Reiss, J. Wilkes, J. Hellerstein, Google cluster-usage traces: format + schema, 2011.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.families.multitask.workload import assemble
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import LARGEST_ID, LONGEST, Limits
from shadowtime.engine.workload.words import count, were

TABLE = ("job", "task", "submit_s", "run_s", "end", "priority", "mem_request", "submissions")
"""Columns that a table must have; further columns are ignored."""
EVENT_COLUMNS = 13
FEWEST_COMMAS = 7
"""Commas in the first line of a table of the eight columns."""

SUBMIT, SCHEDULE, FINISH = 0, 1, 4
ENDS = range(2, 7)
SECOND = 1e6
"""Units of time of an original file (microseconds) in a second."""

CELL_MACHINES = 12_477
"""Machines of the traced cell when the trace begins."""
CAPACITY = 1.0


@dataclass
class Task:
    """The recorded data of one task; times in seconds, -1 = unknown."""

    job: int
    submit: float = -1.0
    scheduled: float = -1.0
    ended: float = -1.0
    finished: bool = False
    priority: int = 0
    memory: float = -1.0
    submissions: int = 0
    machine: int = -1


def looks_like(head: bytes) -> bool:
    """Return whether a text begins like such a file: with commas, where a log has blanks, and no other header."""
    first = head.lstrip().split(b"\n", 1)[0].replace(b" ", b"")
    names_others = first[:1].isalpha() and not first.startswith(b"job,task,")
    return first.count(b",") >= FEWEST_COMMAS and not names_others and not first.startswith((b'"', b"#"))


def read_google(pieces: Iterable[bytes], limits: Limits) -> Workload:
    """Return the workload of a file, read from its bytes in pieces.

    Raises
    ------
    InvalidWorkload
        With the line, its content and the rule.
    """
    lines = _lines(pieces, limits)
    number, first = next(lines, (1, b""))
    names = [name.strip().decode("latin-1") for name in first.split(b",")]
    if names[0] == "job":
        missing = [name for name in TABLE if name not in names]
        if missing:
            raise InvalidWorkload(f"its header has no column {missing[0]!r}; a table of tasks has {', '.join(TABLE)}.")
        tasks = list(_table(lines, names))
    else:
        tasks = _events((number, first), lines)
    return _workload(tasks)


def _lines(pieces: Iterable[bytes], limits: Limits) -> Iterator[tuple[int, bytes]]:
    number, rest = 0, b""
    for piece in chain(pieces, [b"\n"]):
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        if max(map(len, [*lines, rest])) > limits.line:
            raise InvalidWorkload(f"a line has more than {limits.line:,} characters, the limit here.")
        for line in lines:
            number += 1
            if number > limits.lines:
                raise InvalidWorkload(f"it has more than {limits.lines:,} lines, the limit here.")
            if line.strip():
                yield number, line


def _number(text: bytes, line: int, name: str, high: float, missing: float = -1.0) -> float:
    """Return a number from 0 to `high`, or `missing` for an empty cell."""
    if not text.strip():
        return missing
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not 0.0 <= value <= high or b"_" in text:
        word = ascii(text[:40].decode("latin-1"))
        raise InvalidWorkload(f"line {line:,}: {name} is {word}; it must be a number from 0 to {high:,.15g}.")
    return value


def _whole(text: bytes, line: int, name: str, high: float = LARGEST_ID, missing: int = -1) -> int:
    value = _number(text, line, name, high, missing)
    if value != int(value):
        raise InvalidWorkload(f"line {line:,}: {name} is {value:.15g}; it must be a whole number.")
    return int(value)


def _table(lines: Iterator[tuple[int, bytes]], names: list[str]) -> Iterator[Task]:
    """Yield the tasks of a table."""
    job, _, submit, run, end, priority, memory, submissions = (names.index(name) for name in TABLE)
    for number, line in lines:
        cells = line.split(b",")
        if len(cells) != len(names):
            raise InvalidWorkload(f"line {number:,} has {len(cells)} columns; its header has {len(names)}.")
        took = _number(cells[run], number, "run_s", LONGEST)
        yield Task(
            _whole(cells[job], number, "job"),
            _number(cells[submit], number, "submit_s", LONGEST),
            0.0 if took > 0.0 else -1.0,
            took,
            cells[end].strip() == b"finish",
            _whole(cells[priority], number, "priority", 11, 0),
            _number(cells[memory], number, "mem_request", 1e6),
            _whole(cells[submissions], number, "submissions"),
        )


def _events(first: tuple[int, bytes], lines: Iterator[tuple[int, bytes]]) -> list[Task]:
    """Return the tasks of an original file, in order of their first event."""
    tasks: dict[tuple[int, int], Task] = {}
    for number, line in chain([first], lines):
        cells = line.split(b",")
        if len(cells) != EVENT_COLUMNS:
            raise InvalidWorkload(f"line {number:,} has {len(cells)} columns; task_events have {EVENT_COLUMNS}.")
        time = _number(cells[0], number, "time", 2.0**63) / SECOND
        key = _whole(cells[2], number, "job"), _whole(cells[3], number, "task index")
        task = tasks.setdefault(key, Task(key[0]))
        kind = _whole(cells[5], number, "event type", 8)
        task.priority = max(task.priority, _whole(cells[8], number, "priority", 11, 0))
        task.memory = max(task.memory, _number(cells[10], number, "memory request", 1e6))
        if kind == SUBMIT:
            task.submit = time if task.submit < 0 else task.submit
            task.submissions += 1
        elif kind == SCHEDULE:
            task.scheduled = time if task.scheduled < 0 else task.scheduled
            task.machine = _whole(cells[4], number, "machine")
        elif kind in ENDS:
            task.ended, task.finished = time, kind == FINISH
    return list(tasks.values())


def _workload(tasks: list[Task]) -> Workload:
    if not tasks:
        raise InvalidWorkload("it holds no task.")
    job = np.array([task.job for task in tasks])
    time = np.array([task.ended - task.scheduled if task.scheduled >= 0 else -1.0 for task in tasks])
    size = np.array([task.memory for task in tasks])
    usable = (time > 0.0) & (size > 0.0) & (time <= LONGEST)
    if not usable.any():
        raise InvalidWorkload(f"it has {count(len(tasks), 'task')}, none with a start, an end and a memory request.")
    ids, owner = np.unique(job, return_inverse=True)
    finished = np.ones(len(ids), bool)
    interruptions, priority = np.zeros(len(ids)), np.zeros(len(ids))
    np.logical_and.at(finished, owner, np.array([task.finished for task in tasks]) & usable)
    np.add.at(interruptions, owner, np.array([max(0, task.submissions - 1) for task in tasks]))
    np.maximum.at(priority, owner, np.array([task.priority for task in tasks], "f8"))
    release = np.full(len(ids), np.inf)
    np.minimum.at(release, owner, np.array([max(0.0, task.submit) for task in tasks]))
    rows = np.flatnonzero(usable)
    rows = rows[np.argsort(owner[rows], kind="stable")]
    there = np.bincount(owner[rows], minlength=len(ids))
    kept = np.flatnonzero(there)
    machine, machines, sentence = _machines(tasks, rows)
    lost = len(tasks) - len(rows)
    report = [f"{count(len(tasks), 'task')} of {count(len(ids), 'job')}.", sentence]
    if lost:
        report.insert(1, f"{count(lost, 'task')} without a start, an end or a memory request {were(lost)} left out.")
    return assemble(
        release[kept], np.ones(len(kept)), there[kept], size[rows], np.ones(len(rows), "i8"), machine, time[rows],
        np.full(machines, CAPACITY), report=tuple(report), job_id=ids[kept], task=rows, priority=priority[kept],
        finished=finished[kept].astype("f8"), interruptions=interruptions[kept],
    )  # fmt: skip


def _machines(tasks: list[Task], rows: np.ndarray) -> tuple[np.ndarray, int, str]:
    """Return the machine of each task in `rows`, the number of machines, and a sentence on their source."""
    ran_on = np.array([tasks[row].machine for row in rows])
    if (ran_on >= 0).all():
        names, machine = np.unique(ran_on, return_inverse=True)
        return machine, len(names), f"Each task keeps its own of the {len(names):,} machines in the file."
    drawn = np.random.Generator(np.random.PCG64(0)).integers(0, CELL_MACHINES, len(rows))
    return drawn, CELL_MACHINES, f"The file names no machines: each task has one of {CELL_MACHINES:,}, drawn."


GOOGLE = Format(
    "google",
    "Google tasks of 2011",
    (".csv", ".csv.gz"),
    "task_events of the cluster trace, or a table of one line a task; filtered by the conversion multitask.",
    read_google,
    looks_like,
)
