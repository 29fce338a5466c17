"""The sentence of each event: lanes and reasons in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.ordering import ordered
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.words import count


def duration(seconds: float) -> str:
    """Return a duration with at most two units: `12 s`, `3 h 11 min`, `7 d 05 h`."""
    if not math.isfinite(seconds):
        return "an unknown time"
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s" if rest else f"{minutes} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours < 24:
        return f"{hours} h {minutes:02d} min"
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} d {hours:02d} h"


def lane_texts(owner: np.ndarray, first: np.ndarray, last: np.ndarray, owners: int) -> list[str]:
    """Return the lanes of each of `owners` owners 0, 1, ... as text; ranges that touch or overlap are joined.

    Parameters
    ----------
    owner, first, last
        One range per row: its owner, and its lanes `first..last`, both included; in any order.

    Returns
    -------
    One text per owner, empty for an owner without ranges: "0-3 7".
    """
    owner, first, last = _joined(owner, first, last)
    texts = [f"{a}-{b}" if a < b else str(a) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    bounds = np.searchsorted(owner, np.arange(owners + 1)).tolist()
    return [texts[a] if b - a == 1 else " ".join(texts[a:b]) for a, b in pairwise(bounds)]


def lanes_of_jobs(segments: Table, jobs: int) -> list[str]:
    """Return the lanes that each of `jobs` jobs ever held, as `lane_texts`; `segments` may be larger than memory."""
    held = (np.zeros(0, "i8"),) * 3
    for part in tables.parts(segments, "start"):
        columns = (part[name] for name in ("job", "first", "last"))
        held = _joined(*(np.append(some, more) for some, more in zip(held, columns, strict=True)))
    return lane_texts(*held, jobs)


def _joined(owner: np.ndarray, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ranges of owners, by owner, then first lane; those that touch or overlap are joined."""
    # Lanes of an owner are shifted by owner * stride, so that one running maximum serves all owners at once.
    stride = int(last.max(initial=0)) + 3
    low, high = owner.astype("i8") * stride + first, owner.astype("i8") * stride + last
    order = np.argsort(low, kind="stable")
    low, high = low[order], np.maximum.accumulate(high[order])
    opens = np.ones(len(low), bool)
    opens[1:] = low[1:] > high[:-1] + 1
    begins = np.flatnonzero(opens)
    ends = high[np.append(begins[1:], len(low)) - 1] if len(low) else high
    begins = low[begins]
    return begins // stride, begins % stride, ends % stride


class Passing:
    """The rectangles that are near a window of time which moves on.

    segments: by start; may be larger than memory.
    """

    def __init__(self, segments: Table):
        self._segments, self._next = segments, 0
        self._near = tables.take(segments, slice(0))

    def between(self, first: float, last: float) -> Table:
        """Return the rectangles that begin by `last` and do not end before `first`; both never fall."""
        stop = int(np.searchsorted(self._segments["start"], last, side="right"))
        fresh = tables.take(self._segments, slice(self._next, stop))
        self._next = max(self._next, stop)
        near = tables.concatenate([self._near, fresh], {})
        self._near = tables.take(near, near["end"] >= first)
        return self._near


def rejection_note(reason: int, amount: float, tasks: int) -> str:
    """Return the sentence of a rejection.

    Parameters
    ----------
    reason, amount
        `other` and `value` of the event.
    tasks
        Processors or tasks of the job in the jobs table.
    """
    number = 0 if math.isnan(amount) else int(amount)
    if reason == tables.TASKS and tasks == 1:
        return "its task fits on none of its machines"
    fit = "fits on none of its" if number == 1 else "fit on none of their"
    sentences = {
        tables.BY_POLICY: "turned away by the policy",
        tables.PROCESSORS: f"asks for {count(number, 'processor')}, more than the machine has",
        tables.NODES: f"needs {count(number, 'node')} to itself, more than the machine has",
        tables.MEMORY: f"has {count(number, 'task')}, more than the memory of the machine holds",
        tables.TASKS: f"{number:,} of its {tasks:,} tasks {fit} machines",
        tables.JOB_CLASS: "no machine open to it can run its class",
    }
    return sentences.get(reason, "the reason was not recorded")


ON = (tables.START, tables.RESUME, tables.MIGRATE, tables.SWAP)
"""Kinds of events at which a rectangle begins."""
OFF = (tables.END, tables.PAUSE, tables.KILL)
"""Kinds of events at which a rectangle ends."""


BATCH = 1 << 16
"""Events whose lanes are looked up together."""


def in_seconds(time: float) -> str:
    """Return an instant as seconds of the workload's clock: `120 s`."""
    return f"{time:g} s"


class Notes:
    """Writes the column `note` of events: the lanes of starts and ends, the reasons of decisions.

    With `two_tier`, the tier precedes the lanes: `fg 3-4`. `instant` writes an instant [s of the workload's clock].
    """

    def __init__(
        self, jobs: Table, segments: Table, *, two_tier: bool = False, instant: Callable[[float], str] = in_seconds
    ):
        self._jobs, self._two_tier, self._instant = jobs, two_tier, instant
        self._segments = segments
        self._orders: dict[str, np.ndarray] = {}

    def _lanes(self, column: str, job: int, time: float) -> str:
        """Return the lanes of the rectangles of `job` whose `start` (or `end`) is `time`."""
        if column not in self._orders:
            self._orders[column] = np.lexsort((self._segments[column], self._segments["job"]))
        order = self._orders[column]
        low, high = (np.searchsorted(self._segments["job"], job, side, sorter=order) for side in ("left", "right"))
        rows = order[low:high]
        rows = rows[self._segments[column][rows] == time]
        first, last = self._segments["first"][rows], self._segments["last"][rows]
        return lane_texts(np.zeros(len(rows), np.int64), first, last, 1)[0]

    def of(self, row: int, events: Table) -> str:
        """Return the note of event `row`."""
        kind, job, time = int(events["kind"][row]), int(events["job"][row]), float(events["time"][row])
        lanes = ""
        if kind in ON:
            lanes = self._lanes("start", job, time)
        elif kind in OFF:
            lanes = self._lanes("end", job, time)
        other, value = int(events["other"][row]), float(events["value"][row])
        return self._note(kind, job, time, int(events["tier"][row]), other, value, lanes)

    def _note(self, kind: int, job: int, time: float, tier: int, other: int, value: float, lanes: str) -> str:
        if kind in ON or kind in OFF:
            return f"{('fg', 'bg')[tier]} {lanes}" if self._two_tier else lanes
        if kind == tables.RESERVE:
            if other == tables.PLAN:
                return f"reserved from {self._instant(value)} on, as planned now"
            what = "the foreground" if self._two_tier else "to start"
            return f"promised {what} at {self._instant(value)} at the latest, its shadow time"
        if kind == tables.UNRESERVE:
            return "has no reservation any more"
        if kind == tables.CORRECT:
            if self._jobs["end"][job] <= time:
                return "ran past its predicted end, and has ended"
            return f"ran past its predicted end; now expected to end at {self._instant(value)}"
        if kind == tables.BACKFILL:
            return self._backfill(job, time, other, value)
        if kind == tables.REJECT:
            return rejection_note(other, value, int(self._jobs["processors"][job]))
        return ""

    def _backfill(self, job: int, time: float, head: int, shadow: float) -> str:
        if head < 0:
            return f"started before its reservation at {self._instant(shadow)}: no job starts later than its promise"
        head_id = int(self._jobs["job_id"][head])
        expected = self._jobs["predicted" if "predicted" in self._jobs else "estimate"]
        spare = shadow - (time + float(expected[job]))
        if spare >= 0:
            early = f"ends {duration(spare)} before" if spare > 0 else "ends at"
            return f"backfilled: {early} the shadow time of job {head_id}"
        return f"backfilled: fits beside job {head_id}, which leaves enough processors free at its shadow time"

    def all(self, events: Table) -> Iterator[str]:
        """Return the notes of all rows, in order: 700,000 in 1.1 s, where `of` takes 20 us each.

        Events and rectangles may be larger than memory. Above BATCH events, they must be in order of time.
        """
        passing = Passing(ordered(self._segments))
        for begin in range(0, tables.rows(events), BATCH):
            some = tables.take(events, slice(begin, begin + BATCH))
            lanes = self._all_lanes(some, passing.between(float(some["time"].min()), float(some["time"].max())))
            columns = [some[name].tolist() for name in ("kind", "job", "time", "tier", "other", "value")]
            yield from map(self._note, *columns, lanes)

    def _all_lanes(self, events: Table, segments: Table) -> list[str]:
        """Return, for each event that places or removes a job, its lanes; empty texts for other events.

        segments: those that begin or end at the times of the events, and others.
        """
        texts = np.full(tables.rows(events), "", object)
        for kinds, column in ((ON, "start"), (OFF, "end")):
            # Complex numbers are ordered by real part, then by imaginary part: job and time form one sort key.
            moments, owner = np.unique(segments["job"] + 1j * segments[column], return_inverse=True)
            known = np.array([*lane_texts(owner, segments["first"], segments["last"], len(moments)), ""], object)
            rows = np.flatnonzero(np.isin(events["kind"], kinds))
            keys = events["job"][rows] + 1j * events["time"][rows]
            place = np.searchsorted(moments, keys)
            found = np.append(moments, np.nan)[place] == keys
            texts[rows] = known[np.where(found, place, len(moments))]
        return texts.tolist()
