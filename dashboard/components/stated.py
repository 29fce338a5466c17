"""Values of parameters that the file of the jobs states, as that of a Slurm site does, in place of the defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shadowtime.dashboard.components.naming import stated_of
from shadowtime.dashboard.components.parameter_form import default_input
from shadowtime.dashboard.components.question import GENERATOR, with_stated
from shadowtime.dashboard.context import Context
from shadowtime.engine.parameters import Parameter


def stated_by(context: Context, kind: str | None, trace: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the file of a form states, by name; nothing for a generator."""
    if kind == GENERATOR or not trace:
        return {}
    return dict(stated_of(context.store, trace.get("id"), trace.get("case")))


def restated(
    parameters: Iterable[Parameter], name: str, value: Any, before: Mapping[str, Any], now: Mapping[str, Any]
) -> Any:
    """Return what the input `name` holds when other jobs are chosen: what was typed stays, and what the jobs before
    stated becomes what these state."""
    known = tuple(parameters)
    held = default_input(with_stated(known, before), name)
    return default_input(with_stated(known, now), name) if _is_same(value, held) else value


def _is_same(value: Any, other: Any) -> bool:
    """Whether two inputs hold the same number or text."""
    try:
        return float(str(value).replace(",", "")) == float(str(other).replace(",", ""))
    except ValueError:
        return str(value) == str(other)
