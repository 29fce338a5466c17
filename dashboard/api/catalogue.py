"""GET /api/algorithms, generators, conversions, metrics, formats: what the registries offer to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.api import routes
from shadowtime.dashboard.cli import list as lists
from shadowtime.engine import registry
from shadowtime.engine.workload.conversions.conversion import Conversion

blueprint = Blueprint("catalogue", __name__)


def _conversions() -> list[dict[str, Any]]:
    return [_conversion(entry) for entry in registry.conversions().values()]


def _conversion(entry: Conversion) -> dict[str, Any]:
    return {
        "name": entry.slug,
        "title": entry.title,
        "text": entry.summary,
        "takes": list(entry.takes),
        "makes": entry.makes or None,
        "parameters": [lists.described(parameter) for parameter in entry.parameters],
    }


LISTS: dict[str, tuple[Callable[[], Any], str]] = {
    "algorithms": (
        lists.algorithms,
        "Registered algorithms, each with its paper, guarantee, kinds of workload and parameters.",
    ),
    "generators": (lists.generators, "Models that workloads can be drawn from."),
    "conversions": (_conversions, "Steps from one workload to another: what they take, what they make."),
    "metrics": (lists.metrics, "Names, units and definitions of the figures in a summary."),
    "formats": (lists.formats, "Files that can be read, and forms that a run can be exported to."),
}


def _list(name: str, entries: Callable[[], Any]) -> Response:
    return jsonify({name: entries()})


for _name, (_entries, _summary) in LISTS.items():
    routes.add(blueprint, f"/api/{_name}", _name, _summary, _list, _name, _entries)
