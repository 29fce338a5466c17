"""What a browser may keep of an answer, and how it asks whether that still holds.

- An address that holds a digest or the number of an encoding is kept for ever: its content never changes.
- Pieces of a finished run are kept for a day: only another version of this program would draw them otherwise.
- All else is asked for again each time, by the ETag of its content. A page has none: Dash writes another number into
  each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from flask import Flask, Response, request

from shadowtime.workers.version import sources_version

FOREVER = "private, max-age=31536000, immutable"
FOR_A_DAY = "private, max-age=86400"
ASK = "private, no-cache"
MOST = 16_000_000
"""Bytes of an answer whose content is hashed."""


def install(server: Flask) -> None:
    """Give each answer to a GET, and to the HEAD of it, an ETag of its content, unless it has one, is a stream or is
    kept by no cache."""

    @server.after_request
    def tag(response: Response) -> Response:
        if request.method not in ("GET", "HEAD") or response.status_code != 200:
            return response
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", ASK)
        is_page = response.mimetype == "text/html" and not request.path.startswith("/api/")
        if is_page or response.cache_control.no_store or response.direct_passthrough:
            return response
        if not response.get_etag()[0]:
            if not response.is_sequence or (response.content_length or 0) > MOST:
                return response
            response.add_etag()
        response.make_conditional(request)
        return response


def tag_of(digests: Iterable[str]) -> str:
    """Return the ETag of what this program makes at the current address of contents with these digests."""
    found = hashlib.sha256(f"{sources_version()}\n{request.full_path}\n".encode())
    for digest in digests:
        found.update(f"{digest}\n".encode())
    return found.hexdigest()[:32]


def is_known(tag: str) -> bool:
    """Return whether the client has the content with that ETag: then nothing needs to be made."""
    return request.if_none_match.contains(tag)


def unchanged(tag: str) -> Response:
    """Return the answer to a client that has the content already."""
    response = Response(status=304)
    response.set_etag(tag)
    response.headers["Cache-Control"] = ASK
    return response
