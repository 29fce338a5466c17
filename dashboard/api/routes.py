"""Register views that differ in a value alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint
from flask.typing import ResponseReturnValue


def add(
    blueprint: Blueprint,
    rule: str,
    endpoint: str,
    summary: str,
    view: Callable[..., ResponseReturnValue],
    *values: Any,
    method: str = "GET",
) -> None:
    """Route a rule to `view(*values, **arguments of the path)`; the API's description shows the summary."""
    bound = partial(view, *values)
    bound.__doc__ = summary
    blueprint.add_url_rule(rule, endpoint, bound, methods=[method])
