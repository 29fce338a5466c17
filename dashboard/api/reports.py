"""GET /api/runs/<id>/report.html and /api/compare/report.html: runs as one HTML file that needs no server."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from flask import Blueprint, Response

from shadowtime.dashboard.api.body import seconds
from shadowtime.dashboard.api.compare import compared_runs
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.exports import attached
from shadowtime.dashboard.offline.report import Report
from shadowtime.dashboard.offline.stored import subjects
from shadowtime.workers.store import Run

blueprint = Blueprint("reports", __name__)


@blueprint.get("/api/runs/<run_id>/report.html")
def report(run_id: str) -> Response:
    """A finished run as one HTML file: the live schedule, figures, histograms, and what repeats it.

    The schedule may be limited to the time from `from` to `to`; figures are those of the whole run. `shadowtime report`
    writes the same.
    """
    return _sent([context().store.runs.get(run_id)])


@blueprint.get("/api/compare/report.html")
def comparison() -> Response:
    """Finished runs on the same jobs as one HTML file, with linked schedules and one table of metrics.

    The schedules may be limited to the time from `from` to `to`.
    """
    found = compared_runs()
    order = [found.baseline, *found.others]
    return _sent([one.run for one in order], is_aligned=bool(found.asked.align))


def _sent(runs: Sequence[Run], *, is_aligned: bool = False) -> Response:
    found = subjects(runs, context().store)
    text = Report(found, datetime.now(UTC), seconds("from"), seconds("to"), is_aligned).html()
    name = "-".join(run.id for run in runs)
    response = attached(text, "text/html; charset=utf-8", f"{name}-report.html")
    response.headers["Cache-Control"] = "private, no-cache"  # it says when it was written
    return response
