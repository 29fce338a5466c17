"""Who may read, and who may write: checked before every request, whatever its route.

What changes something is every request but GET, HEAD and OPTIONS, unless its endpoint is named in READING: a route
that is added is guarded without a change here.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from shadowtime.dashboard.access import security, visitors
from shadowtime.dashboard.access.credentials import Credentials, bearer
from shadowtime.dashboard.access.visitors import Visitor
from shadowtime.dashboard.api.errors import is_api, refuse
from shadowtime.dashboard.api.turns import Pace
from shadowtime.workers.errors import TooMuch
from shadowtime.workers.people import MANAGE, READ, SUBMIT
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
READING = frozenset({"preview.preview", "sweeps.preview", "viewer.sites.forms", "/_dash-update-component"})
"""Endpoints that are sent a question, but keep nothing."""
FREE = frozenset({"session.enter", "session.leave", "session.leave_one", "session.leave_all"})
"""Endpoints that change nothing but the visitor's own sessions."""
SUBMITTING = frozenset({
    "example.run", "links.again", "links.make", "papers.again", "runs.ask", "sweeps.ask", "sweeps.extend",
    "workloads.add", "workloads.columns",
})  # fmt: skip
"""Endpoints for which the scope `submit` is enough; all others that change something need `manage`."""
OWN = frozenset({"session.me", "session.listing"})
"""Endpoints that need no scope: they are about the visitor."""
GUESSES = 10
"""Wrong tokens of a client in a minute."""
TOKEN_NEEDED = "Writing needs a token, in the header Authorization: Bearer TOKEN."
UNNAMED = "You may read here. To write, send requests through the proxy, which names the user."
READ_ONLY = "You may read here, {name}, but not write: SHADOWTIME_EDITORS does not list you."


def install(server: Flask, settings: Settings, store: Store) -> Credentials:
    """Check every request to `server`; return the tokens and sessions that it takes."""
    credentials = visitors.install(server, settings, store)
    guesses = Pace(GUESSES, "wrong tokens")

    @server.before_request
    def may() -> Response | None:
        _limit_guesses(guesses, settings, credentials)
        if stranger := security.misdirected(request, settings):
            return _refused(403, stranger)
        if request.method not in SAFE and (foreign := security.foreign(request, settings)):
            return _refused(403, foreign)
        scope = needed_scope()
        if scope is None or scope in visitors.here().scopes:
            return None
        return _beyond_scopes(visitors.here(), scope, settings)

    @server.after_request
    def keep_to_them(response: Response) -> Response:
        """What is not for everybody is kept by no cache: a link by which it was seen may be revoked."""
        if g.get("is_private"):
            response.headers["Cache-Control"] = "no-store"
        elif response.mimetype == "text/html" or request.path == "/_dash-layout":
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return credentials


def _limit_guesses(guesses: Pace, settings: Settings, credentials: Credentials) -> None:
    """Look at no token of a client that has sent too many wrong ones: then a right one is no different from them.

    Raises TooMuch: for the header `Authorization`. A cookie is not counted: it holds 256 random bits, which no one
    guesses, and a browser sends one that has expired with every request.
    """
    token = bearer(request)
    if not credentials.takes(token):
        return
    blind = visitors.of(request, settings, is_blind=True)
    try:
        guesses.check(blind.client)
        if credentials.token(token) is None:
            guesses.take(blind.client)
    except TooMuch:
        g.visitor = blind
        raise


def needed_scope() -> str | None:
    """Return the scope that the current request needs; None where it needs none. Pages and files need none: what they
    show of runs is asked for below /api and by Dash's callbacks."""
    if changes():
        return None if request.endpoint in FREE else SUBMIT if request.endpoint in SUBMITTING else MANAGE
    is_asked = request.path.startswith("/api/") or request.endpoint in READING
    return READ if is_asked and request.endpoint not in OWN else None


def changes() -> bool:
    """Return whether the current request changes something."""
    return request.method not in SAFE and request.endpoint not in READING


def _beyond_scopes(visitor: Visitor, scope: str, settings: Settings) -> Response:
    if visitor.credential is not None:
        has = " and ".join(sorted(visitor.scopes)) or "none"
        what = "session" if visitor.session else "token"
        return _refused(403, f"This needs the scope {scope}, but this {what} has only {has}.")
    if settings.access == "token":
        response = _refused(401, TOKEN_NEEDED)
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    return _refused(403, READ_ONLY.format(name=visitor.name) if visitor.name else UNNAMED)


def _refused(status: int, sentence: str) -> Response:
    """JSON for scripts, the bare sentence for people."""
    return refuse(status, sentence) if is_api() else Response(sentence, status, mimetype="text/plain")
