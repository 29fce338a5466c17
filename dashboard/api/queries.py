"""Refuse parameters of a query that its route does not have: a misspelled filter would silently select everything."""

from __future__ import annotations

from flask import Flask, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.access.visitors import LINK
from shadowtime.dashboard.api.openapi import OPERATIONS


def install(server: Flask) -> None:
    """Check what is read below /api against `OPERATIONS`; routes without parameters take no notice of any."""
    server.before_request(_check)


def _check() -> None:
    if not request.args or request.url_rule is None or not request.path.startswith("/api/"):
        return
    operation = OPERATIONS.get(f"get {request.url_rule.rule}") if request.method in ("GET", "HEAD") else None
    names = [one["name"] for one in operation.query] if operation else []
    if not names:
        return
    for name, values in request.args.lists():
        if name not in (*names, LINK):
            raise Refusal(400, f"unknown parameter {name[:80]!r} of the query; known: {', '.join(names)}")
        if len(values) > 1:
            raise Refusal(400, f"{name} is given {len(values)} times, but it must be given once.")
