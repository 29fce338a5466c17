"""GET /api/runs/<id>/priority: why a job of a site under Slurm waited."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.api import caching
from shadowtime.dashboard.api.body import id_of_job
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.components.priority_view import refuse, why_it_waited

blueprint = Blueprint("priority", __name__)


@blueprint.get("/api/runs/<run_id>/priority")
def priority(run_id: str) -> Response:
    """The weighted factors of a `job` over its wait, the start that was expected, and the jobs that held its nodes."""
    refuse(context().store.runs.get(run_id))
    response = jsonify(why_it_waited(context(), run_id, id_of_job("job")))
    response.headers["Cache-Control"] = caching.FOR_A_DAY
    return response
