"""When a machine was busy, as JSON values: maps by hour and by nodes, and outages; simulated, and as recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from shadowtime.dashboard.look import words
from shadowtime.engine.metrics.busy import Days, Steps, by_group, by_hour, days, in_use
from shadowtime.engine.metrics.node_lists import rectangles
from shadowtime.engine.metrics.outages import Outage, outages
from shadowtime.engine.tables import Table, parts, rows
from shadowtime.engine.workload.job import Clock, Workload
from shadowtime.engine.workload.local_time import DAY, local

Maps = dict[str, Any]
"""{"dated", "first", "rows", "hours", "groups"}: shares in percent, rows of days. `groups` is None where unknown; its
rows are groups of `rows` lanes, or of as many nodes of a log."""


def simulated(run: Mapping[str, Table], lanes: int, clock: Clock | None) -> Maps:
    """Return the maps of a finished run: its `jobs`, `series` and `segments`."""
    jobs, series, segments = run["jobs"], run["series"], run["segments"]
    known = np.isfinite(jobs["end"])
    if not known.any():
        return _maps(None, lanes, clock, None, None)
    span = days(float(jobs["release"].min()), float(jobs["end"][known].max()), partial(local, clock=clock))
    used = Steps(np.asarray(series["time"]), np.asarray(series["utilization"]))
    return _maps(span, lanes, clock, used, parts(segments, "start") if rows(segments) else None)


def recorded(log: Workload, lanes: int) -> Maps | None:
    """Return the maps of what a log recorded; None where it did not record starts and ends."""
    jobs = log.jobs
    if not {"recorded_start", "recorded_end"} <= jobs.keys():
        return None
    known = np.isfinite(jobs["recorded_start"]) & np.isfinite(jobs["recorded_end"])
    if not known.any():
        return None
    span = days(float(jobs["release"].min()), float(jobs["recorded_end"][known].max()), partial(local, clock=log.clock))
    used = in_use(jobs["recorded_start"], jobs["recorded_end"], jobs["processors"])
    found = rectangles(jobs, log.texts.get("nodes", ()), lanes)
    if found is None:
        return _maps(span, lanes, log.clock, used, None)
    held, nodes = found
    return _maps(span, lanes, log.clock, used, iter([held]), nodes)


def _maps(
    span: Days | None, lanes: int, clock: Clock | None, used: Steps | None, held: Iterator[Table] | None,
    nodes: int | None = None,
) -> Maps:  # fmt: skip
    base = {"dated": clock is not None, "first": 0, "rows": nodes or lanes, "hours": None, "groups": None}
    if span is None or used is None:
        return base
    groups = None if held is None else _percent(by_group(held, nodes or lanes, span))
    return {**base, "first": span.first, "hours": _percent(by_hour(used, lanes, span)), "groups": groups}


def _percent(shares: np.ndarray) -> list[list[int | None]]:
    known = np.isfinite(shares)
    whole = np.where(known, np.round(100 * np.where(known, shares, 0)), -1).astype("i8").tolist()
    return [[None if value < 0 else value for value in row] for row in whole]


def stops(log: Workload, lanes: int) -> list[dict[str, Any]]:
    """Return the outages that a log shows, with their places in days: see `engine.metrics.outages`."""
    wall = partial(local, clock=log.clock)

    def one(found: Outage) -> dict[str, Any]:
        start, end = (wall(np.array([found.start, found.end])) / DAY).tolist()
        return {**vars(found), "days": [start, end]}

    return [one(found) for found in outages(log.jobs, lanes)]


def stop_words(stop: Mapping[str, Any], clock: Clock | None) -> str:
    """Return an outage in words: `Wed 4 Nov 2003 12:40, 12 h 46 min: 88 jobs of 12 users waited`."""
    begins = words.instant(stop["start"], clock, year=True, to="minute")
    lasted = words.duration(stop["end"] - stop["start"])
    return f"{begins}, {lasted}: {words.count(stop['jobs'], 'job')} of {words.count(stop['users'], 'user')} waited"
