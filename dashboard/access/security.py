"""What every answer of the web process carries, and which requests are not of our own pages.

The content policy admits scripts of our own origin and, by their hash, the few inline ones that Dash and
Mantine put into the page (start of the renderer, browser callbacks, the colour scheme before first paint).
Inline *styles* are allowed, since Mantine, AG Grid and Plotly position things with them.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from urllib.parse import urlsplit

from flask import Flask, Request, Response

from shadowtime.dashboard.access import visitors
from shadowtime.workers.settings import Settings

POLICY = {
    "default-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def protect(server: Flask, page: Callable[[], str] | None = None) -> None:
    """Add the headers to every answer of `server`; `page` gives the HTML whose inline scripts are ours."""

    @cache
    def policy() -> str:
        if page is None:
            return content_policy([])
        with server.test_request_context("/"):  # never the request's own page: nothing in an address is ours
            return content_policy(inline_scripts(page()))

    @server.after_request
    def add_headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", policy())
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def content_policy(scripts: list[str]) -> str:
    """The policy that runs our own files and exactly these inline `scripts`."""
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts]
    rules = {**POLICY, "script-src": " ".join(["'self'", *dict.fromkeys(hashes)])}
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def inline_scripts(html: str) -> list[str]:
    """Texts of the inline scripts of a page that a browser would run, in order."""
    reader = _Scripts()
    reader.feed(html)
    return reader.texts


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        runs = (given.get("type") or "text/javascript").lower().endswith(("javascript", "module"))
        self.inside = tag == "script" and "src" not in given and runs
        if self.inside:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.inside = False


def foreign(request: Request, settings: Settings) -> str | None:
    """Return the refusal of a request from another site's page; None for our own pages."""
    origin = request.headers.get("Origin")
    if origin and urlsplit(origin).netloc.lower() not in _names(request, settings):
        return f"A page of {origin[:80]} may not write here."
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return "A page of another site may not write here."
    return None


def misdirected(request: Request, settings: Settings) -> str | None:
    """A name that is not ours leads here: the sentence for it.

    A page of another site whose name was made to lead to this machine (DNS rebinding) is of our origin to a browser;
    by the name that it asked for it is known.
    """
    if not settings.hosts or _without_port(request.host) in settings.hosts:
        return None
    return f"This server is not {request.host[:80]}. If it is meant to be, SHADOWTIME_HOSTS has to say so."


def _names(request: Request, settings: Settings) -> set[str]:
    """What pages of ours call this server: the name that was asked for, also of a proxy before us."""
    names = {request.host.lower()}
    if visitors.is_trusted(request.remote_addr or "", settings):
        said = request.headers.get("X-Forwarded-Host", "")
        names |= {said.rpartition(",")[2].strip().lower()} - {""}
    return names


def _without_port(host: str) -> str:
    return re.sub(r":\d{1,5}$", "", host).lower()
