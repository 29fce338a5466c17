"""Sweeps: accepted as one row, followed, looked at while they go on, paused, resumed, tried again, deleted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body, routes
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.components import sweep_answers
from shadowtime.workers.records.sweeps import SWEEP_STATES, Quota, Sweep
from shadowtime.workers.settings import Settings
from shadowtime.workers.sweeps import extension, pairs, report, submission
from shadowtime.workers.sweeps.outcomes import STATES, Outcomes
from shadowtime.workers.sweeps.reading import KEYS, SweepQuestion
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.sweeps.tables import columns, written
from shadowtime.workers.sweeps.writing import to_toml, values_of
from shadowtime.workers.version import engine_version

blueprint = Blueprint("sweeps", __name__)

TOML = ("application/toml", "text/toml", "text/plain")
MEDIA = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
TABLES = {
    ("runs", "csv"): "One row a run, with its parameters, metrics and bounds.",
    ("runs", "parquet"): "The same columns as `runs.csv`.",
    ("points", "csv"): "One row a point, with the statistics of every metric.",
    ("points", "parquet"): "The same columns as `points.csv`.",
}
STEPS = {
    "pause": (submission.pause, "Start no more runs: 202; 409 unless the sweep is running."),
    "resume": (
        submission.resume,
        "Continue a paused or cancelled sweep: 202; 409 otherwise, 429 where one more is too many.",
    ),
    "cancel": (submission.cancel, "End the sweep now and keep its results: 202; 409 when it has ended."),
    "retry": (
        submission.retry,
        "Run the failed runs once more: 202; 409 when none failed, 429 where one more is too many.",
    ),
}
MOST_ROWS = 1000
PLACE = re.compile(r"[0-9T:.-]{26}Z [0-9a-f]{64}", re.ASCII)
"""`next` of a page: the instant and the digest of its last sweep."""
BUDGET = 40
"""Seeds that an extension may use unless the request gives another number."""
PUBLIC = "A sweep cannot be private: all visitors see its points and runs. Submit private runs one by one."


@blueprint.post("/api/sweeps")
def ask() -> tuple[Response, int]:
    """Accept a sweep: 202; the same again is found: 200; one that was cancelled goes on: 202.

    The body is a JSON object with the keys of a sweep's file, or the file itself as TOML.
    """
    here = context()
    asked, _ = _asked(here.settings)
    sweep, is_new = submission.accept(here.store, here.queue, asked, _quota(here.settings))
    return jsonify(sweep_answers.short(sweep)), 202 if is_new else 200


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
        status=sweep_answers.status_of(here.store, spec),
        runs_total=len(spec),
        points_total=spec.points,
        seconds=seconds / sweep_answers.workers(here.queue),
        workers=sweep_answers.workers(here.queue),
        grid=sweep_answers.grid(spec, names),
        question=values_of(spec, asked.name, names),
        toml=to_toml(spec, asked.name, names),
    )


@blueprint.get("/api/sweeps")
def listing() -> Response:
    """Sweeps, newest first, filtered by `status` and `q`; `next` leads to those after them; ids of `damaged` ones."""
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
        if not PLACE.fullmatch(after):
            raise Refusal(400, f"after = {after[:40]!r}, but it must be the `next` of an earlier page.")
        found = [one for one in found if _place(one) < after]
    page = found[:limit]
    following = _place(page[-1]) if len(found) > limit else None
    return jsonify(
        sweeps=[sweep_answers.listed(here.store, here.queue, one) for one in page],
        next=following,
        damaged=here.store.sweeps.damaged(),
    )


@blueprint.get("/api/sweeps/<sweep_id>")
def one(sweep_id: str) -> Response:
    """The state of a sweep, its question, why runs failed, and its points as far as they are known.

    `metrics` names those to return statistics of; all by default. `points=0`: without points.
    """
    sweep, outcomes = _read(sweep_id)
    metrics, level, with_points = _metrics(), _level(), body.switch("points", True)
    answer = sweep_answers.full(context().store, context().queue, sweep, outcomes)
    if with_points:
        answer["points"] = sweep_answers.points_of(sweep, outcomes, metrics, level)
    return jsonify(answer)


@blueprint.get("/api/sweeps/<sweep_id>/points")
def points(sweep_id: str) -> Response:
    """The points of a sweep with the statistics of `metrics` (all where none is named), at a `level` of confidence."""
    sweep, outcomes = _read(sweep_id)
    return jsonify(
        metrics=outcomes.names,
        level=_level(),
        counts=outcomes.counts(),
        points=sweep_answers.points_of(sweep, outcomes, _metrics(), _level()),
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
    found = sweep_answers.numbers(outcomes, status, **places)
    after, limit = body.parameter("after", -1, 0, 10**8), body.parameter("limit", 50, 1, MOST_ROWS)
    rest = found[found > after] if request.args.get("after") is not None else found
    page = [int(index) for index in rest[:limit]]
    rows = report.runs(outcomes, sweep.status.workloads, page)
    return jsonify(
        runs=[sweep_answers.with_link(row) for row in rows],
        total=len(found),
        next=str(page[-1]) if len(rest) > limit else None,
    )


@blueprint.get("/api/sweeps/<sweep_id>/pairs")
def compared(sweep_id: str) -> Response:
    """Variant `a` against `b` (positions or names) by `metric` on the same instances: ratio, effect size, tests."""
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


@blueprint.get("/api/sweeps/<sweep_id>/precision")
def precise(sweep_id: str) -> Response:
    """How wide the intervals of the ratios to the first variant are, and how many seeds a width needs."""
    _, outcomes = _read(sweep_id)
    return jsonify(extension.precision(outcomes, _goal(request.args), level=_level()).as_dict())


@blueprint.post("/api/sweeps/<sweep_id>/extend")
def extend(sweep_id: str) -> tuple[Response, int]:
    """Accept the same sweep with more seeds, as `precision` forecasts: 202; 200 if that is known; 409 if it has
    enough, has not ended, or another engine ran it.

    The body holds `metric`, `until_width` and `budget`. Runs of this sweep are found, not repeated.
    """
    here = context()
    sent = body.json_object(("metric", "until_width", "budget"))
    sweep, outcomes = _read(sweep_id)
    if sweep.status.is_unfinished:
        raise Refusal(409, f"Sweep {sweep.id} has not ended: its intervals are not final.")
    if outcomes.spec.engine_version != engine_version():
        made_by = f"Sweep {sweep.id} is of engine {outcomes.spec.engine_version}"
        raise Refusal(409, f"{made_by}; this server has {engine_version()}. Submit it again.")
    found = extension.precision(outcomes, _goal(sent))
    if not found.goes_on:
        raise Refusal(409, f"No seeds are added: {found.decision.reason}.")
    spec = extension.with_seeds(outcomes.spec, found.next_seeds)
    if len(spec) > here.settings.max_sweep_runs:
        raise Refusal(400, f"{len(spec):,} runs; {here.settings.max_sweep_runs:,} is the most here.")
    submission.check_work(here.store, spec, here.settings.max_sweep_jobs)
    asked = SweepQuestion(spec, sweep.status.name, tuple(sweep.status.workloads))
    further, is_new = submission.accept(here.store, here.queue, asked, _quota(here.settings))
    return jsonify({**sweep_answers.short(further), "precision": found.as_dict()}), 202 if is_new else 200


@blueprint.get("/api/sweeps/<sweep_id>.toml")
def toml(sweep_id: str) -> Response:
    """The sweep's file, which `shadowtime sweep` runs elsewhere with the same numbers."""
    sweep = context().store.sweeps.get(sweep_id)
    text = to_toml(sweep.spec, sweep.status.name, sweep.status.workloads)
    return _file(text.encode(), "application/toml", f"{sweep.id}.toml")


@blueprint.delete("/api/sweeps/<sweep_id>")
def delete(sweep_id: str) -> tuple[str, int]:
    """Delete a sweep, not its runs: 204; 409 until it has ended or was cancelled."""
    context().store.sweeps.delete(sweep_id)
    return "", 204


def _asked(settings: Settings) -> tuple[SweepQuestion, float]:
    """The sweep in the body of this request, and the seconds that it may take on one core."""
    if request.mimetype in TOML:
        sent: dict[str, Any] = {"toml": body.content().decode("utf-8-sig", "replace")}
    else:
        sent = {"question": body.json_object((*KEYS, "private", "group"))}
        if sent["question"].pop("private", False) or sent["question"].pop("group", None):
            raise Refusal(400, PUBLIC)
    understood = context().intake.ask("sweep", **sent)
    spec = SweepSpec.from_json(understood["spec"])
    submission.check_work(context().store, spec, settings.max_sweep_jobs)
    return SweepQuestion(spec, understood["name"], tuple(understood["workloads"])), understood["seconds"]


def _quota(settings: Settings) -> Quota:
    return Quota(visitors.here().client, settings.max_sweeps, settings.max_sweeps_site)


def _read(sweep_id: str) -> tuple[Sweep, Outcomes]:
    here = context()
    sweep = here.store.sweeps.get(sweep_id)
    return sweep, sweep_answers.known(here.store).get(sweep).outcomes


def _table(table: str, form: str, sweep_id: str) -> Response:
    sweep, outcomes = _read(sweep_id)
    content = written(columns(outcomes, sweep.status.workloads, table), form)
    return _file(content, MEDIA[form], f"{sweep.id}-{table}.{form}")


def _place(sweep: Sweep) -> str:
    return f"{sweep.status.accepted} {sweep.digest}"


def _step(step: Callable[..., Sweep], sweep_id: str) -> tuple[Response, int]:
    here = context()
    quota = (_quota(here.settings),) if step in (submission.resume, submission.retry) else ()
    sweep = step(here.store, here.queue, sweep_id, *quota)
    return jsonify(sweep_answers.listed(here.store, here.queue, sweep)), 202


for (_name, _form), _summary in TABLES.items():
    routes.add(blueprint, f"/api/sweeps/<sweep_id>/{_name}.{_form}", f"{_name}_{_form}", _summary, _table, _name, _form)
for _name, (_act, _summary) in STEPS.items():
    routes.add(blueprint, f"/api/sweeps/<sweep_id>/{_name}", _name, _summary, _step, _act, method="POST")


def _metric() -> str:
    name = request.args.get("metric", "")
    if not name:
        raise Refusal(400, "metric must be given: the name of one, as /api/metrics lists them.")
    return name


def _metrics() -> tuple[str, ...] | None:
    from shadowtime.dashboard.look.definitions import find_metric

    text = request.args.get("metrics")
    return None if text is None else tuple(find_metric(name.strip()).name for name in text.split(",") if name.strip())


def _goal(given: Mapping[str, Any]) -> extension.Goal:
    """The goal of a query or a body, whose numbers may be texts."""
    metric = given.get("metric")
    if not isinstance(metric, str) or not metric:
        raise Refusal(400, "metric must be given: the name of one, as /api/metrics lists them.")
    try:
        return extension.Goal(metric, float(given.get("until_width", 0.05)), int(given.get("budget", BUDGET)))
    except (TypeError, ValueError, OverflowError):
        raise Refusal(400, "until_width must be a share such as 0.05, and budget a whole number of seeds.") from None


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


def _file(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response
