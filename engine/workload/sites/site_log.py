"""Jobs as a site recorded them, and the rules by which every reader of such records makes a workload of them.

Left out are jobs that never started, had not ended, or have no processors, runtime or submission. The runtime is the
elapsed time where the record has it, else the end less the start. Second 0 is the first submission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.job import TEXTS, Clock, Workload, job_table, rigid_log
from shadowtime.engine.workload.limits import LARGEST_ID, LONGEST, WIDEST
from shadowtime.engine.workload.words import count, were

EMPTY = np.empty(0)
OUTCOMES = 6
"""Outcomes that the report names; others are summed up."""
CHUNK = 1 << 20
"""Starts that are looked at together."""
LOW = 2**32 - 1
"""The lower half of a number of 64 bits."""


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of texts: n codes, and the text of each code; -1 where the text is unknown."""

    codes: np.ndarray
    texts: Sequence[str]

    @classmethod
    def of(cls, values: Sequence[str | None]) -> Texts:
        """Return the column of `values`, coded in order of appearance; empty texts and None are unknown."""
        number: dict[str, int] = {}
        codes = [number.setdefault(value, len(number)) if value else -1 for value in values]
        return cls(np.array(codes, dtype="i8"), tuple(number))


class Remark(NamedTuple):
    """A sentence about the jobs of some rows: what one did, and what several did, where that differs."""

    rows: Sequence[int]
    one: str
    several: str = ""


@dataclass(eq=False)
class SiteLog:
    """Records of jobs, in the order of the file; all columns have n values, NaN where unknown.

    Instants are seconds since 1970 where `dated`, else seconds of the log's own clock.
    """

    source: str
    """What the records are, in sentences: "230 jobs of sacct"."""
    job_id: np.ndarray
    submit: np.ndarray
    start: np.ndarray
    end: np.ndarray
    size: np.ndarray
    """Processors; 0 where unknown."""
    elapsed: np.ndarray | None = None
    """Time in which the job ran [s], without suspensions; None or NaN: `end - start`."""
    limit: np.ndarray | None = None
    """Requested time [s]; None: no job has one."""
    memory: np.ndarray | None = None
    """Memory of the whole job [KB]."""
    gpus: np.ndarray | None = None
    """GPUs of the whole job."""
    groups: Mapping[str, Texts] = field(default_factory=dict)
    """Columns of texts, by names of TEXTS: who submitted a job, on whose account, to which partition or queue, how it
    ended, and the nodes on which it ran, as the site writes them ("n[001-003,7]")."""
    eligible: np.ndarray | None = None
    """Instants from which jobs might start."""
    asked: dict[str, np.ndarray] = field(default_factory=dict)
    """Numbers of RECORDED that are kept as they are: nice value, least nodes, cores per task, whole nodes."""
    lanes: str = "processors"
    """What the sizes count: "GPUs" in clusters of GPUs."""
    has_submissions: bool = True
    """Whether submissions are recorded. Otherwise `submit` holds the starts, which are then not kept as recorded ones:
    the waits are unknown."""
    recorded: bool = True
    """Whether the log has starts at all; without them every job with a runtime counts as one that ran."""
    numbered: bool = False
    """Whether a number is that of one job: records with the same number, size and instants are then one record."""
    names: np.ndarray | None = None
    """Numbers that stand for the names of jobs, in place of `job_id`, where several jobs may share that."""
    dated: bool = True
    utc_offset: float = 0.0
    zone: str = ""
    processors: int = 0
    """Processors of the machine; 0 where the file does not say."""
    notes: Sequence[str] = ()
    """What the reader itself left out or changed, one sentence each."""
    remarks: Sequence[Remark] = ()
    """What the reader saw of single jobs; jobs that are left out do not count."""

    def __len__(self) -> int:
        return len(self.submit)


def workload_of(log: SiteLog) -> Workload:
    """Return the workload of the jobs that ran, with what was recorded of them; the log has no columns afterwards.

    Raises
    ------
    InvalidWorkload
        If no job ran, or a value is beyond the limits.
    """
    if not len(log):
        raise InvalidWorkload("it holds no job.")
    elapsed = log.end - log.start
    if log.elapsed is not None:
        elapsed = np.where(np.isnan(log.elapsed), elapsed, log.elapsed)
        log.elapsed = None
    started, ended = ~np.isnan(log.start) | (not log.recorded), ~np.isnan(log.end) | (not log.recorded)
    usable = (elapsed > 0) & (log.size > 0) & ~np.isnan(log.submit)
    kept = started & ended & usable
    if not kept.any():
        raise InvalidWorkload(f"it has {count(len(log), 'job')}, none that ran and ended.")
    lost = [int(n.sum()) for n in (~started, started & ~ended, started & ended & ~usable)]
    del started, ended, usable
    again = _again(log, kept)
    kept[again] = False
    number, total = int(kept.sum()), len(log)
    taken = {"elapsed": _kept(elapsed, kept)}
    del elapsed
    for name in ("job_id", "submit", "start", "end", "size"):
        taken[name] = _kept(getattr(log, name), kept)
        if name != "submit":  # the length of the log is that of its submissions
            setattr(log, name, EMPTY)
    check_limits(taken)
    first = float(taken["submit"].min())
    limit = np.full(number, np.nan) if log.limit is None else _kept(log.limit, kept)
    limit = np.where((limit > 0) & (limit <= LONGEST), limit, np.nan)
    log.limit = None
    sentences = (
        f"{count(total, 'job')} of {log.source}, {number:,} kept.",
        *log.notes,
        *_remarks(log, kept),
        *left_out(lost[0], "job", " that never started"),
        *left_out(lost[1], "job", " that had not ended"),
        *left_out(lost[2], "job", f" without {log.lanes}, runtime or submission"),
        *left_out(len(again), "line", " of a job that another line has already, as where dumps overlap,"),
        *([] if log.lanes == "processors" else [f"Sizes are {log.lanes}: give their number as that of processors."]),
        *([] if log.has_submissions else ["It has no submissions: jobs are submitted at their recorded starts."]),
        *_oddities(taken, limit),
        *_outcomes(log.groups.get("outcome"), kept),
        *_noted(_with_gpus(log, kept), "held GPUs, which no policy looks at"),
        *(_of_starts(taken, log.lanes) if log.recorded else ["It has no starts: what the machine did is not known."]),
    )
    # Each column is freed when its successor is there: a log may have tens of millions of jobs.
    given = {"job_id": taken.pop("job_id").astype("i8"), "requested": limit}
    if log.recorded and log.has_submissions:
        for name in ("start", "end"):
            given[f"recorded_{name}"] = taken.pop(name) - first
    if log.eligible is not None:
        given["eligible"] = _kept(log.eligible, kept) - first
        log.eligible = None
    for name in tuple(log.asked):
        given[name] = _kept(log.asked.pop(name), kept)
    texts = {name: tuple(column.texts) for name, column in log.groups.items()}
    groups, log.groups = dict(log.groups), {}
    for name in TEXTS:
        if name in groups:
            given[name] = _kept(groups.pop(name).codes, kept).astype("i8")
    if log.memory is not None and not np.isnan(memory := _kept(log.memory, kept)).all():
        given["memory_kb"] = memory / taken["size"]
    if log.gpus is not None and (graphics := _kept(log.gpus, kept) > 0).any():
        given["gpus"] = np.nan_to_num(_kept(log.gpus, kept))
        del graphics
    log.memory = log.gpus = None
    memory = EMPTY
    log.submit = EMPTY
    size = taken.pop("size").astype("i8")
    table = job_table(taken.pop("submit") - first, taken.pop("elapsed"), size, **given)
    del given, limit, size
    clock = Clock(first, log.utc_offset, log.zone) if log.dated else None
    return rigid_log(table, log.processors, sentences, clock=clock, texts=texts)


def _again(log: SiteLog, kept: np.ndarray) -> np.ndarray:
    """Return the rows among those `kept` whose record an earlier row has, too; a number of 0 is unknown."""
    names = log.job_id if log.names is None else log.names
    if not log.numbered or (names[1:] > names[:-1]).all():
        return np.empty(0, dtype="i8")
    rows = np.flatnonzero(kept)
    rows = rows[names[rows] != 0]
    ordered = np.sort(names[rows])
    rows = rows[np.isin(names[rows], ordered[1:][ordered[1:] == ordered[:-1]])]
    columns = [column[rows] for column in (log.end, log.start, log.submit, log.size, names)]
    order = np.lexsort(columns)
    same = np.all([column[order][1:] == column[order][:-1] for column in columns], axis=0)
    return rows[order[1:][same]]


def _kept(column: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return the values of the jobs that are kept, without a copy where that are all."""
    return column if kept.all() else column[kept]


def check_limits(taken: Mapping[str, np.ndarray]) -> None:
    """Raise InvalidWorkload for a size, elapsed time, instant or job_id beyond the limits."""
    largest_of = {"size": WIDEST, "elapsed": LONGEST, "submit": LONGEST, "start": LONGEST, "end": LONGEST}
    for name, largest in {**largest_of, "job_id": LARGEST_ID}.items():
        if name in taken and (taken[name] > largest).any():
            row = int(np.argmax(taken[name] > largest))
            raise InvalidWorkload(
                f"job {taken['job_id'][row]:.0f}: {name} is {taken[name][row]:.15g}; the limit here is {largest:,.0f}."
            )


def left_out(n: int, what: str, why: str = "") -> Iterator[str]:
    """Yield the sentence that so many of these were left out; nothing for 0."""
    if n:
        yield f"{count(n, what)}{why} {were(n)} left out."


def not_read(n: int, first: str, column: str, noun: str) -> Iterator[str]:
    """Yield the sentence that so many values of a column are no `noun`, and which is the first; nothing for 0."""
    if n:
        kind = "no memory" if noun == "memory" else f"no {noun}" if n == 1 else f"no {noun}s"
        yield f"{count(n, 'value')} of {column} {were(n)} {kind} (the first is {first[:40]!r}): read as unknown."


def _noted(n: int, what: str, whats: str = "") -> Iterator[str]:
    """Yield the sentence that so many jobs did `what` (several: `whats`); nothing for 0."""
    if n:
        yield f"{count(n, 'job')} {what if n == 1 else whats or what}."


def _remarks(log: SiteLog, kept: np.ndarray) -> Iterator[str]:
    for rows, what, whats in log.remarks:
        yield from _noted(int(kept[np.asarray(rows, "i8")].sum()), what, whats)


def _oddities(taken: dict[str, np.ndarray], limit: np.ndarray) -> Iterator[str]:
    ids = taken["job_id"]
    again = 0 if (np.diff(ids) > 0).all() else len(ids) - len(np.unique(ids))
    if again:
        yield f"{count(again, 'job')} with a number that another has already: tasks of arrays, or requeued jobs."
    without = int(np.isnan(limit).sum())
    if without == len(ids):
        yield "No job has a time limit: the runtime stands in for it."
    elif without:
        yield f"{count(without, 'job')} without a time limit: the runtime stands in for it."
    over = int((taken["elapsed"] > np.where(np.isnan(limit), np.inf, limit)).sum())
    if over:
        yield f"{count(over, 'job')} ran longer than the limit."


def _with_gpus(log: SiteLog, kept: np.ndarray) -> int:
    """Return how many jobs held GPUs beside processors."""
    return 0 if log.gpus is None or log.lanes != "processors" else int((log.gpus[kept] > 0).sum())


def _outcomes(column: Texts | None, kept: np.ndarray) -> Iterator[str]:
    """Yield how many jobs ended how, the most frequent outcomes first."""
    if column is None or not len(column.texts):
        return
    counts = np.bincount(_kept(column.codes, kept) + 1, minlength=len(column.texts) + 1)[1:]
    order = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
    if not order:
        return
    named = [f"{counts[code]:,} {column.texts[code]}" for code in order[:OUTCOMES]]
    others = int(sum(counts[code] for code in order[OUTCOMES:]))
    yield f"Outcomes: {', '.join([*named, *([count(others, 'other')] if others else [])])}."


LOCAL_TIMES = ": local times around a change of the clock look so, times in UTC do not."
"""Why instants of a log may contradict one another."""


def _of_starts(taken: dict[str, np.ndarray], lanes: str) -> Iterator[str]:
    early = int((taken["start"] < taken["submit"]).sum())
    if early:
        yield f"{count(early, 'job')} started before the submission, as recorded."
    between = taken["end"] - taken["start"]
    backwards = int((between < 0).sum())
    if backwards:
        yield f"{count(backwards, 'job')} ended before the start, as recorded{LOCAL_TIMES}"
    longer = int(((between >= 0) & (taken["elapsed"] > between + 1.0)).sum())
    if longer:
        yield f"{count(longer, 'job')} ran longer than from start to end, as recorded{LOCAL_TIMES}"
    paused = int((between > taken["elapsed"] + 1.0).sum())
    if paused:
        yield f"{count(paused, 'job')} stood still between start and end: that is no runtime."
    yield f"At most {most_in_use(taken['start'], taken['end'], taken['size']):,} {lanes} were in use at one time."


def most_in_use(start: np.ndarray, end: np.ndarray, size: np.ndarray) -> int:
    """Return the largest sum of sizes of jobs that run at one time; a job that ends at an instant does not count."""
    whole = all((times == np.floor(times)).all() for times in (start, end))
    low, high = min(start.min(), end.min()), max(start.max(), end.max())
    if not whole or high - low >= WIDEST:
        by_start, by_end = np.argsort(start), np.argsort(end)
        taken = np.cumsum(size[by_start])
        freed = np.concatenate([[0.0], np.cumsum(size[by_end])])
        return int((taken - freed[np.searchsorted(end[by_end], start[by_start], side="right")]).max())
    # One number each of an instant and a size is sorted in place: a tenth of the time and a third of the memory.
    starts, ends = ((times - low).astype("i8") << 32 | size.astype("i8") for times in (start, end))
    starts.sort()
    ends.sort()
    most = taken_before = freed_before = at = 0
    for first in range(0, len(starts), CHUNK):
        part = starts[first : first + CHUNK]
        last = int(np.searchsorted(ends, part[-1] | LOW, side="right"))
        now_free = np.concatenate([[0], np.cumsum(ends[at:last] & LOW)]) + freed_before
        taken = np.cumsum(part & LOW) + taken_before
        most = max(most, int((taken - now_free[np.searchsorted(ends[at:last], part | LOW, side="right")]).max()))
        taken_before, freed_before, at = int(taken[-1]), int(now_free[-1]), last
    return most


def most_recorded(workload: Workload) -> int | None:
    """Return how many processors of its machine the recorded jobs of a log held at one time, at most; None for a
    workload without a record."""
    start, end = (workload.jobs.get(name) for name in ("recorded_start", "recorded_end"))
    if start is None or end is None or not (known := ~np.isnan(start + end)).any():
        return None
    return most_in_use(start[known], end[known], workload.jobs["processors"][known])
