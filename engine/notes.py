"""The sentence of each event: "Why" is said in words, never as a code."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine import tables
from engine.tables import EVENT_KINDS, Table


def duration(seconds: float) -> str:
    """A length of time with at most two units: `12 s`, `3 h 11 min`, `7 d 05 h`."""
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


def lane_list(ranges: list[tuple[int, int]]) -> str:
    """Lanes as Batsim writes them: `0-3 7`; ranges that touch are joined."""
    joined: list[list[int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1][1] = max(joined[-1][1], last)
        else:
            joined.append([first, last])
    return " ".join(f"{first}-{last}" if last > first else str(first) for first, last in joined)


class Notes:
    """Writes the column `note` of events: the lanes of starts and ends, the reasons of decisions.

    two_tier names the tier before the lanes: `fg 3-4`.
    """

    def __init__(self, jobs: Table, segments: Table, *, two_tier: bool = False):
        self._jobs, self._two_tier = jobs, two_tier
        self._segments = segments
        self._by_start = np.lexsort((segments["start"], segments["job"]))
        self._by_end = np.lexsort((segments["end"], segments["job"]))

    def _lanes(self, order: np.ndarray, column: str, job: int, time: float) -> str:
        """Lanes of the rectangles of `job` that start (or end) at `time`."""
        rows = order[slice(*self._rows_of(order, job))]
        rows = rows[self._segments[column][rows] == time]
        return lane_list([(int(self._segments["first"][r]), int(self._segments["last"][r])) for r in rows])

    def _rows_of(self, order: np.ndarray, job: int) -> tuple[int, int]:
        ids = self._segments["job"]
        low = int(np.searchsorted(ids, job, side="left", sorter=order))
        high = int(np.searchsorted(ids, job, side="right", sorter=order))
        return low, high

    def of(self, row: int, events: Table) -> str:
        """The note of event `row`."""
        kind, job = int(events["kind"][row]), int(events["job"][row])
        time, value = float(events["time"][row]), float(events["value"][row])
        if kind in (tables.START, tables.RESUME, tables.MIGRATE, tables.SWAP):
            return self._placed(self._lanes(self._by_start, "start", job, time), int(events["tier"][row]))
        if kind in (tables.END, tables.PAUSE, tables.KILL):
            return self._placed(self._lanes(self._by_end, "end", job, time), int(events["tier"][row]))
        if kind == tables.RESERVE:
            return f"promised to start at {value:g} s at the latest, its shadow time"
        if kind == tables.BACKFILL:
            return self._backfill(job, time, int(events["other"][row]), value)
        if kind == tables.REJECT:
            return f"asks for {int(self._jobs['processors'][job]):,} processors, more than the machine has"
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
        """The notes of all rows, in order."""
        for row in range(tables.rows(events)):
            yield self.of(row, events)


def kind_name(code: int) -> str:
    """The word for an event's kind."""
    return EVENT_KINDS[code]
