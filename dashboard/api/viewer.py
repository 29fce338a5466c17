"""What the Gantt viewer reads: a run's tables as binary columns, and what it needs before it draws.

A finished run never changes, so its columns are kept by the browser for ever and encoded once. Of a running one,
the rows after the n-th and the rectangles that still grow are read from what its worker has written by now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import allotments, caching, sites
from shadowtime.dashboard.api.body import parameter, switch
from shadowtime.dashboard.api.kept import SMALL, Kept
from shadowtime.dashboard.api.routes import add
from shadowtime.dashboard.api.windows import routes_of
from shadowtime.dashboard.components.so_far import not_begun
from shadowtime.dashboard.viewer import tiles
from shadowtime.dashboard.viewer.extent import described, extent, overcommitted, with_users
from shadowtime.dashboard.viewer.facts import Submitted, is_exclusive, kind_and_clock, submitted_facts, user_names
from shadowtime.dashboard.viewer.growing import windows_so_far
from shadowtime.dashboard.viewer.packed import with_remote
from shadowtime.dashboard.viewer.useful import useful
from shadowtime.dashboard.viewer.windows import Windows
from shadowtime.engine.families.classed.site.site import Site
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find_family
from shadowtime.engine.tables import EVENTS, SEGMENTS, Table, concatenate, empty, rows, take
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload, tau_of_run
from shadowtime.workers.store import Run, VisibleStore

KEPT_BYTES = 256_000_000
"""Of encoded tables kept in memory: some 50 runs of a million rectangles."""
KEPT_WINDOWS = 6
"""Runs whose sums over time are kept in memory: some 34 MB each in two tiers."""
HUGE = 2_000_000
"""Rectangles from which a viewer never loads all of them: they would take 80 MB of its memory and more."""
PIECE = 100_000
"""Rectangles of a running run in one answer: the first are drawn while the next ones come."""
LARGE = 100_000
"""Rectangles, or jobs of a run that goes on, from which a viewer loads a first window before all of them (`small=1` is
refused)."""
SCHEMAS = {"segments": SEGMENTS, "events": EVENTS}
OF_FINISHED = {
    "series": "Step functions of a finished run: useful CPU, its background part, demand, jobs that wait and run.",
    "rates": "Changes of the rates of progress of a finished two-tier run; no rows for the other families.",
    "bands": "Batches and shelves of a finished run that was planned; no rows for the others.",
}
"""Tables that exist once a run is finished, with the summaries of their routes."""


def blueprint(store: VisibleStore) -> Blueprint:
    """The viewer's routes over `store`."""
    routes = Blueprint("viewer", __name__)
    kept = Kept(KEPT_BYTES)
    opened = Kept(KEPT_WINDOWS * SMALL)

    def windows_of(run_id: str) -> tuple[Windows, str]:
        run = store.runs.get(run_id)
        if not run.status.is_finished:
            raise NotFound("finished run", run.id)
        kind, _ = kept.of(run.digest, "workload", lambda: kind_and_clock(store, run.spec))
        return opened.of(run.digest, "windows", lambda: _windows(run, kind, tau_of_run(run, store))), caching.FOR_A_DAY

    def so_far_of(run_id: str) -> tuple[Windows, str] | None:
        run = store.runs.get(run_id)
        if run.status.is_finished:
            return None
        facts, live = facts_of(run), store.runs.live(run.digest)
        found = _extent_so_far(store, run, facts)
        lanes = Platform.from_dict(run.spec.platform, facts.kind).lanes
        span = found["t0"], found["t1"]
        state = {"status": run.status.status, "attempt": run.status.attempt}
        header = {**state, "span": span, "frontier": found["frontier"], "tiers": found["tiers"]}
        return windows_so_far(live, lanes, span, header), "no-store"

    def submitted(run: Run) -> Table:
        return opened.of(run.digest, "submitted", lambda: load_workload(run.spec, store).jobs)

    def facts_of(run: Run) -> Submitted:
        return kept.of(run.digest, "facts", lambda: submitted_facts(store, run.spec))

    def kind_of(run: Run) -> str:
        return kept.of(run.digest, "workload", lambda: kind_and_clock(store, run.spec))[0]

    def site_of(run: Run) -> Site | None:
        kind, _ = kept.of(run.digest, "workload", lambda: kind_and_clock(store, run.spec))
        if not find_family(kind).has_site:
            return None
        return kept.of(run.digest, "site", lambda: load_workload(run.spec, store).site)

    routes.register_blueprint(routes_of(windows_of, so_far_of))
    routes.register_blueprint(sites.routes_of(store, site_of))
    routes.register_blueprint(allotments.routes_of(store, kind_of))

    @routes.get("/api/runs/<run_id>/view")
    def view(run_id: str) -> Response:
        """The run's machine, tiers, span of time, clock, floor of the bounded stretch, state, counts and user names."""
        run = store.runs.get(run_id)
        users = kept.of(run.digest, "users", lambda: user_names(store, run.spec))
        if not run.status.is_finished:
            facts = facts_of(run)
            known = _described(run, facts.kind, facts.clock)
            return jsonify(with_users({**known, "tau": facts.tau, **_extent_so_far(store, run, facts)}, users))
        kind, clock = kept.of(run.digest, "workload", lambda: kind_and_clock(store, run.spec))
        span = kept.of(run.digest, "extent", lambda: _extent(run))
        tau = kept.of(run.digest, "tau", lambda: tau_of_run(run, store))
        return jsonify(with_users({**_described(run, kind, clock), "tau": tau, **span}, users))

    @routes.get("/api/runs/<run_id>/segments")
    def segments(run_id: str) -> Response:
        """Rectangles by start, then first lane; while the run goes on, in the order in which they closed."""
        return _growing(run_id, "segments")

    @routes.get("/api/runs/<run_id>/events")
    def events(run_id: str) -> Response:
        """Happenings by time."""
        return _growing(run_id, "events")

    @routes.get("/api/runs/<run_id>/jobs")
    def jobs(run_id: str) -> Response:
        """One row a job, in submission order; while the run goes on, as they were submitted."""
        run = store.runs.get(run_id)
        _refuse_if_large(run)
        if run.status.is_finished:
            return _for_ever(run, "jobs", lambda: run.table("jobs"))
        return _for_now(run, "jobs", not_begun(store.runs.live(run.digest).whole("jobs") or submitted(run)))

    def _of_finished(name: str, run_id: str) -> Response:
        run = store.runs.get(run_id)
        if not run.status.is_finished:
            raise NotFound("finished run", run.id)
        return _for_ever(run, name, lambda: useful(run) if name == "series" else run.table(name))

    for table, summary in OF_FINISHED.items():
        add(routes, f"/api/runs/<run_id>/{table}", table, summary, _of_finished, table)

    def _growing(run_id: str, name: str) -> Response:
        run = store.runs.get(run_id)
        after = parameter("after", 0, 0, 999_999_999)
        _refuse_if_large(run)
        if run.status.is_finished:
            return _for_ever(run, name, lambda: _told(run, name))
        live = store.runs.live(run.digest)
        found = live.read(name, after, PIECE if name == "segments" else None)
        more = name == "segments" and bool(found) and rows(found) == PIECE
        still = live.whole("open") if name == "segments" and not more else {}
        table = found or take(still, slice(0)) or empty(SCHEMAS[name])
        closed = rows(table)
        if rows(still):
            table = concatenate([table, {column: still[column] for column in table}], SCHEMAS[name])
        table = _with_places(run, table)
        return _for_now(
            run, name, table, after=after, open=rows(table) - closed, more=more, frontier=_frontier(still, table)
        )

    def _told(run: Run, name: str) -> Table:
        return _with_places(run, run.table(name))

    def _with_places(run: Run, table: Table) -> Table:
        if "task" not in table:
            return table
        try:
            return with_remote(table, opened.of(run.digest, "jobs", lambda: load_workload(run.spec, store)))
        except NotFound:  # the workload was deleted: which tasks were remote is unknown
            return table

    def _for_ever(run: Run, name: str, read: Callable[[], Table]) -> Response:
        tag = caching.tag_of([run.digest, name])
        if caching.is_known(tag):
            response = Response(status=304)
        else:
            header = {"status": run.status.status, "attempt": run.status.attempt}
            message = kept.of(run.digest, name, lambda: tiles.encode(read(), tiles.HINTS[name], **header))
            response = Response(message, content_type="application/octet-stream")
        response.set_etag(tag)
        is_named = request.args.get("format") == str(tiles.FORMAT)
        response.headers["Cache-Control"] = caching.FOREVER if is_named else caching.ASK
        return response

    def _for_now(run: Run, name: str, table: Table, **header: Any) -> Response:
        state = {"status": run.status.status, "attempt": run.status.attempt}
        message = tiles.encode(table, tiles.HINTS[name], **state, **header)
        response = Response(message, content_type="application/octet-stream")
        response.headers["Cache-Control"] = "no-store"
        return response

    return routes


def _refuse_if_large(run: Run) -> None:
    """Refuse a request for all of a run (`small=1`) when the run is large."""
    if not switch("small"):
        return
    if run.status.is_finished and rows(run.table("segments")) > LARGE:
        raise Refusal(413, f"This run has more than {LARGE:,} rectangles: ask for a window of it first.")
    if not run.status.is_finished and run.status.progress.get("jobs", 0) > LARGE:
        raise Refusal(413, f"This run has more than {LARGE:,} jobs: ask for a window of it first.")


def _windows(run: Run, kind: str, tau: float) -> Windows:
    """A finished run that is read piece by piece."""
    found = _extent(run)
    tables = {name: run.table(name) for name in ("jobs", "segments", "events")}
    lanes = Platform.from_dict(run.spec.platform, kind).lanes
    span, beyond = (found["t0"], found["t1"]), overcommitted(run.summary)
    return Windows(**tables, areas=useful(run), lanes=lanes, span=span, tau=tau, overcommitted=beyond)


def _described(run: Run, kind: str, clock: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is known of a run from its question and state, without its tables."""
    status, algorithm = run.status, run.spec.algorithm
    return {
        "id": run.id,
        "status": status.status,
        "attempt": status.attempt,
        "progress": dict(status.progress),
        **described(algorithm, kind, Platform.from_dict(run.spec.platform, kind).lanes, overcommitted(run.summary)),
        "idle": (run.summary or {}).get("metrics", {}).get("normalized_underutilization"),
        "exclusive": is_exclusive(algorithm, kind),
        "clock": clock,
    }


def _extent(run: Run) -> dict[str, Any]:
    """Where a finished run begins and ends, its tiers and sizes."""
    segments = run.table("segments")
    found = extent(run.table("jobs"), segments, run.table("events"))
    return {**found, "large": rows(segments) > LARGE, "huge": rows(segments) > HUGE}


def _extent_so_far(store: VisibleStore, run: Run, facts: Submitted) -> dict[str, Any]:
    """The same of a run that goes on (or stopped): it begins with the first submission; its end is unknown."""
    live = store.runs.live(run.digest)
    still = live.whole("open")
    frontier = _frontier(still, {})
    last = max(facts.last, frontier if frontier is not None else facts.last)
    return {
        "t0": facts.first,
        "t1": max(last, facts.first + 1.0),
        "frontier": frontier,
        "tiers": 2 if rows(still) and still["tier"].any() else 1,
        "counts": {"jobs": facts.jobs, "segments": live.rows("segments"), "events": live.rows("events")},
        "large": facts.jobs > LARGE,
    }


def _frontier(still: Mapping[str, np.ndarray], table: Mapping[str, np.ndarray]) -> float | None:
    """How far the simulation is: where the growing rectangles are cut, else the latest end or event."""
    for times in (still.get("end"), table.get("end"), table.get("time")):
        if times is not None and len(times):
            return float(times.max())
    return None
