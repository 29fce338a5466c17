"""Signing in by the identity provider: two addresses that a browser opens, before and after the provider's own."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, make_response, redirect, request, url_for

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.addresses import origin_of
from shadowtime.dashboard.access.provider import Provider
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.session import open_session
from shadowtime.dashboard.api.turns import Pace
from shadowtime.workers.errors import TooMuch

TRIES = 30
"""Of a client in a minute."""
NOT_SET = "This server has no identity provider: SHADOWTIME_OIDC_ISSUER is not set."


def blueprint(provider: Provider | None) -> Blueprint:
    """The routes; without a provider they refuse."""
    routes = Blueprint("sign-in", __name__)
    tries = Pace(TRIES, "sign-ins")

    @routes.get("/sign-in")
    def begin() -> Response:
        """Redirect to the identity provider; `next`: the path to show afterwards, else that of the page before."""
        known = _take(provider)
        callback = f"{origin_of(request, context().settings)}{url_for('sign-in.end')}"
        return known.begin(callback, request.args.get("next") or _page_before())

    @routes.get("/sign-in/done")
    def end() -> Response:
        """Take the provider's answer, open a session, and show the page that was asked for."""
        credential, back = _take(provider).end()
        return open_session(credential, make_response(redirect(back)))

    @routes.errorhandler(Refusal)
    def refused(refusal: Refusal) -> Response:
        return _text(refusal.sentence, refusal.status)

    @routes.errorhandler(TooMuch)
    def too_many(error: TooMuch) -> Response:
        return _text(str(error), 429)

    def _take(provider: Provider | None) -> Provider:
        if provider is None:
            raise Refusal(404, NOT_SET)
        tries.take(visitors.here().client)
        return provider

    return routes


def _page_before() -> str:
    """Return the path of our own page from which the visitor came; that of the first page without one."""
    try:
        before = urlsplit(request.headers.get("Referer", ""))
    except ValueError:  # such as `http://[`
        return "/"
    if f"{before.scheme}://{before.netloc}" != origin_of(request, context().settings):
        return "/"
    return f"{before.path}?{before.query}" if before.query else before.path


def _text(sentence: str, status: int) -> Response:
    response = Response(sentence, status, mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response
