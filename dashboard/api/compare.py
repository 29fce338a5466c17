"""GET /api/compare: what the page of compared runs shows, as numbers; and job by job as CSV."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import caching
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.components import compare_metrics, compare_tables
from shadowtime.dashboard.components.compare_view import FEWEST, MOST, Compared, compared
from shadowtime.dashboard.look import definitions
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.workers.errors import Conflict

blueprint = Blueprint("compare", __name__)


@blueprint.get("/api/compare")
def comparison() -> Response:
    """Runs on the same jobs held against a baseline: metrics, the best of each, winners and losers.

    Of runs that go on, the figures are over the jobs that have ended so far.
    """
    found = compared_runs()
    return jsonify(
        baseline=found.baseline.run.id,
        align=found.asked.align or None,
        runs=[_run(found, one) for one in found.runs],
        best=_best(found),
        pairs=[{"run": one.run.id, **(found.outcome(one) or {"jobs": 0})} for one in found.others],
        url=urls.compare(found.asked),
    )


@blueprint.get("/api/compare/jobs.csv")
def jobs() -> Response:
    """One row a job of the run `of`: start, end, bounded stretch, there and under the baseline, and how they differ."""
    found = compared_runs()
    pair = (found.baseline, found.of)
    waiting = next((one for one in pair if not one.is_finished), None)
    if waiting is not None:
        raise Conflict(f"run {waiting.run.id} is {waiting.status.status}; only finished runs can be exported")
    users = found.baseline.users
    contents = [digest for one in pair for digest in (one.run.digest, *sorted(one.run.tables.values()))]
    tag = caching.tag_of([*contents, *users])
    if caching.is_known(tag):
        return caching.unchanged(tag)
    pieces = (piece.encode() for piece in compare_tables.as_csv(found.pair(found.of), users))
    response = Response(pieces, content_type="text/csv; charset=utf-8")
    response.set_etag(tag)
    name = f"{found.of.run.id}-against-{found.baseline.run.id}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def compared_runs() -> Compared:
    """The comparison of the query. Refusal, in a sentence, where there is none."""
    given = request.args.to_dict()
    asked = Comparison.parse(given)
    named = [text.strip() for text in given.get("runs", "").split(",") if text.strip()]
    wrong = next((text for text in named if not urls.ID.fullmatch(text)), None)
    if wrong is not None:
        raise Refusal(400, f"runs names {wrong[:80]!r}, which is no id of a run.")
    if not FEWEST <= len(asked.runs) <= MOST:
        raise Refusal(400, f"runs must name {FEWEST} to {MOST} different runs, but it names {len(asked.runs)}.")
    for name in ("baseline", "of"):
        if given.get(name) and not getattr(asked, name):
            raise Refusal(400, f"{name} = {given[name][:40]!r}, but it must be one of the runs.")
    if asked.of and asked.of == (asked.baseline or asked.runs[0]):
        raise Refusal(400, "of must be another run than the baseline.")
    if given.get("align") not in (None, "", "id"):
        raise Refusal(400, f"align = {given['align'][:40]!r}, but it must be id or left out.")
    return compared(context(), asked)


def _run(found: Compared, one: Any) -> dict[str, Any]:
    """One of the runs."""
    metrics, bounds = one.figures()
    spec = one.run.spec
    return {
        "id": one.run.id,
        "url": urls.run(one.run.id),
        "name": found.name(one),
        "algorithm": spec.algorithm,
        "status": one.status.status,
        "jobs": int(one.asked["jobs"]),
        "ended": one.ended,
        "metrics": dict(metrics),
        "bounds": dict(bounds),
    }


def _best(found: Compared) -> dict[str, list[str]]:
    """Ids of the runs that are best in each metric, equal to nine digits; left out where all are, and where the runs,
    or the jobs that ended, are not the same."""
    ended = [one.figures()[0] if one.is_finished else {} for one in found.runs]
    best = {}
    for name in definitions.metrics():
        if not compare_metrics.is_ranked(name, found):
            continue
        winners = compare_metrics.best(name, [one.get(name) for one in ended], lambda _, value: f"{value:.9g}")
        if winners:
            best[name] = [found.runs[at].run.id for at in sorted(winners)]
    return best
