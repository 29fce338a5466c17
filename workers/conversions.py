"""Read conversions in the forms that people and scripts write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.references import parse_conversion


def convert_all(workload: Workload, conversions: Iterable[Any], seed: int) -> Workload:
    """Return the workload after some conversions, in order.

    Each is (name, parameters), {"name", "parameters"}, or a text like `week:20`.

    Raises
    ------
    QuestionError
        For something that is not a conversion, or one that does not fit.
    """
    for conversion in conversions:
        name, parameters = parse_any(conversion)
        workload = convert(workload, name, parameters, seed)
    return workload


def parse_any(given: Any) -> tuple[str, Mapping[str, Any]]:
    """Return name and parameters of a conversion in any of these forms. Raises as `convert_all`."""
    match given:
        case str():
            return parse_conversion(given)
        case {"name": str(name), **rest} if not set(rest) - {"parameters"}:
            parameters = rest.get("parameters")
        case (str(name), parameters):
            pass
        case _:
            raise InvalidParameter("a conversion is a name with parameters: {'name': 'week', 'parameters': {'k': 20}}")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise InvalidParameter(f"the parameters of the conversion {name[:80]!r} must be an object")
    return name, parameters or {}
