"""The jobs of a run in groups: GET /api/runs/<id>/groups, its CSV, and /classes."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.body import parameter
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.components.group_view import CLASSES, OF, GroupView
from shadowtime.dashboard.components.run_view import view
from shadowtime.dashboard.figures.group_use import POINTS
from shadowtime.dashboard.sharing import groups as grouped
from shadowtime.dashboard.sharing.classes import SIZE
from shadowtime.engine.metrics.jobs import cumulative
from shadowtime.workers.errors import Conflict

blueprint = Blueprint("groups", __name__)
MOST_GROUPS = 100
"""Groups whose use of the machine over time is computed at once."""
MOST_POINTS = 1000
STEPS = 300
"""Points of a distribution."""


@blueprint.get("/api/runs/<run_id>/groups")
def groups(run_id: str) -> Response:
    """Jobs, work and means of each user, account, partition or class of jobs of a finished run, largest work first.

    `use` is the mean percent of the machine that each of `names` used between the instants in `edges` [s]: of the
    `most` groups with the largest work, the others as one; null for a run of too many rectangles.
    """
    shown, by = _shown(run_id), _one_of("by", "")
    most, points = parameter("most", grouped.MOST, 1, MOST_GROUPS), parameter("points", POINTS, 1, MOST_POINTS)
    by = _known(shown, by)
    return jsonify(
        run=shown.view.run.id,
        by=by,
        known=shown.ways,
        tau=shown.view.tau,
        groups=shown.records(by),
        **shown.use(by, points, most),
    )


@blueprint.get("/api/runs/<run_id>/groups.csv")
def table(run_id: str) -> Response:
    """The groups as CSV: work in processor-seconds, means in seconds."""
    shown = _shown(run_id)
    by = _known(shown, _one_of("by", ""))
    response = Response(grouped.as_csv(shown.table(by)), content_type="text/csv; charset=utf-8")
    name = f"{shown.view.run.id}-by-{by.replace('_', '-')}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@blueprint.get("/api/runs/<run_id>/classes")
def classes(run_id: str) -> Response:
    """The distribution of a value of the jobs within classes of size or area: values, and the share at or below."""
    shown = _shown(run_id)
    by, of = _one_of("by", SIZE, CLASSES), _one_of("of", "wait", tuple(OF))
    found = []
    for line in shown.lines(by, of) if shown.ways else []:
        values, shares = cumulative(line.values, points=STEPS)
        jobs = int((line.values == line.values).sum())
        found.append({"class": line.name, "jobs": jobs, "values": values.tolist(), "shares": shares.tolist()})
    return jsonify(run=shown.view.run.id, by=by, of=of, classes=found)


def _shown(run_id: str) -> GroupView:
    found = view(context(), run_id)
    if not found.is_finished:
        raise Conflict(f"run {found.run.id} is {found.run.status.status}; only finished runs have groups")
    return GroupView(found)


def _one_of(name: str, default: str, known: tuple[str, ...] = tuple(grouped.BY)) -> str:
    given = request.args.get(name)
    if given is None:
        return default
    if given not in known:
        raise Refusal(400, f"{name} = {given[:40]!r}, but it must be one of {', '.join(known)}.")
    return given


def _known(shown: GroupView, by: str) -> str:
    """Return the way to group, by default the first that these jobs have."""
    ways = shown.ways
    if by and by not in ways:
        raise Refusal(400, f"These jobs have no {by}; known: {', '.join(ways)}.")
    if not ways:
        raise Refusal(400, "This run has no jobs.")
    return by or ways[0]
