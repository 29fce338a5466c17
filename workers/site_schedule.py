"""Convert a loop's measurements to the tables of a schedule, so that it is drawn, exported and compared like any
other."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.output.ordering import by_start_and_lane
from shadowtime.engine.output.series import series_of
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.tables import (
    END,
    EVENTS,
    FINISHED,
    KILL,
    LOST,
    REJECTED,
    RUN,
    SEGMENTS,
    START,
    SUBMIT,
    Table,
    concatenate,
    empty,
    take,
)
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.site_loop import Measured, Outcome


def measured_schedule(outcome: Outcome, workload: Workload) -> Schedule:
    """Return the schedule of a finished loop; jobs that no machine could run are rejected."""
    site, n = workload.site, len(workload)
    assert site is not None, "a loop has a site"
    jobs: Table = dict(workload.jobs)
    for name in ("start", "end", "executed"):
        jobs[name] = np.full(n, np.nan)
    jobs["machine"], jobs["cluster"], jobs["state"] = np.full(n, -1), np.full(n, -1), np.full(n, REJECTED, np.uint8)
    jobs["processors"] = workload.jobs["processors"].copy()
    for m in [*outcome.measured, *outcome.stopped]:
        jobs["start"][m.job] = np.fmin(jobs["start"][m.job], m.start)
    for m in outcome.measured:
        row = m.job
        jobs["end"][row], jobs["executed"][row], jobs["state"][row] = m.end, m.end - m.start, FINISHED
        is_cluster = m.resource >= len(site.machines)
        jobs["cluster" if is_cluster else "machine"][row] = m.resource - len(site.machines) * is_cluster
        jobs["processors"][row] = len(m.machines)
    runs = [(m, RUN) for m in outcome.measured] + [(m, LOST) for m in outcome.stopped]
    segments = concatenate([_rectangles(m, m.machines, kind) for m, kind in runs], SEGMENTS)
    segments = take(segments, by_start_and_lane(segments["start"], segments["first"]))
    events = _events(outcome, jobs)
    counters = {name: int(count) for name, count in outcome.recorder.counters.items()}
    series = series_of(jobs, segments)
    return Schedule(workload.kind, len(site.machines), jobs, segments, events, series, counters)


def _rectangles(m: Measured, machines: tuple[int, ...], kind: int) -> Table:
    """Return a run as rectangles of neighbouring machines."""
    lanes = np.array(machines)
    begins = np.flatnonzero(np.diff(lanes, prepend=-2) > 1)
    ends = np.append(begins[1:], len(lanes)) - 1
    made = empty(SEGMENTS, len(begins))
    made["job"][:], made["first"], made["last"] = m.job, lanes[begins], lanes[ends]
    made["start"][:], made["end"][:], made["share"][:], made["kind"][:] = m.start, m.end, 1.0, kind
    return made


def _events(outcome: Outcome, jobs: Table) -> Table:
    """Return submissions, starts, ends and stops, by time."""
    rows = [(float(release), SUBMIT, job, np.nan) for job, release in enumerate(jobs["release"])]
    for m in outcome.measured:
        rows += [(m.start, START, m.job, np.nan), (m.end, END, m.job, np.nan)]
    for m in outcome.stopped:
        rows += [(m.start, START, m.job, np.nan), (m.end, KILL, m.job, m.end - m.start)]
    made = empty(EVENTS, len(rows))
    for y, (time, kind, job, value) in enumerate(sorted(rows, key=lambda row: row[0])):
        made["time"][y], made["kind"][y], made["job"][y], made["other"][y] = time, kind, job, -1
        made["value"][y] = value
    return made
