"""Every refusal of /api is JSON with one sentence; an unexpected error is a sentence too, its traceback in the log."""

from __future__ import annotations

import logging
import math

from flask import Flask, Response, current_app, jsonify, request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from shadowtime.dashboard.access.refusal import Refusal, no_room, status_of
from shadowtime.dashboard.api.context import context
from shadowtime.engine.errors import EngineError, one_line
from shadowtime.workers.errors import TooMuch

log = logging.getLogger(__name__)

SENTENCES = {
    400: "The request could not be read.",
    413: "The body is larger than this server accepts.",
    415: "Send JSON, or a file as multipart/form-data.",
    500: "Something went wrong here. The log of the web process says what.",
}

AWAY = "The folder of the store does not answer: nothing was kept."
NOTHING = "There is nothing at {path}; /api/openapi.json lists all routes."
METHODS = ("GET", "POST", "PATCH", "DELETE")
PATHS = "shadowtime.paths"
"""Under which a Flask server holds its rules as texts."""
BESIDE = ("/healthz", "/metrics")
"""Routes for machines that do not stand below /api."""


def install(server: Flask) -> None:
    """JSON for all errors below /api, at /healthz and at /metrics; other paths keep the server's own.

    Dash answers any path with the page itself, which below /api would be a wrong answer.
    """
    server.before_request(_no_page)
    server.register_error_handler(Refusal, _refused)
    server.register_error_handler(EngineError, _engine)
    server.register_error_handler(OSError, _disk)
    server.register_error_handler(ParseException, _unreadable)  # gunicorn parses chunks as the application reads them
    server.register_error_handler(HTTPException, _http)


def refuse(status: int, sentence: str, retry_after: float = 3.0) -> Response:
    """`{"error": sentence}` with that status; where waiting helps, for how many seconds."""
    response = jsonify(error=one_line(sentence))
    response.status_code = status
    if status in (429, 503):
        response.headers["Retry-After"] = f"{math.ceil(retry_after)}"
    return response


def is_api() -> bool:
    """This request is a script's, or that of the pages' own code."""
    return request.path.startswith("/api/") or request.path in ("/api", *BESIDE)


def _refused(refusal: Refusal) -> Response:
    return refuse(refusal.status, refusal.sentence)


def _engine(error: EngineError) -> Response:
    status = status_of(error)
    if status is None:
        raise error  # Flask logs it, and comes back to `_http` with 500
    return refuse(status, str(error), error.retry_after) if isinstance(error, TooMuch) else refuse(status, str(error))


def _disk(error: OSError) -> Response:
    refusal = no_room(error)
    if refusal is None and not context().store.check():
        refusal = Refusal(503, AWAY)
    if refusal is None:
        raise error
    log.warning("%s %s: %s", request.method, request.path[:120], error)
    return _refused(refusal)


def _unreadable(_: Exception) -> Response:
    return refuse(400, SENTENCES[400])


def _no_page() -> Response | None:
    """Refuse what is below /api, but no route of ours."""
    if not is_api() or (request.url_rule is not None and _is_meant(request.url_rule)):
        return None
    return _nowhere()


def _nowhere() -> Response:
    """404, or 405 where another method leads somewhere."""
    methods = [method for method in METHODS if _leads(method)]
    if not methods:
        return refuse(404, NOTHING.replace("{path}", request.path[:120]))
    allowed = ", ".join(methods)
    response = refuse(405, f"{request.path[:120]} does not take {request.method}; it takes {allowed}.")
    response.headers["Allow"] = allowed
    return response


def _leads(method: str) -> bool:
    """There is a route of ours for this path and `method`."""
    adapter = current_app.create_url_adapter(request)
    assert adapter is not None
    try:
        rule, _ = adapter.match(method=method, return_rule=True)
    except HTTPException:
        return False
    return _is_meant(rule)


def _is_meant(rule: Rule) -> bool:
    """A route of ours, and none that takes the last word of another one's path (`/api/sweeps/preview`) for an id."""
    return _is_ours(rule.rule) and not (rule.arguments and request.path in _paths())


def _paths() -> frozenset[str]:
    """Return all rules as texts: a path without an argument is its rule. They are collected once, as all of ours are
    there before the first request (115 rules took a tenth of a short answer's time)."""
    kept = current_app.extensions
    if PATHS not in kept:
        kept[PATHS] = frozenset(rule.rule for rule in current_app.url_map.iter_rules())
    return kept[PATHS]


def _is_ours(rule: str) -> bool:
    return rule.startswith("/api/") or rule in BESIDE


def _http(error: HTTPException) -> Response | HTTPException:
    if not is_api() or error.response is not None or error.code is None:
        return error
    return refuse(error.code, SENTENCES.get(error.code) or error.description or error.name)
