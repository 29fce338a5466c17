"""POST /api/preview: what is known of a question before anything runs. Nothing is stored or queued."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.access import visibility
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body
from shadowtime.dashboard.api.context import context
from shadowtime.workers import submit

blueprint = Blueprint("preview", __name__)

QUESTION = (
    "workload", "generator", "parameters", "seed", "conversions", "platform", "estimates", "algorithms", "bounds",
    "private", "group",
)  # fmt: skip
PATIENCE = 60.0


@blueprint.post("/api/preview")
def preview() -> Response:
    """The jobs of a workload or generator with conversions applied, the machine, bounds, and who accepts it."""
    question = body.json_object(QUESTION)
    for name in ("workload", "generator", "estimates"):
        body.text(question, name)
    for name in ("parameters", "platform"):
        body.mapping(question, name)
    for name in ("conversions", "algorithms"):
        body.sequence(question, name)
    body.whole(question, "seed")
    for name in ("bounds", "private"):
        body.yes_no(question, name)
    if owner := visibility.owner_of(question):
        question["owner"] = owner
    if len(question.get("algorithms") or ()) > submit.MOST_TOGETHER:
        raise Refusal(400, f"{submit.MOST_TOGETHER} algorithms at a time is the most.")
    return jsonify(context().intake.ask("preview", question=question, timeout=PATIENCE))
