"""GET /api/runs/<id>/jobs.csv and its like: a finished run for other programs, sent as it is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from flask import Blueprint, Response

from dashboard.api.context import context
from workers import export
from workers.errors import Conflict
from workers.store import Run

blueprint = Blueprint("exports", __name__)

FOREVER = "private, max-age=31536000, immutable"
"""A finished run never changes: its id is the digest of its question."""


@blueprint.get("/api/runs/<run_id>/jobs.csv")
def jobs(run_id: str) -> Response:
    """One row a job, in submission order, with Batsim's column names."""
    return _csv(run_id, "jobs", lambda run: export.jobs_csv(run.table("jobs"), run.table("segments")))


@blueprint.get("/api/runs/<run_id>/segments.csv")
def segments(run_id: str) -> Response:
    """One row a rectangle of the Gantt chart, by start, then first lane."""
    return _csv(run_id, "segments", lambda run: export.segments_csv(run.table("jobs"), run.table("segments")))


@blueprint.get("/api/runs/<run_id>/events.csv")
def events(run_id: str) -> Response:
    """One row a happening, by time, with the sentence that says why."""
    tables = ("jobs", "segments", "events")
    return _csv(run_id, "events", lambda run: export.events_csv(*(run.table(name) for name in tables)))


@blueprint.get("/api/runs/<run_id>/series.csv")
def series(run_id: str) -> Response:
    """Utilization, demand, queued and running as step functions."""
    return _csv(run_id, "series", lambda run: export.series_csv(run.table("series")))


@blueprint.get("/api/runs/<run_id>/summary.json")
def summary(run_id: str) -> Response:
    """The object that `shadowtime simulate --json` prints."""
    run = _finished(run_id)
    return _file(run, "summary.json", "application/json", iter([json.dumps(run.summary, ensure_ascii=False)]))


@blueprint.get("/api/runs/<run_id>/spec.json")
def spec(run_id: str) -> Response:
    """The run's question as canonical JSON; its SHA-256 is the run's digest."""
    run = context().store.runs.get(run_id)
    return _file(run, "spec.json", "application/json", iter([run.spec.json]))


def _csv(run_id: str, table: str, write: Callable[[Run], Iterator[str]]) -> Response:
    run = _finished(run_id)
    return _file(run, f"{table}.csv", "text/csv; charset=utf-8", write(run))


def _finished(run_id: str) -> Run:
    run = context().store.runs.get(run_id)
    if not run.status.is_finished:
        raise Conflict(f"run {run.id} is {run.status.status}; only a finished run can be exported")
    return run


def _file(run: Run, name: str, kind: str, pieces: Iterator[str]) -> Response:
    response = Response((piece.encode() for piece in pieces), content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{run.id}-{name}"'
    response.headers["Cache-Control"] = FOREVER
    return response
