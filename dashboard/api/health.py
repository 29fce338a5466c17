"""GET /healthz: whether this installation can do its work."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.api.context import context

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def health() -> tuple[Response, int]:
    """200, or 503 with the same body when Redis or the store is away; workers that are gone are only counted."""
    here = context()
    queue, store = here.queue.health(), here.store.check()
    is_well = queue.redis and store
    status = "ok" if is_well else "degraded"
    answer = jsonify(status=status, redis=queue.redis, workers=queue.workers, store=store)
    return answer, 200 if is_well else 503
