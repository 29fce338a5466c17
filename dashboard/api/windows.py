"""Pieces of a run for a viewer that does not hold it whole: windows, and instants, points and histories of jobs.

A window is a bundle of messages: `cells`, `areas` (and those of the whole run, `whole`), and `segments` with their
`jobs` where few enough are in it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.body import check_window, id_of_job, parameter, seconds, switch
from shadowtime.dashboard.viewer import instants, tiles
from shadowtime.dashboard.viewer.windows import WHOLE_COLUMNS, Grid, Windows
from shadowtime.workers.errors import NotFound

MOST_COLUMNS, MOST_ROWS = 4000, 2000
NODES = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
RAMPS = ("size", "stretch", "wait")
MOST_LANES = 999_999_999


Opened = tuple[Windows, str]
"""The windows of a run, and the header Cache-Control of what is read."""


def routes_of(windows_of: Callable[[str], Opened], so_far_of: Callable[[str], Opened | None]) -> Blueprint:
    """The routes; `windows_of` opens a finished run by its id, `so_far_of` one that is not, and else gives None."""
    routes = Blueprint("windows", __name__)

    @routes.get("/api/runs/<run_id>/window")
    def window(run_id: str) -> Response:
        """What is between `from` and `to` on the lanes `nodes`: cells, means of the areas, rectangles if they are few.

        `columns` and `rows` of cells; `by` a ramp with its `edges`; `find` selects the jobs that are lit. Of a run
        that goes on: cells and areas of what is simulated, where no job is asked for.
        """
        asks_for_jobs = request.args.get("by") or request.args.get("find")
        windows, kept = (None if asks_for_jobs else so_far_of(run_id)) or windows_of(run_id)
        grid = _grid(windows)
        by, edges = _ramp()
        cells = windows.painted(grid, by, edges, request.args.get("find", ""))
        parts = {"cells": tiles.encode(cells, grid=grid.as_dict(), tiers=windows.tiers)}
        capacity = float(windows.capacity)
        areas = windows.means(grid.t0, grid.t1, grid.columns, capacity)
        parts["areas"] = tiles.encode(areas, t0=grid.t0, t1=grid.t1)
        if switch("whole"):
            low, high = windows.span
            areas = windows.means(low, high, WHOLE_COLUMNS, capacity)
            parts["whole"] = tiles.encode(areas, t0=low, t1=high)
        index = windows.inside(grid) if switch("rectangles", True) and not windows.is_growing else None
        if index is not None:
            jobs, segments = windows.small(index)
            parts["jobs"] = tiles.encode(jobs, tiles.HINTS["jobs"])
            parts["segments"] = tiles.encode(segments, tiles.HINTS["segments"])
        found = {"found": int(windows.meant(request.args["find"]).sum())} if request.args.get("find") else {}
        return _bundle(parts, kept, **found, **windows.header)

    @routes.get("/api/runs/<run_id>/instant")
    def instant(run_id: str) -> Response:
        """Jobs that run (and where) and wait at the instant `at`, the areas there, and the events beside it."""
        windows, kept = windows_of(run_id)
        response = jsonify(instants.instant(windows, _seconds("at")))
        response.headers["Cache-Control"] = kept
        return response

    @routes.get("/api/runs/<run_id>/point")
    def point(run_id: str) -> Response:
        """The rectangle at (`at`, `lane`) of a `tier`, or the nearest within `near` seconds, with its job."""
        windows, kept = windows_of(run_id)
        lane, tier = parameter("lane", 0, 0, MOST_LANES), parameter("tier", 0, 0, 1)
        jobs, segments = windows.small(instants.hit(windows, _seconds("at"), lane, tier, abs(_seconds("near", 0.0))))
        return _bundle(_messages(jobs=jobs, segments=segments), kept)

    @routes.get("/api/runs/<run_id>/life")
    def life(run_id: str) -> Response:
        """One `job` by its id, with its rectangles and events, and the jobs that these name."""
        windows, kept = windows_of(run_id)
        job = id_of_job("job")
        found = instants.life(windows, job)
        if found is None:
            raise NotFound("job", job)
        jobs, segments, events = found
        return _bundle(_messages(jobs=jobs, segments=segments, events=events), kept)

    return routes


def _messages(**found: Mapping[str, np.ndarray]) -> dict[str, bytes]:
    return {name: tiles.encode(table, tiles.HINTS[name]) for name, table in found.items()}


def _bundle(parts: Mapping[str, bytes], kept: str, **header: Any) -> Response:
    response = Response(tiles.bundle(parts, **header), content_type="application/octet-stream")
    response.headers["Cache-Control"] = kept
    return response


def _grid(windows: Windows) -> Grid:
    """The cells of the query: those of the whole run, unless it gives a window."""
    low, high = windows.span
    t0, t1 = _seconds("from", low), _seconds("to", high)
    check_window(t0, t1)
    n0, n1 = _nodes(windows.lanes)
    columns, most = parameter("columns", 330, 1, MOST_COLUMNS), parameter("rows", 200, 1, MOST_ROWS)
    each = max(1, math.ceil((n1 - n0) / most))
    return Grid(t0, t1, columns, n0 - n0 % each, n1, each)


def _nodes(lanes: int) -> tuple[int, int]:
    """First lane of `nodes`, and the one after its last."""
    text = request.args.get("nodes", "")
    if not text:
        return 0, lanes
    found = NODES.fullmatch(text)
    first, last = (int(found[1]), int(found[2])) if found else (1, 0)
    if first > last:
        raise Refusal(400, f"nodes = {text[:40]!r}, but it must be like 0-99.")
    low = min(first, lanes - 1)
    return low, max(low + 1, min(last + 1, lanes))


def _seconds(name: str, default: float | None = None) -> float:
    value = seconds(name)
    if value is not None:
        return value
    if default is None:
        raise Refusal(400, f"{name} must be given: a number of seconds.")
    return default


def _ramp() -> tuple[str, tuple[float, ...]]:
    """The rule whose classes are averaged, and where its steps are."""
    by = request.args.get("by")
    if by is None:
        return "", ()
    text = request.args.get("edges", "").split(",")
    try:
        edges = tuple(float(edge) for edge in text)
    except ValueError:
        edges = ()
    if by not in RAMPS or not 0 < len(edges) <= 8 or not all(math.isfinite(edge) for edge in edges):
        raise Refusal(400, f"by = {by[:40]!r}, but it must be one of {', '.join(RAMPS)}, with edges like 1.5,3,10.")
    return by, edges
