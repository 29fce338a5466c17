"""What every answer of the web process carries, and which requests are not of our own pages.

The content policy admits scripts of our own origin and, by their hash, the few inline ones of a page (start of the
renderer, the colour scheme before first paint).
Inline *styles* are allowed, since Mantine, AG Grid and Plotly position things with them.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cache
from urllib.parse import urlsplit

from flask import Flask, Request, Response

from shadowtime.dashboard.access.addresses import is_trusted
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


def protect(
    server: Flask, scripts: Callable[[], Sequence[str]] = tuple, framing: Callable[[], Sequence[str]] = tuple
) -> None:
    """Add the headers to every answer of `server`.

    Parameters
    ----------
    scripts
        Returns the hashes of our inline scripts.
    framing
        Returns the origins whose pages may show the answer to the current request in a frame; none by default.
    """

    @cache
    def policy(origins: tuple[str, ...] = ()) -> str:
        return content_policy(scripts(), origins)

    @server.after_request
    def add_headers(response: Response) -> Response:
        origins = tuple(framing())
        response.headers.setdefault("Content-Security-Policy", policy(origins))
        for name, value in HEADERS.items():
            if name != "X-Frame-Options" or not origins:  # it knows no list of origins
                response.headers.setdefault(name, value)
        return response


def content_policy(hashes: Sequence[str], framers: Sequence[str] = ()) -> str:
    """The policy that runs our own files and exactly the inline scripts with these `hashes`.

    Pages of the origins `framers` may show the answer in a frame; else no page may.
    """
    rules = {**POLICY, "script-src": " ".join(["'self'", *dict.fromkeys(hashes)])}
    if framers:
        rules["frame-ancestors"] = " ".join(framers)
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def hashed(script: str) -> str:
    """Return the hash of an inline script as a content policy names it; `Dash.csp_hashes` gives those of Dash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def foreign(request: Request, settings: Settings) -> str | None:
    """Return the refusal of a request from another site's page; None for our own pages."""
    origin = request.headers.get("Origin")
    if origin and _host_of(origin) not in _names(request, settings) - {""}:
        return f"A page of {origin[:80]} may not write here."
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return "A page of another site may not write here."
    return None


def misdirected(request: Request, settings: Settings) -> str | None:
    """A name that is not ours leads here: the sentence for it.

    A page of another site whose name was made to lead to this machine (DNS rebinding) is of our origin to a browser;
    the name in its request gives it away.
    """
    if not settings.hosts or _without_port(request.host) in settings.hosts:
        return None
    return f"This server does not answer as {request.host[:80]}. If it should, add that name to SHADOWTIME_HOSTS."


def _names(request: Request, settings: Settings) -> set[str]:
    """Names under which our own pages reach this server: that of the request, and that from a proxy before us."""
    names = {request.host.lower()}
    if is_trusted(request.remote_addr or "", settings):
        said = request.headers.get("X-Forwarded-Host", "")
        names |= {said.rpartition(",")[2].strip().lower()} - {""}
    return names


def _host_of(origin: str) -> str:
    """Return host and port of an origin; empty for a text that is none, such as `http://[`."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _without_port(host: str) -> str:
    return re.sub(r":\d{1,5}$", "", host).lower()
