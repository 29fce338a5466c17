"""The form of a new run as text: in a link, and in the browser, which keeps it for back and reload (`kept-form.js`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.components import fractional_form
from shadowtime.dashboard.components.parameter_form import default_input
from shadowtime.dashboard.components.question import GENERATOR, TRACE, Form
from shadowtime.engine import registry as policies
from shadowtime.engine.parameters import Parameter
from shadowtime.engine.registry import conversions, find_generator, generators
from shadowtime.engine.workload.generators.generator import SEED

LONGEST = 60_000
"""Letters of a text that is read: all parameters of all algorithms are a quarter of that."""


def text_of(form: Form) -> str:
    """Return the form as JSON, without what is as in an empty one; numbers stay as they were typed."""
    trace = form.trace or {}
    is_drawn = form.kind == GENERATOR
    said = {
        "kind": form.kind,
        "trace": {name: trace[name] for name in ("id", "name", "case") if trace.get(name)} if trace.get("id") else None,
        "generator": form.generator if is_drawn else "",
        "drawn": _changed((*find_generator(form.generator).parameters, SEED), form.drawn) if is_drawn else {},
        "steps": [dict(step) for step in form.steps],
        "machine": dict(form.machine),
        "estimates": form.estimates,
        "seed": form.seed,
        "chosen": list(form.chosen),
        "parameters": _parameters(form.parameters),
        "private": form.private,
        "group": form.group if form.private else "",
    }
    return json.dumps({name: value for name, value in said.items() if value}, separators=(",", ":"))


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


def _parameters(given: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {}
    for owner, values in given.items():
        slug = fractional_form.FIRST if owner == fractional_form.FAMILY else owner
        known = policies.algorithms(variants=True).get(slug.lower())
        changed = _changed(known.parameters, values) if known else dict(values)
        if changed:
            found[owner] = changed
    return found


def _changed(known: tuple[Parameter, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs that do not hold the default."""
    names = {parameter.name for parameter in known}
    return {
        name: value
        for name, value in values.items()
        if value not in (None, "")
        and (name.partition(":")[0] not in names or not _is_same(value, default_input(known, name)))
    }


def _is_same(value: Any, default: Any) -> bool:
    """Whether an input holds its default, as a number or as its text."""
    try:
        return float(str(value).replace(",", "")) == float(str(default).replace(",", ""))
    except ValueError:
        return str(value) == str(default)


def _mapping(said: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = said.get(name)
    return value if isinstance(value, dict) else {}


def _list(said: Mapping[str, Any], name: str) -> list[Any]:
    value = said.get(name)
    return value if isinstance(value, list) else []
