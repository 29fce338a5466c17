"""The visitor, and how a browser sends the token: once, then as a cookie that no script can read."""

from __future__ import annotations

from urllib.parse import quote

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.turns import Pace
from shadowtime.workers.errors import Conflict

A_YEAR = 365 * 24 * 3600
TRIES = 10
"""Of a client in a minute."""


def blueprint() -> Blueprint:
    """The routes, with their own count of tries."""
    routes = Blueprint("session", __name__)
    tries = Pace(TRIES, "tries")

    @routes.get("/api/me")
    def me() -> Response:
        """The visitor: name behind a proxy, role, how write access is checked, and whether runs may be private."""
        response = jsonify(described())
        response.headers["Cache-Control"] = "no-store"
        return response

    @routes.post("/api/session")
    def enter() -> Response:
        """Show the token: 200, with a cookie for later requests of this browser; 401 for another one."""
        token = context().settings.token
        if not token:
            raise Conflict("this server has no token: SHADOWTIME_TOKEN is not set")
        given = body.text(body.json_object(("token",), needed=("token",)), "token") or ""
        tries.take(visitors.here().client)
        if not visitors.is_token(given, token):
            raise Refusal(401, "That is not the token of this server.")
        response = jsonify(ok=True)
        response.set_cookie(
            visitors.COOKIE, quote(token), A_YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )
        return response

    @routes.delete("/api/session")
    def leave() -> tuple[str, int, dict[str, str]]:
        """Delete the token's cookie in this browser: 204."""
        gone = Response()
        gone.delete_cookie(visitors.COOKIE)
        return "", 204, {"Set-Cookie": gone.headers["Set-Cookie"]}

    return routes


def described() -> dict[str, object]:
    """Describe the visitor."""
    visitor = visitors.here()
    access = context().settings.access
    return {
        "name": visitor.name,
        "role": visitor.role,
        "access": access,
        "private": visitor.is_editor and visitor.owner is not None,
    }
