"""What the Gantt viewer reads: a run's tables as binary columns, and what it needs before it draws.

A finished run never changes, so its columns are kept by the browser for ever and encoded once. Of a running one,
the rows after the n-th and the rectangles that still grow are read from what its worker has written by now.
"""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import allotments, caching, open_runs, sites, windows
from shadowtime.dashboard.api.body import parameter, switch
from shadowtime.dashboard.api.open_runs import OpenRuns, state
from shadowtime.dashboard.api.routes import add
from shadowtime.dashboard.viewer import tiles
from shadowtime.engine.tables import EVENTS, SEGMENTS, concatenate, empty, rows, take
from shadowtime.workers.store import Run, VisibleStore

PIECE = 100_000
"""Rectangles of a running run in one answer: the first are drawn while the next ones come."""
MOST_ROWS = 999_999_999
SCHEMAS = {"segments": SEGMENTS, "events": EVENTS}
GROWING = {
    "segments": "Rectangles by start, then first lane; while the run goes on, in the order in which they closed.",
    "events": "Happenings by time.",
}
OF_FINISHED = {
    "series": "Step functions of a finished run: useful CPU, its background part, demand, jobs that wait and run.",
    "rates": "Changes of the rates of progress of a finished two-tier run; no rows for the other families.",
    "bands": "Batches and shelves of a finished run that was planned; no rows for the others.",
}
"""Tables that exist once a run is finished. Both: with the summaries of their routes."""


def blueprint(store: VisibleStore) -> Blueprint:
    """The viewer's routes over `store`."""
    routes = Blueprint("viewer", __name__)
    runs = OpenRuns(store)
    routes.register_blueprint(windows.routes_of(partial(_finished, runs), partial(_so_far, runs)))
    routes.register_blueprint(sites.routes_of(store, runs.site))
    routes.register_blueprint(allotments.routes_of(store, runs.kind))
    for answer in (view, jobs):
        name = answer.__name__
        add(routes, f"/api/runs/<run_id>/{name}", name, answer.__doc__ or "", answer, runs)
    for summaries, table in ((GROWING, growing), (OF_FINISHED, of_finished)):
        for name, summary in summaries.items():
            add(routes, f"/api/runs/<run_id>/{name}", name, summary, table, runs, name)
    return routes


def view(runs: OpenRuns, run_id: str) -> Response:
    """The run's machine, tiers, span of time, clock, floor of the bounded stretch, state, counts and user names."""
    return jsonify(runs.view(runs.get(run_id)))


def jobs(runs: OpenRuns, run_id: str) -> Response:
    """One row a job, in submission order; while the run goes on, as they were submitted."""
    run = runs.get(run_id)
    _refuse_if_large(run)
    if run.status.is_finished:
        return _for_ever(runs, run, "jobs")
    return _for_now(tiles.encode(runs.jobs_so_far(run), tiles.HINTS["jobs"], **state(run)))


def of_finished(runs: OpenRuns, name: str, run_id: str) -> Response:
    """A table that exists once a run is finished."""
    return _for_ever(runs, runs.finished(run_id), name)


def growing(runs: OpenRuns, name: str, run_id: str) -> Response:
    """Rectangles or events: all of a finished run; while it goes on, those that closed after the n-th, and with the
    last of them the rectangles that still grow."""
    run = runs.get(run_id)
    after = parameter("after", 0, 0, MOST_ROWS)
    _refuse_if_large(run)
    if run.status.is_finished:
        return _for_ever(runs, run, name)
    live = runs.live(run)
    found = live.read(name, after, PIECE if name == "segments" else None)
    more = name == "segments" and bool(found) and rows(found) == PIECE
    still = live.whole("open") if name == "segments" and not more else {}
    table = found or take(still, slice(0)) or empty(SCHEMAS[name])
    closed = rows(table)
    if rows(still):
        table = concatenate([table, {column: still[column] for column in table}], SCHEMAS[name])
    table = runs.with_places(run, table)
    reached = open_runs.frontier(still, table)
    is_huge = name == "segments" and live.rows(name) > open_runs.HUGE
    header = {"after": after, "open": rows(table) - closed, "more": more, "frontier": reached, "huge": is_huge}
    return _for_now(tiles.encode(table, tiles.HINTS[name], **state(run), **header))


def _finished(runs: OpenRuns, run_id: str) -> windows.Opened:
    return runs.windows(runs.finished(run_id)), caching.FOR_A_DAY


def _so_far(runs: OpenRuns, run_id: str) -> windows.Opened | None:
    run = runs.get(run_id)
    return None if run.status.is_finished else (runs.windows_so_far(run), "no-store")


def _for_ever(runs: OpenRuns, run: Run, name: str) -> Response:
    tag = caching.tag_of([run.digest, name])
    if caching.is_known(tag):
        response = Response(status=304)
    else:
        response = Response(runs.encoded(run, name), content_type="application/octet-stream")
    response.set_etag(tag)
    is_named = request.args.get("format") == str(tiles.FORMAT)
    response.headers["Cache-Control"] = caching.FOREVER if is_named else caching.ASK
    return response


def _for_now(message: bytes) -> Response:
    response = Response(message, content_type="application/octet-stream")
    response.headers["Cache-Control"] = "no-store"
    return response


def _refuse_if_large(run: Run) -> None:
    """Refuse a request for all of a run (`small=1`) when the run is large."""
    if switch("small") and open_runs.is_large(run):
        what = "rectangles" if run.status.is_finished else "jobs"
        raise Refusal(413, f"This run has more than {open_runs.LARGE:,} {what}: ask for a window of it first.")
