"""What every route works with."""

from __future__ import annotations

from flask import current_app

from shadowtime.dashboard.context import EXTENSION, Context


def context() -> Context:
    """That of the server that answers this request."""
    return current_app.extensions[EXTENSION]
