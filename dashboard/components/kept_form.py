"""The form of a new run as text: in a link, and in the browser, which keeps it for back and reload (`kept-form.js`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.components.question import GENERATOR, TRACE, Form
from shadowtime.engine import registry as policies
from shadowtime.engine.registry import conversions, generators

LONGEST = 60_000
"""Letters of a text that is read: all parameters of all algorithms are a quarter of that."""


def form_of(text: str) -> Form:
    """Return the form of a text; what cannot be read of it is as in an empty form."""
    try:
        said = json.loads(text) if len(text) <= LONGEST else {}
    except (ValueError, RecursionError):
        said = {}
    said = said if isinstance(said, dict) else {}
    trace, slug = _mapping(said, "trace"), str(said.get("generator", ""))
    known = policies.algorithms(variants=True)
    return Form(
        kind=GENERATOR if said.get("kind") == GENERATOR else TRACE,
        trace=trace if isinstance(trace.get("id"), str) else None,
        generator=slug if slug in generators() else "",
        drawn=_mapping(said, "drawn"),
        steps=[
            {"name": step["name"], "parameters": _mapping(step, "parameters")}
            for step in _list(said, "steps")
            if isinstance(step, dict) and isinstance(step.get("name"), str) and step["name"] in conversions()
        ]
        or (),
        machine=_mapping(said, "machine"),
        estimates="actual" if said.get("estimates") == "actual" else None,
        seed=said.get("seed") if isinstance(said.get("seed"), str | int) else 0,
        chosen=tuple(one for one in _list(said, "chosen") if isinstance(one, str) and one in known),
        parameters={
            owner: values for owner, values in _mapping(said, "parameters").items() if isinstance(values, dict)
        },
        private=said.get("private") is True,
        group=group if isinstance(group := said.get("group"), str) else "",
    )


def _mapping(said: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = said.get(name)
    return value if isinstance(value, dict) else {}


def _list(said: Mapping[str, Any], name: str) -> list[Any]:
    value = said.get(name)
    return value if isinstance(value, list) else []
