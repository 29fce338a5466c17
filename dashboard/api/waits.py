"""GET /api/waits: who waited in runs on the same jobs. GET /api/runs/<id>/busy: when the machine was busy."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.body import parameter
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.components import waits_panels
from shadowtime.dashboard.components.compare_view import MOST
from shadowtime.dashboard.components.waits_view import WaitsView, waits_view
from shadowtime.dashboard.sharing import urls, waits
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.workers.errors import Conflict

blueprint = Blueprint("waits", __name__)
MOST_GROUPS = 100_000


@blueprint.get("/api/waits")
def groups() -> Response:
    """Waits and usage of the jobs of one to six runs by user, account, partition, size, hour or weekday.

    Beside them the waits that the log recorded, and how alike both are. Waits are over the jobs that have one in every
    column; `most` groups with the largest usage stand for themselves, 0 for all, and the others are summed up.
    """
    view, found = _found()
    return jsonify(runs=[_run(view, one) for one in view.runs], **waits.as_json(view.subject, found))


@blueprint.get("/api/waits.csv")
def table() -> Response:
    """The same table as CSV: processor-hours, and waits in seconds."""
    view, found = _found()
    response = Response(waits.as_csv(view.subject, found), content_type="text/csv; charset=utf-8")
    name = f"{'-'.join(view.ids)}-waits-by-{found.by}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@blueprint.get("/api/runs/<run_id>/busy")
def busy(run_id: str) -> Response:
    """Busy share of the machine in percent, by day and hour of the day, and by day and group of nodes; outages.

    `of=recorded` tells what the log recorded instead of this run.
    """
    of = request.args.get("of", waits.SIMULATED)
    if of not in (waits.SIMULATED, waits.RECORDED):
        raise Refusal(400, f"of = {of[:40]!r}, but it must be {waits.SIMULATED} or {waits.RECORDED}.")
    view = waits_view(context(), [run_id])
    _refuse_unfinished(view)
    if of == waits.RECORDED and not view.subject.is_recorded:
        raise Refusal(400, "The log of this run has no recorded starts.")
    found = waits_panels.maps_of(view, of if of == waits.RECORDED else view.first.run.id)
    return jsonify(run=view.first.run.id, of=of, **found)


def _found() -> tuple[WaitsView, waits.Groups]:
    """The runs and the groups of the query. Refusal, in a sentence, where there are none."""
    given = request.args.to_dict()
    named = [text.strip() for text in given.get("runs", "").split(",") if text.strip()]
    wrong = next((text for text in named if not urls.ID.fullmatch(text)), None)
    if wrong is not None:
        raise Refusal(400, f"runs names {wrong[:80]!r}, which is no id of a run.")
    runs = Comparison.parse(given).runs
    if not 1 <= len(runs) <= MOST:
        raise Refusal(400, f"runs must name 1 to {MOST} different runs, but it names {len(runs)}.")
    most = parameter("most", 0, 0, MOST_GROUPS)
    by = given.get("by", "size")
    if by not in waits.BY:
        raise Refusal(400, f"by = {by[:40]!r}, but it must be one of {', '.join(waits.BY)}.")
    view = waits_view(context(), runs)
    _refuse_unfinished(view)
    if by not in view.subject.groupings:
        raise Refusal(400, f"These jobs have no {by}; known: {', '.join(view.subject.groupings)}.")
    return view, waits.grouped(view.subject, by, most)


def _refuse_unfinished(view: WaitsView) -> None:
    for one in view.unfinished:
        raise Conflict(f"run {one.run.id} is {one.status.status}; only finished runs have waits")


def _run(view: WaitsView, one: Any) -> dict[str, str]:
    return {"id": one.run.id, "url": urls.run(one.run.id), "name": view.names[one.run.id]}
