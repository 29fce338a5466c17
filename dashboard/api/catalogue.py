"""GET /api/algorithms, generators, conversions, metrics, formats: what the registries offer to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.api import routes
from shadowtime.dashboard.cli import list as lists

blueprint = Blueprint("catalogue", __name__)


LISTS: dict[str, tuple[Callable[[], Any], str]] = {
    "algorithms": (
        lists.algorithms,
        "Registered algorithms, each with its paper, guarantee, kinds of workload and parameters.",
    ),
    "generators": (lists.generators, "Models that workloads can be drawn from."),
    "conversions": (lists.conversions, "Steps from one workload to another: what they take, what they make."),
    "metrics": (lists.metrics, "Names, units and definitions of the figures in a summary."),
    "formats": (lists.formats, "Files that can be read, and forms that a run can be exported to."),
}


def _list(name: str, entries: Callable[[], Any]) -> Response:
    return jsonify({name: entries()})


for _name, (_entries, _summary) in LISTS.items():
    routes.add(blueprint, f"/api/{_name}", _name, _summary, _list, _name, _entries)
