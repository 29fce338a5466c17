"""Runs: queued, listed, looked at, cancelled, deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access import visibility, visitors
from shadowtime.dashboard.access.guard import Guarded
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import answers, body
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.live import MOST_RUNS, run_ids
from shadowtime.dashboard.intake.understood import key_of, words_of
from shadowtime.dashboard.sharing import urls
from shadowtime.workers import submit
from shadowtime.workers.admission import limits_of
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Run
from shadowtime.workers.store.base import SORTS, STATES

blueprint = Blueprint("runs", __name__)


@blueprint.post("/api/runs")
def ask() -> tuple[Response, int]:
    """Queue a question: 202; the same again is found: 200; one that failed or was cancelled is queued again: 202.

    With several `algorithms` in place of one, all are queued or none, and the answer lists them as `runs`.
    """
    here = context()
    question = body.json_object((*submit.KEYS, "algorithms"), needed=("workload",))
    if "algorithm" in question and "algorithms" in question:
        raise Refusal(400, "Either algorithm or algorithms must be given, not both.")
    if not ("algorithm" in question or "algorithms" in question):
        raise Refusal(400, "algorithm must be given, or algorithms for several.")
    body.whole(question, "seed")
    owner = visibility.owner_of(question)
    key = key_of(here.store, question)
    words = words_of(key, owner)
    if words and (stored := _stored(here.store, here.store.asked.find(words))):
        return jsonify(_accepted(question, stored)), 200
    asked = []
    for understood in here.understood.runs(key, question):
        spec = RunSpec.from_json(understood["spec"])
        if owner is not None:
            spec, owner = submit.private(here.store, spec, owner)
        asked.append((spec, understood["jobs"]))
    is_new = submit.admit_all(
        here.store,
        here.queue,
        asked,
        priority=question.get("priority"),
        client=visitors.here().client,
        limits=limits_of(here.settings),
        owner=owner,
        words=words,
    )
    return jsonify(_accepted(question, [spec.id for spec, _ in asked])), 202 if any(is_new) else 200


def _stored(store: Guarded, digests: list[str]) -> list[str]:
    """Return the ids of these runs if all are finished and whole; else none."""
    try:
        found = [store.runs.get(digest) for digest in digests]
    except LookupError:
        return []
    return [run.id for run in found] if all(run.status.is_finished for run in found) else []


def _accepted(question: dict[str, Any], ids: Sequence[str]) -> dict[str, Any]:
    runs = [{"id": run_id, "url": urls.run(run_id)} for run_id in ids]
    return {"runs": runs} if "algorithms" in question else runs[0]


@blueprint.get("/api/runs")
def listing() -> Response:
    """Runs, filtered by `status`, `algorithm`, `workload` and `q`; `next` leads to those after them.

    Newest first, or by `sort`, greatest first unless `ascending`.

    With `ids` instead, these runs, as far as they are known.
    """
    limit = body.parameter("limit", 50, 1, MOST_RUNS)
    if "ids" in request.args:
        return jsonify(runs=list(_known(request.args["ids"])), next=None)
    page = context().store.runs.list(
        status=_states(request.args.get("status", "")),
        algorithm=request.args.get("algorithm") or None,
        workload=request.args.get("workload") or None,
        text=request.args.get("q", "")[:200],
        limit=limit,
        after=request.args.get("after") or None,
        sort=_order(request.args.get("sort", SORTS[0])),
        ascending=body.switch("ascending"),
    )
    return jsonify(runs=list(_told(page.rows)), next=page.next)


@blueprint.get("/api/runs/<run_id>")
def one(run_id: str) -> Response:
    """How a run stands, its question, and its summary once it is finished."""
    runs = context().store.runs
    try:
        return jsonify(answers.run_in_full(runs.get(run_id)))
    except Damaged:  # from now on it counts as failed, with the reason
        return jsonify(answers.run_in_full(runs.get(run_id)))


@blueprint.post("/api/runs/<run_id>/cancel")
def cancel(run_id: str) -> tuple[Response, int]:
    """Take a run back: 202; 409 when it has ended."""
    here = context()
    submit.cancel(here.store, here.queue, run_id)
    return jsonify(answers.changed(here.store.runs.get(run_id))), 202


@blueprint.patch("/api/runs/<run_id>")
def mark(run_id: str) -> Response:
    """Change title, tags, notes or star of a run; they are no part of its configuration."""
    runs = context().store.runs
    runs.check_change(run_id)  # before the body is read
    runs.mark(run_id, body.json_object(("title", "tags", "notes", "starred")))
    return jsonify(answers.changed(runs.get(run_id)))


@blueprint.delete("/api/runs/<run_id>")
def delete(run_id: str) -> tuple[str, int]:
    """Delete a run with its tables: 204; 409 while it is queued or running."""
    context().store.runs.delete(run_id)
    return "", 204


def _known(text: str) -> Iterator[dict[str, Any]]:
    for reference in run_ids(text):
        with suppress(NotFound):
            yield answers.run(context().store.runs.get(reference))


def _told(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """Runs as they are listed, without those that are deleted meanwhile."""
    for run in runs:
        with suppress(NotFound):
            yield answers.run(run)


def _order(name: str) -> str:
    if name not in SORTS:
        raise Refusal(400, f"sort = {name[:40]!r}, but it must be one of {', '.join(SORTS)}.")
    return name


def _states(text: str) -> list[str]:
    states = [state.strip().lower() for state in text.split(",") if state.strip()]
    for state in states:
        if state not in STATES:
            raise Refusal(400, f"status = {state[:40]!r}, but it must be one of {', '.join(STATES)}.")
    return states
