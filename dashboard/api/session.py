"""The visitor and their sessions: a browser shows a token once, and keeps a random id that no script can read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request

from shadowtime.dashboard.access import own, visitors
from shadowtime.dashboard.access.credentials import HOST, Credential
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.turns import Pace
from shadowtime.workers.errors import Conflict
from shadowtime.workers.people import READ, SCOPES
from shadowtime.workers.records.sessions import Session
from shadowtime.workers.records.tokens import Token

TRIES = 10
"""Of a client in a minute."""


def blueprint() -> Blueprint:
    """The routes, with their own count of tries."""
    routes = Blueprint("session", __name__)
    tries = Pace(TRIES, "tries")

    @routes.get("/api/me")
    def me() -> Response:
        """The visitor: name, role, scopes, groups, how write access is checked, and whether runs may be private."""
        return _unkept(jsonify(described()))

    @routes.post("/api/session")
    def enter() -> Response:
        """Show a token: 200, with a cookie that holds a new session of this browser; 401 for another token."""
        credentials = visitors.credentials()
        if not credentials.are_there():
            raise Conflict("this server has no token: SHADOWTIME_TOKEN is not set, and none was created")
        given = body.text(body.json_object(("token",), needed=("token",)), "token") or ""
        tries.take(visitors.here().client)
        credential = credentials.token(given)
        if credential is None:
            raise Refusal(401, "That is not a token of this server.")
        if READ not in credential.scopes:
            raise Refusal(403, f"A browser needs the scope {READ}, which this token does not have.")
        return open_session(credential)

    @routes.delete("/api/session")
    def leave() -> Response:
        """Sign out in this browser: 204. The session ends, and its cookie is deleted."""
        own.leave()
        return _forgetting()

    @routes.get("/api/sessions")
    def listing() -> Response:
        """Return the visitor's own sessions and tokens, newest first."""
        current = visitors.here().session
        sessions = [described_session(session, current) for session in own.sessions()]
        return _unkept(jsonify(sessions=sessions, tokens=[described_token(token) for token in own.tokens()]))

    @routes.delete("/api/sessions")
    def leave_all() -> Response:
        """Sign out everywhere: 204. All own sessions end, also that of this browser."""
        own.end_all()
        return _forgetting()

    @routes.delete("/api/sessions/<session_id>")
    def leave_one(session_id: str) -> tuple[str, int]:
        """End one of the visitor's own sessions: 204."""
        own.end(session_id)
        return "", 204

    return routes


def open_session(credential: Credential, response: Response | None = None) -> Response:
    """Open a session and return the response, or a description of the session, with the cookie."""
    secret, session = visitors.credentials().open(credential, request.headers.get("User-Agent", ""))
    visitors.note(who=credential.person, source=credential.source.partition(":")[0], session=session.id)
    response = response or jsonify(**described_session(session, session.id))
    _set_cookie(response, secret)
    return _unkept(response)


def _set_cookie(response: Response, secret: str) -> None:
    """Give a browser the secret of its session, in a cookie that no script can read."""
    name = visitors.credentials().cookie(request)
    lasts = timedelta(days=context().settings.session_days)
    response.set_cookie(name, secret, lasts, path="/", httponly=True, samesite="Lax", secure=name.startswith(HOST))


def described() -> dict[str, object]:
    """Describe the visitor."""
    visitor = visitors.here()
    return {
        "name": visitor.name,
        "role": visitor.role,
        "access": context().settings.access,
        "private": visitor.is_editor and visitor.owner is not None,
        "scopes": [scope for scope in SCOPES if scope in visitor.scopes],
        "groups": list(visitor.groups),
    }


def described_session(session: Session, current: str) -> dict[str, Any]:
    """Describe a session; `current` is the id of that of this browser."""
    return {
        "id": session.id,
        "created": session.created,
        "used": session.used,
        "expires": session.expires,
        "agent": session.agent,
        "scopes": list(session.scopes),
        "current": session.id == current,
    }


def described_token(token: Token) -> dict[str, Any]:
    """Describe a token; the token itself is not known."""
    return {
        "id": token.id,
        "scopes": list(token.scopes),
        "groups": list(token.groups),
        "created": token.created,
        "expires": token.expires,
        "used": token.used,
    }


def _forgetting() -> Response:
    response = current_app.response_class(status=204)
    name = visitors.credentials().cookie(request)
    response.delete_cookie(name, path="/", httponly=True, samesite="Lax", secure=name.startswith(HOST))
    return response


def _unkept(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
