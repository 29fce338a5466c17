"""Who may write: whoever can reach this server, or with SHADOWTIME_TOKEN set, whoever knows it."""

from __future__ import annotations

from flask import Flask, Response, request

from dashboard import security
from dashboard.api.errors import is_api, refuse

READING = frozenset({"preview.preview", "sweeps.preview"})
"""Endpoints that are sent a question, but keep nothing."""


def install(server: Flask, token: str) -> None:
    """Check every request of the API that would change something."""

    @server.before_request
    def may_write() -> Response | None:
        if not is_api() or request.method not in security.WRITING or request.endpoint in READING:
            return None
        if foreign := security.foreign(request):
            return refuse(403, foreign)
        if token and not security.knows(request, token):
            response = refuse(401, security.TOKEN_NEEDED)
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        return None
