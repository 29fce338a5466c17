"""What a job of a moldable run would take on other numbers of processors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import caching
from shadowtime.dashboard.api.body import id_of_job
from shadowtime.dashboard.api.kept import SMALL, Kept
from shadowtime.dashboard.viewer.curves import curve
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find_family
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload
from shadowtime.workers.store import Run, VisibleStore

KEPT = 2
"""Workloads held in memory: conversions of a large log take seconds."""


def routes_of(store: VisibleStore, kind_of: Callable[[Run], str]) -> Blueprint:
    """The route over `store`; `kind_of` a run is that of its workload after conversions."""
    routes = Blueprint("allotments", __name__)
    opened = Kept(KEPT * SMALL)

    @routes.get("/api/runs/<run_id>/allotments")
    def allotments(run_id: str) -> ResponseReturnValue:
        """The time of one `job` by its allotment."""
        run = store.runs.get(run_id)
        kind = kind_of(run)
        if not find_family(kind).has_curves:
            raise Refusal(404, "The jobs of this run have one size each: only moldable jobs have a choice.")
        workload = opened.of(run.digest, "workload", lambda: load_workload(run.spec, store))
        job = id_of_job("job")
        rows = np.flatnonzero(workload.jobs["job_id"] == job)
        if not len(rows):
            raise NotFound("job", job)
        response = jsonify({"job": job, **curve(workload, Platform.from_dict(run.spec.platform, kind).lanes, rows[0])})
        response.headers["Cache-Control"] = caching.FOR_A_DAY
        return response

    return routes
