"""Who may read, and who may write: checked before every request, whatever its route.

What changes something is every request but GET, HEAD and OPTIONS, unless its endpoint is named in READING: a route
that is added is guarded without a change here.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from shadowtime.dashboard.access import security, visitors
from shadowtime.dashboard.access.visitors import Visitor
from shadowtime.dashboard.api.errors import is_api, refuse
from shadowtime.dashboard.api.turns import Pace
from shadowtime.workers.errors import TooMuch
from shadowtime.workers.settings import Settings

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
READING = frozenset({"preview.preview", "sweeps.preview", "viewer.sites.forms", "/_dash-update-component"})
"""Endpoints that are sent a question, but keep nothing."""
FREE = frozenset({"session.enter", "session.leave"})
"""Endpoints that change nothing but the browser's own cookies."""
GUESSES = 10
"""Wrong tokens of a client in a minute."""
TOKEN_NEEDED = "Writing needs the token of this server, in the header Authorization: Bearer TOKEN."
UNNAMED = "You may read here. To write, ask through the proxy, which has to say who you are."
READ_ONLY = "You may read here, {name}, but not write: SHADOWTIME_EDITORS does not name you."


def install(server: Flask, settings: Settings) -> None:
    """Check every request to `server`."""
    visitors.install(server, settings)
    guesses = Pace(GUESSES, "wrong tokens")

    @server.before_request
    def may() -> Response | None:
        _limit_guesses(guesses, settings)
        if stranger := security.misdirected(request, settings):
            return _refused(403, stranger)
        if request.method in SAFE:
            return None
        if foreign := security.foreign(request, settings):
            return _refused(403, foreign)
        visitor = visitors.here()
        if visitor.is_editor or not changes() or request.endpoint in FREE:
            return None
        return _not_an_editor(visitor, settings)

    @server.after_request
    def keep_to_them(response: Response) -> Response:
        """What is not for everybody is kept by no cache: a link by which it was seen may be revoked."""
        if g.get("is_private"):
            response.headers["Cache-Control"] = "no-store"
        elif response.mimetype == "text/html" or request.path == "/_dash-layout":
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


def _limit_guesses(guesses: Pace, settings: Settings) -> None:
    """Look at no token of a client that has sent too many wrong ones: then a right one is no different from them.

    Raises TooMuch: for the header `Authorization`. A browser with an old cookie goes on reading.
    """
    token = visitors.given(request)
    if not settings.token or not token:
        return
    blind = visitors.of(request, settings, is_blind=True)
    try:
        guesses.check(blind.client)
        if not visitors.is_token(token, settings.token):
            guesses.take(blind.client)
    except TooMuch:
        g.visitor = blind
        if "Authorization" in request.headers:
            raise


def changes() -> bool:
    """Return whether the current request changes something."""
    return request.method not in SAFE and request.endpoint not in READING


def _not_an_editor(visitor: Visitor, settings: Settings) -> Response:
    if settings.access == "token":
        response = _refused(401, TOKEN_NEEDED)
        response.headers["WWW-Authenticate"] = "Bearer"
        return response
    return _refused(403, READ_ONLY.format(name=visitor.name) if visitor.name else UNNAMED)


def _refused(status: int, sentence: str) -> Response:
    """JSON for scripts, the bare sentence for people."""
    return refuse(status, sentence) if is_api() else Response(sentence, status, mimetype="text/plain")
