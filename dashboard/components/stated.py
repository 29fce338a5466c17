"""Values of parameters that the file of the jobs states, as that of a Slurm site does, in place of the defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shadowtime.dashboard.components.parameter_form import default_input
from shadowtime.dashboard.components.question import GENERATOR, with_stated
from shadowtime.dashboard.context import Context
from shadowtime.engine.parameters import Parameter
from shadowtime.workers.errors import NotFound


def stated_by(context: Context, kind: str | None, trace: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a stored file states, by name; nothing for another case than its first, and for a generator."""
    if kind == GENERATOR or not trace or not trace.get("id"):
        return {}
    try:
        entry = context.store.workloads.get(trace["id"])
    except NotFound:
        return {}
    is_first = not trace.get("case") or trace["case"] in entry.cases[:1]
    return dict(entry.machine) if is_first else {}


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
