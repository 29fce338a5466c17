"""The sentence of each event: lanes and reasons in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.lanes import lane_texts
from shadowtime.engine.output.rejections import rejection_note
from shadowtime.engine.tables import Table


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


ON = (tables.START, tables.RESUME, tables.MIGRATE, tables.SWAP)
"""Kinds of events at which a rectangle begins."""
OFF = (tables.END, tables.PAUSE, tables.KILL)
"""Kinds of events at which a rectangle ends."""


class Notes:
    """Writes the column `note` of events: the lanes of starts and ends, the reasons of decisions.

    With `two_tier`, the tier precedes the lanes: `fg 3-4`.
    """

    def __init__(self, jobs: Table, segments: Table, *, two_tier: bool = False):
        self._jobs, self._two_tier = jobs, two_tier
        self._segments = segments

    @cached_property
    def _by_start(self) -> np.ndarray:
        return np.lexsort((self._segments["start"], self._segments["job"]))

    @cached_property
    def _by_end(self) -> np.ndarray:
        return np.lexsort((self._segments["end"], self._segments["job"]))

    def _lanes(self, order: np.ndarray, column: str, job: int, time: float) -> str:
        """Return the lanes of the rectangles of `job` that start (or end) at `time`."""
        rows = order[slice(*self._rows_of(order, job))]
        rows = rows[self._segments[column][rows] == time]
        first, last = self._segments["first"][rows], self._segments["last"][rows]
        return lane_texts(np.zeros(len(rows), np.int64), first, last, 1)[0]

    def _rows_of(self, order: np.ndarray, job: int) -> tuple[int, int]:
        ids = self._segments["job"]
        low = int(np.searchsorted(ids, job, side="left", sorter=order))
        high = int(np.searchsorted(ids, job, side="right", sorter=order))
        return low, high

    def of(self, row: int, events: Table) -> str:
        """Return the note of event `row`."""
        kind, job, time = int(events["kind"][row]), int(events["job"][row]), float(events["time"][row])
        lanes = ""
        if kind in ON:
            lanes = self._lanes(self._by_start, "start", job, time)
        elif kind in OFF:
            lanes = self._lanes(self._by_end, "end", job, time)
        other, value = int(events["other"][row]), float(events["value"][row])
        return self._note(kind, job, time, int(events["tier"][row]), other, value, lanes)

    def _note(self, kind: int, job: int, time: float, tier: int, other: int, value: float, lanes: str) -> str:
        if kind in ON or kind in OFF:
            return self._placed(lanes, tier)
        if kind == tables.RESERVE:
            return f"promised to start at {value:g} s at the latest, its shadow time"
        if kind == tables.BACKFILL:
            return self._backfill(job, time, other, value)
        if kind == tables.REJECT:
            return rejection_note(other, value, int(self._jobs["processors"][job]))
        return ""

    def _placed(self, lanes: str, tier: int) -> str:
        return f"{('fg', 'bg')[tier]} {lanes}" if self._two_tier else lanes

    def _backfill(self, job: int, time: float, head: int, shadow: float) -> str:
        head_id = int(self._jobs["job_id"][head])
        spare = shadow - (time + float(self._jobs["estimate"][job]))
        if spare >= 0:
            early = f"ends {duration(spare)} before" if spare > 0 else "ends at"
            return f"backfilled: {early} the shadow time of job {head_id}"
        return f"backfilled: fits beside job {head_id}, which leaves enough processors free at its shadow time"

    def all(self, events: Table) -> Iterator[str]:
        """Return the notes of all rows, in order: 700,000 in 1.1 s, where `of` takes 20 us each."""
        lanes = self._all_lanes(events)
        columns = [events[name].tolist() for name in ("kind", "job", "time", "tier", "other", "value")]
        return map(self._note, *columns, lanes)

    def _all_lanes(self, events: Table) -> list[str]:
        """Return, for each event that places or removes a job, its lanes; empty texts for other events."""
        texts = np.full(tables.rows(events), "", object)
        segments = self._segments
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
