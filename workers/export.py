"""Write the tables of a schedule as CSV, for the command line and the web.

Each `*_csv` yields text in pieces, so that a table larger than memory can be written: of rectangles and events that are
mapped from disk, only some rows are held. A float is written with as many digits as distinguish it from its neighbours
(`repr`), a missing value is empty, and a job is named by the file's own `job_id`.

References
----------
Column names of jobs.csv: Batsim, docs/output-jobs.rst; read by evalys.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.cells import cell
from shadowtime.engine.output.notes import Notes, lanes_of_jobs
from shadowtime.engine.output.ordering import ordered
from shadowtime.workers.outputs import write_all

BATSIM = (
    "job_id", "submission_time", "requested_number_of_resources", "requested_time", "success", "starting_time",
    "execution_time", "finish_time", "waiting_time", "turnaround_time", "stretch", "allocated_resources",
)  # fmt: skip

TWO_TIER = "loss"
"""A column of two_tier jobs only: their events name the tier."""

PIECE = 10_000
"""Rows of one piece of text: some 10 ms of work, so that a web process stays responsive between pieces."""

Columns = Mapping[str, np.ndarray]
Column = np.ndarray | Callable[[slice], list[str]]
"""Values, or a function that gives the cells of a range of rows."""


def jobs_csv(jobs: Columns, segments: Columns) -> Iterator[str]:
    """One row a job, in submission order, whatever happened to it: Batsim's columns, then our own.

    `starting_time` is the first start in any tier, `execution_time` runs from there to the end, pauses
    included, `stretch` has no floor, and `allocated_resources` names every lane ever held ("0-3 7").
    """
    columns = job_columns(jobs, segments)
    ours = {name: column for name, column in jobs.items() if name not in ("job_id", *_IN_BATSIM)}
    return pieces({**columns, **ours, "state": _words(jobs["state"], tables.JOB_STATES)}, tables.rows(jobs))


def job_columns(jobs: Columns, segments: Columns) -> dict[str, Column]:
    """Batsim's columns of the jobs of a run."""
    start, end = jobs["start"], jobs["end"]
    with np.errstate(divide="ignore", invalid="ignore"):
        turnaround = end - jobs["release"]
        stretch = np.where(jobs["runtime"] > 0, turnaround / jobs["runtime"], np.nan)
    held = lanes_of_jobs(dict(segments), tables.rows(jobs))
    return {
        "job_id": lambda rows: [str(value) for value in jobs["job_id"][rows].tolist()],
        "submission_time": jobs["release"],
        "requested_number_of_resources": jobs["processors"],
        "requested_time": jobs["requested"],
        "success": (jobs["state"] == tables.FINISHED).astype("i8"),
        "starting_time": start,
        "execution_time": end - start,
        "finish_time": end,
        "waiting_time": start - jobs["release"],
        "turnaround_time": turnaround,
        "stretch": stretch,
        "allocated_resources": lambda rows: held[rows],
    }


_IN_BATSIM = ("release", "start", "end", "processors", "requested", "state")


def segments_csv(jobs: Columns, segments: Columns) -> Iterator[str]:
    """One row a rectangle, by start, then first lane; a family's own columns (`task`) come last."""
    table = dict(ordered(dict(segments)))
    columns: dict[str, Column] = {"job_id": _ids(jobs, table.pop("job")), **table}
    columns["kind"] = _words(table["kind"], tables.SEGMENT_KINDS)
    return pieces(columns, tables.rows(segments))


def events_csv(jobs: Columns, segments: Columns, events: Columns) -> Iterator[str]:
    """Yield one row an event, by time, with the lanes or the sentence that gives the reason."""
    notes = Notes(dict(jobs), dict(segments), two_tier=TWO_TIER in jobs).all(dict(events))
    columns: dict[str, Column] = {
        "time": events["time"],
        "kind": _words(events["kind"], tables.EVENT_KINDS),
        "job_id": _ids(jobs, events["job"]),
        "note": lambda rows: [cell(note) for note in islice(notes, rows.stop - rows.start)],
    }
    return pieces(columns, tables.rows(events))


def series_csv(series: Columns) -> Iterator[str]:
    """One row a breakpoint of the step functions; `queued` and `running` count jobs."""

    def counts(name: str) -> Column:
        return lambda rows: _cells(series[name][rows].astype("i8"))

    return pieces({**series, "queued": counts("queued"), "running": counts("running")}, tables.rows(series))


def write_directory(directory: Path, schedule: Any, summary: Mapping[str, Any]) -> None:
    """The four tables of `schedule` (an object with `jobs segments events series`) and its summary, as files."""
    texts = {
        "jobs.csv": jobs_csv(schedule.jobs, schedule.segments),
        "segments.csv": segments_csv(schedule.jobs, schedule.segments),
        "events.csv": events_csv(schedule.jobs, schedule.segments, schedule.events),
        "series.csv": series_csv(schedule.series),
        "summary.json": iter([json.dumps(summary, indent=1, ensure_ascii=False), "\n"]),
    }
    write_all(directory, texts.items())


def pieces(columns: Mapping[str, Column], n: int) -> Iterator[str]:
    """A header and `n` rows, in pieces of at most PIECE rows."""
    yield ",".join(columns) + "\n"
    for begin in range(0, n, PIECE):
        rows = slice(begin, min(n, begin + PIECE))
        cells = [column(rows) if callable(column) else _cells(column[rows]) for column in columns.values()]
        yield "\n".join(map(",".join, zip(*cells, strict=True))) + "\n"


def _cells(values: np.ndarray) -> list[str]:
    if values.dtype.kind == "f":
        return [repr(value) if value == value else "" for value in values.astype("f8").tolist()]
    return [str(value) if value != -1 else "" for value in values.tolist()]


def _ids(jobs: Columns, rows: np.ndarray) -> Column:
    """Return the file's own job ids for rows of `jobs`; empty where an event has no job (row -1)."""
    known = [*map(str, jobs["job_id"].tolist()), ""]
    return lambda some: [known[row] for row in rows[some].tolist()]


def _words(codes: np.ndarray, words: tuple[str, ...]) -> Column:
    return lambda rows: [words[code] for code in codes[rows].tolist()]
