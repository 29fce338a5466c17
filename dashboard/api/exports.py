"""GET /api/runs/<id>/export and its short forms: a run for other programs, sent as it is written."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flask import Blueprint, Response, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body, caching, routes
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.sharing import exporting
from shadowtime.workers.errors import Conflict

blueprint = Blueprint("exports", __name__)

TABLES = {
    "jobs": "One row a job, in submission order, with Batsim's column names.",
    "segments": "One row a rectangle of the Gantt chart, by start, then first lane.",
    "events": "One row an event, by time, with the sentence that says why.",
    "series": "Utilization, demand, queued and running as step functions.",
}


@blueprint.get("/api/runs/<run_id>/export")
def export(run_id: str) -> Response:
    """A run in one of the forms that `/api/formats` lists.

    `csv` and `parquet` hold one `table` (jobs, segments, events or series); `perfetto` may be limited to the time
    from `from` to `to`. `shadowtime export` writes the same bytes.
    """
    name = request.args.get("format", "")
    if not name:
        raise Refusal(400, f"format must be given: one of {', '.join(exporting.FORMS)}.")
    return _sent(run_id, name, request.args.get("table", ""), body.seconds("from"), body.seconds("to"))


@blueprint.get("/api/runs/<run_id>/summary.json")
def summary(run_id: str) -> Response:
    """The object that `shadowtime simulate --json` prints."""
    run = context().store.runs.get(run_id)
    if not run.status.is_finished:
        raise Conflict(f"run {run.id} is {run.status.status}; only a finished run can be exported")
    return attached(json.dumps(run.summary, ensure_ascii=False), "application/json", f"{run.id}-summary.json")


@blueprint.get("/api/runs/<run_id>/spec.json")
def spec(run_id: str) -> Response:
    """The run's question as canonical JSON; its SHA-256 is the run's digest."""
    return _sent(run_id, "spec")


def _csv(table: str, run_id: str) -> Response:
    return _sent(run_id, "csv", table)


for _table, _summary in TABLES.items():
    routes.add(blueprint, f"/api/runs/<run_id>/{_table}.csv", _table, _summary, _csv, _table)


def _sent(run_id: str, name: str, table: str = "", start: float | None = None, end: float | None = None) -> Response:
    store = context().store
    name, form, table = exporting.form_of(name, table)
    chosen = exporting.Export(store, store.runs.get(run_id), table, exporting.window(name, form, start, end))
    if form.is_small:
        return attached(b"".join(exporting.written(form, chosen)), form.media, exporting.file_name(form, chosen))
    pieces = exporting.written(form, chosen)  # refuses what has not finished, or is damaged
    tag = caching.tag_of([chosen.run.digest, chosen.workload, *sorted(chosen.run.tables.values())])
    if caching.is_known(tag):
        return caching.unchanged(tag)
    response = attached(pieces, form.media, exporting.file_name(form, chosen))
    response.set_etag(tag)
    return response


def attached(content: str | bytes | Iterator[bytes], kind: str, name: str) -> Response:
    """Return a download. A later version of this program may write it otherwise, so that a browser asks again."""
    response = Response(content, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = caching.ASK
    return response
