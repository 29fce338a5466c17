"""Sweeps: accepted as one file, followed, looked at while they go on, paused, resumed, tried again, deleted."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard import sweeps, visitors
from shadowtime.dashboard.api import body
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.refusal import Refusal
from shadowtime.workers.settings import Settings
from shadowtime.workers.store.sweeps import SWEEP_STATES, Sweep
from shadowtime.workers.sweeps import pairs, report, submission
from shadowtime.workers.sweeps.outcomes import STATES, Outcomes
from shadowtime.workers.sweeps.reading import KEYS, Asked
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.sweeps.tables import columns, written
from shadowtime.workers.sweeps.writing import to_toml, values_of

blueprint = Blueprint("sweeps", __name__)

TOML = ("application/toml", "text/toml", "text/plain")
MEDIA = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
MOST_ROWS = 1000
PUBLIC = "A sweep cannot be private: all who come here see its points and its runs. Ask private runs one by one."


@blueprint.post("/api/sweeps")
def ask() -> tuple[Response, int]:
    """Accept a sweep: 202; the same again is found: 200; one that was cancelled goes on: 202.

    The body is a JSON object with the keys of a sweep's file, or the file itself as TOML.
    """
    here = context()
    asked, _ = _asked(here.settings)
    most = {"limit": here.settings.max_sweeps, "limit_of_all": here.settings.max_sweeps_site}
    sweep, is_new = submission.accept(here.store, here.queue, asked, client=visitors.here().client, **most)
    return jsonify(sweeps.short(sweep)), 202 if is_new else 200


@blueprint.post("/api/sweeps/preview")
def preview() -> Response:
    """What a sweep would be: how many runs and points, about how long, and whether it is known; nothing is kept."""
    here = context()
    asked, seconds = _asked(here.settings)
    spec = asked.spec
    names = submission.names_of(here.store, spec, asked.workloads)
    return jsonify(
        id=spec.id,
        name=asked.name,
        status=sweeps.status_of(here.store, spec),
        runs_total=len(spec),
        points_total=spec.points,
        seconds=seconds / sweeps.workers(here.queue),
        workers=sweeps.workers(here.queue),
        grid=sweeps.grid(spec, names),
        question=values_of(spec, asked.name, names),
        toml=to_toml(spec, asked.name, names),
    )


@blueprint.get("/api/sweeps")
def listing() -> Response:
    """Sweeps, newest first, filtered by `status` and `q`; `next` asks for those after them."""
    here = context()
    states = [state.strip() for state in request.args.get("status", "").split(",") if state.strip()]
    for state in states:
        if state not in SWEEP_STATES:
            raise Refusal(400, f"status = {state[:40]!r}, but it must be one of {', '.join(SWEEP_STATES)}.")
    found = [
        one
        for one in here.store.sweeps.list(request.args.get("q", "")[:200])
        if one.status.status in states or not states
    ]
    after, limit = request.args.get("after"), body.parameter("limit", 50, 1, 200)
    if after:
        found = [one for one in found if f"{one.status.accepted} {one.digest}" < after]
    page = found[:limit]
    following = f"{page[-1].status.accepted} {page[-1].digest}" if len(found) > limit else None
    return jsonify(sweeps=[sweeps.listed(here.store, here.queue, one) for one in page], next=following)


@blueprint.get("/api/sweeps/<sweep_id>")
def one(sweep_id: str) -> Response:
    """How a sweep stands, what it asks, why runs failed, and its points as far as they are known.

    `metrics` names those whose statistics are wanted; all of them otherwise. `points=0`: without points.
    """
    sweep, outcomes = _read(sweep_id)
    metrics, level, with_points = _metrics(), _level(), body.switch("points", True)
    answer = sweeps.full(context().store, context().queue, sweep, outcomes)
    if with_points:
        answer["points"] = sweeps.points_of(sweep, outcomes, metrics, level)
    return jsonify(answer)


@blueprint.get("/api/sweeps/<sweep_id>/points")
def points(sweep_id: str) -> Response:
    """The points of a sweep with the statistics of `metrics` (all where none is named), at a `level` of confidence."""
    sweep, outcomes = _read(sweep_id)
    return jsonify(
        metrics=outcomes.names,
        level=_level(),
        counts=outcomes.counts(),
        points=sweeps.points_of(sweep, outcomes, _metrics(), _level()),
    )


@blueprint.get("/api/sweeps/<sweep_id>/runs")
def runs(sweep_id: str) -> Response:
    """Runs of a sweep by their numbers, filtered by `status`, `workload`, `load` and `variant` (positions)."""
    sweep, outcomes = _read(sweep_id)
    status = request.args.get("status")
    if status and status not in STATES:
        raise Refusal(400, f"status = {status[:40]!r}, but it must be one of {', '.join(STATES)}.")
    places = {
        key: _position(key, length)
        for key, length in zip(("workload", "load", "variant"), outcomes.spec.shape[1:], strict=True)
    }
    found = sweeps.numbers(outcomes, status, **places)
    after, limit = body.parameter("after", -1, 0, 10**8), body.parameter("limit", 50, 1, MOST_ROWS)
    rest = found[found > after] if request.args.get("after") is not None else found
    page = [int(index) for index in rest[:limit]]
    rows = report.runs(outcomes, sweep.status.workloads, page)
    return jsonify(
        runs=[sweeps.with_link(row) for row in rows],
        total=len(found),
        next=str(page[-1]) if len(rest) > limit else None,
    )


@blueprint.get("/api/sweeps/<sweep_id>/pairs")
def compared(sweep_id: str) -> Response:
    """Variant `a` against `b` (positions or names) by `metric` on the same instances: paired log ratio, sign test."""
    sweep, outcomes = _read(sweep_id)
    a, b = (pairs.variant_of(outcomes, request.args.get(key, ""), key) for key in ("a", "b"))
    return jsonify(pairs.pairs(outcomes, sweep.status.workloads, _metric(), a, b, level=_level()))


@blueprint.get("/api/sweeps/<sweep_id>/ranking")
def ranked(sweep_id: str) -> Response:
    """All variants by their mean rank in `metric`, and which of them differ from the first one."""
    sweep, outcomes = _read(sweep_id)
    places = {
        key: _position(key, length) for key, length in zip(("workload", "load"), outcomes.spec.shape[1:3], strict=True)
    }
    return jsonify(pairs.ranking(outcomes, sweep.status.workloads, _metric(), level=_level(), **places))


@blueprint.get("/api/sweeps/<sweep_id>.toml")
def toml(sweep_id: str) -> Response:
    """The sweep's file, which `shadowtime sweep` runs elsewhere with the same numbers."""
    sweep = context().store.sweeps.get(sweep_id)
    text = to_toml(sweep.spec, sweep.status.name, sweep.status.workloads)
    return _file(text.encode(), "application/toml", f"{sweep.id}.toml")


@blueprint.get("/api/sweeps/<sweep_id>/runs.csv")
def runs_csv(sweep_id: str) -> Response:
    """One row a run, with its parameters, metrics and bounds."""
    return _table(sweep_id, "runs", "csv")


@blueprint.get("/api/sweeps/<sweep_id>/runs.parquet")
def runs_parquet(sweep_id: str) -> Response:
    """The same columns as `runs.csv`."""
    return _table(sweep_id, "runs", "parquet")


@blueprint.get("/api/sweeps/<sweep_id>/points.csv")
def points_csv(sweep_id: str) -> Response:
    """One row a point, with the statistics of every metric."""
    return _table(sweep_id, "points", "csv")


@blueprint.get("/api/sweeps/<sweep_id>/points.parquet")
def points_parquet(sweep_id: str) -> Response:
    """The same columns as `points.csv`."""
    return _table(sweep_id, "points", "parquet")


@blueprint.post("/api/sweeps/<sweep_id>/pause")
def pause(sweep_id: str) -> tuple[Response, int]:
    """Begin no more runs: 202; 409 unless it runs."""
    here = context()
    return _now(submission.pause(here.store, here.queue, sweep_id))


@blueprint.post("/api/sweeps/<sweep_id>/resume")
def resume(sweep_id: str) -> tuple[Response, int]:
    """Go on with one that was paused or cancelled: 202; 409 otherwise."""
    here = context()
    return _now(submission.resume(here.store, here.queue, sweep_id))


@blueprint.post("/api/sweeps/<sweep_id>/cancel")
def cancel(sweep_id: str) -> tuple[Response, int]:
    """End it now, keeping what is there: 202; 409 when it has ended."""
    here = context()
    return _now(submission.cancel(here.store, here.queue, sweep_id))


@blueprint.post("/api/sweeps/<sweep_id>/retry")
def retry(sweep_id: str) -> tuple[Response, int]:
    """Run once more what failed: 202; 409 when nothing did."""
    here = context()
    return _now(submission.retry(here.store, here.queue, sweep_id))


@blueprint.delete("/api/sweeps/<sweep_id>")
def delete(sweep_id: str) -> tuple[str, int]:
    """Forget a sweep, not its runs: 204; 409 until it has ended or was cancelled."""
    context().store.sweeps.delete(sweep_id)
    return "", 204


def _asked(settings: Settings) -> tuple[Asked, float]:
    """The sweep in the body of this request, and the seconds that it may take on one core."""
    if request.mimetype in TOML:
        request.max_content_length = body.LONGEST
        sent: dict[str, Any] = {"toml": request.get_data(cache=False).decode("utf-8-sig", "replace")}
    else:
        sent = {"question": body.json_object((*KEYS, "private"))}
        if sent["question"].pop("private", False):
            raise Refusal(400, PUBLIC)
    understood = context().intake.ask("sweep", **sent)
    spec = SweepSpec.from_json(understood["spec"])
    return Asked(spec, understood["name"], tuple(understood["workloads"])), understood["seconds"]


def _read(sweep_id: str) -> tuple[Sweep, Outcomes]:
    here = context()
    sweep = here.store.sweeps.get(sweep_id)
    return sweep, sweeps.shelf(here.store).get(sweep).outcomes


def _table(sweep_id: str, table: str, form: str) -> Response:
    sweep, outcomes = _read(sweep_id)
    content = written(columns(outcomes, sweep.status.workloads, table), form)
    return _file(content, MEDIA[form], f"{sweep.id}-{table}.{form}")


def _metric() -> str:
    name = request.args.get("metric", "")
    if not name:
        raise Refusal(400, "metric must be given: the name of one, as /api/metrics lists them.")
    return name


def _metrics() -> tuple[str, ...] | None:
    from shadowtime.engine.metrics.registry import find_metric

    text = request.args.get("metrics")
    return None if text is None else tuple(find_metric(name.strip()).name for name in text.split(",") if name.strip())


def _level() -> float:
    text = request.args.get("level", "0.95")
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not 0.5 <= level <= 0.999:
        raise Refusal(400, f"level = {text[:40]!r}, but it must be a number from 0.5 to 0.999.")
    return level


def _position(key: str, length: int) -> int | None:
    return None if request.args.get(key) is None else body.parameter(key, 0, 0, length - 1)


def _now(sweep: Sweep) -> tuple[Response, int]:
    here = context()
    return jsonify(sweeps.listed(here.store, here.queue, sweep)), 202


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response
