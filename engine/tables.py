"""The tables of a run (jobs, segments, events, series; of some families rates and bands), and the codes in them.

A table is a dict of equally long numpy columns: cheap to slice, to write and to map from disk;
`pandas.DataFrame(table)` converts it. Times are seconds from the workload's own origin; a missing value is NaN
(-1 in whole-number columns); lanes are numbered from 0. `job` in `segments` and `events` is a row number of `jobs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

import numpy as np

Table = dict[str, np.ndarray]

JOBS: dict[str, np.dtype] = {
    "job_id": np.dtype("i8"), "release": np.dtype("f8"), "start": np.dtype("f8"), "end": np.dtype("f8"),
    "processors": np.dtype("i8"), "runtime": np.dtype("f8"), "requested": np.dtype("f8"),
    "weight": np.dtype("f8"), "user": np.dtype("i8"), "state": np.dtype("u1"),
}  # fmt: skip
"""One row per job, in submission order; families append columns. `state` indexes JOB_STATES."""

SEGMENTS: dict[str, np.dtype] = {
    "job": np.dtype("i4"), "first": np.dtype("i4"), "last": np.dtype("i4"), "tier": np.dtype("u1"),
    "start": np.dtype("f8"), "end": np.dtype("f8"), "share": np.dtype("f8"), "kind": np.dtype("u1"),
}  # fmt: skip
"""One row per rectangle of the Gantt chart: lanes `first..last`, both included, and the `share` held of each.
`kind` indexes SEGMENT_KINDS."""

EVENTS: dict[str, np.dtype] = {
    "time": np.dtype("f8"), "kind": np.dtype("u1"), "job": np.dtype("i4"), "tier": np.dtype("u1"),
    "other": np.dtype("i4"), "value": np.dtype("f8"),
}  # fmt: skip
"""One row per event. `kind` indexes EVENT_KINDS; `other` (or -1) and `value` (or NaN) hold the reason, from which
`engine.output.notes` writes the sentence of the column `note`. `names_job` returns where `other` is a job's row."""

SERIES: dict[str, np.dtype] = {
    "time": np.dtype("f8"), "utilization": np.dtype("f8"), "demand": np.dtype("f8"),
    "queued": np.dtype("f8"), "running": np.dtype("f8"),
}  # fmt: skip
"""One row per breakpoint of right-continuous step functions, exact. `utilization` and `demand` in lanes
(not shares of the machine), `queued` and `running` in jobs."""

RATES: dict[str, np.dtype] = {
    "time": np.dtype("f8"), "job": np.dtype("i4"), "tier": np.dtype("u1"), "rate": np.dtype("f8"),
}  # fmt: skip
"""One row per change of a job's rate of progress (seconds of dedicated work per second), for families whose
rates do not follow from the rectangles: two tiers. A rate set during a stall applies from the stall's end. A job
that leaves its lanes gets a row with rate 0; a job that ends gets none."""

BANDS: dict[str, np.dtype] = {
    "start": np.dtype("f8"), "end": np.dtype("f8"), "level": np.dtype("u1"), "kind": np.dtype("u1"),
    "number": np.dtype("i4"),
}  # fmt: skip
"""One row per interval of a planner's plan, drawn behind the chart: `kind` indexes BAND_KINDS, `number` counts within
the kind, `level` is the nesting depth (0 outermost; a shelf inside a batch of arrivals has 1)."""

JOB_STATES = ("unfinished", "finished", "rejected")
UNFINISHED, FINISHED, REJECTED = range(3)

SEGMENT_KINDS = ("run", "stall", "lost")
RUN, STALL, LOST = range(3)

BAND_KINDS = ("arrivals", "batch", "shelf", "interval")
ARRIVALS, BATCH, SHELF, INTERVAL = range(4)
"""Arrivals scheduled together; a batch of an off-line algorithm; a shelf; an interval of a linear program."""

PART = 1 << 21
"""Rows per piece of a table that may be larger than memory (80 MB of rectangles)."""

EVENT_KINDS = (
    "submit", "start", "end", "pause", "resume", "migrate", "swap", "kill", "reserve", "backfill", "reject",
    "unreserve", "correct",
)  # fmt: skip
(
    SUBMIT, START, END, PAUSE, RESUME, MIGRATE, SWAP, KILL, RESERVE, BACKFILL, REJECT, UNRESERVE, CORRECT,
) = range(13)  # fmt: skip
"""RESERVE: the job has a reservation at `value` [s]; `other` is PROMISE or PLAN. UNRESERVE: it has none any more.
CORRECT: the job ran past its predicted end, and is now expected to end at `value` [s]."""

PROMISE, PLAN = -1, 0
"""Kind of a reservation: it never becomes later if no job exceeds its request, or it may."""

REJECTIONS = range(-1, -8, -1)
UNRECORDED, BY_POLICY, PROCESSORS, NODES, MEMORY, TASKS, JOB_CLASS = REJECTIONS
"""Reason of a rejection: `other` of the event, below 0 because it is no row of `jobs`. UNRECORDED: the run was stored
before reasons were recorded. BY_POLICY: the policy rejected the job. PROCESSORS, NODES: it needs more of them than the
machine has (`value`: how many it needs). MEMORY: the machine's memory cannot hold its tasks (`value`: their number).
TASKS: some of its tasks fit on none of their machines (`value`: how many). JOB_CLASS: no allowed machine can run
its class."""


def names_job(events: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return for which events `other` is a row of `jobs`: backfills.

    Of a migration or swap it is the tier left, of the end of a multitask job its last task, of a rejection the reason.
    """
    return (events["kind"] == BACKFILL) & (events["other"] >= 0)


def rows(table: Mapping[str, np.ndarray]) -> int:
    """Return the number of rows of a table."""
    return len(next(iter(table.values()))) if table else 0


def empty(schema: Mapping[str, np.dtype], n: int = 0) -> Table:
    """Return a table of `n` zeroed rows with the columns of `schema`."""
    return {name: np.zeros(n, dtype) for name, dtype in schema.items()}


def read_only(column: np.ndarray) -> np.ndarray:
    """Return a view of `column` that refuses to be written; `column` itself stays as it is for compiled code."""
    view = column.view()
    view.flags.writeable = False
    return view


def take(table: Mapping[str, np.ndarray], index) -> Table:
    """Return the rows that `index` (a slice, mask or array of row numbers) selects."""
    return {name: column[index] for name, column in table.items()}


def concatenate(tables: list[Table], schema: Mapping[str, np.dtype]) -> Table:
    """Return all rows of `tables`, in order; an empty table of `schema` if there are no tables."""
    if not tables:
        return empty(schema)
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def parts(table: Mapping[str, np.ndarray], by: str, n: int | None = None) -> Iterator[Table]:
    """The rows of a table in runs of about `n` (default: PART), as views, in order.

    Rows of equal `by`, the column by which the table is sorted, are never parted.
    """
    n, count, begin = n or PART, rows(table), 0
    while begin < count:
        end = min(begin + n, count)
        end += int(np.searchsorted(table[by][end:], table[by][end - 1], side="right"))
        yield {name: np.asarray(column[begin:end]) for name, column in table.items()}
        begin = end


def is_new(*columns: np.ndarray) -> np.ndarray:
    """Return which rows differ from the row before in any of the columns; the first one does."""
    fresh = np.ones(len(columns[0]), bool)
    fresh[1:] = reduce(np.logical_or, (column[1:] != column[:-1] for column in columns))
    return fresh
