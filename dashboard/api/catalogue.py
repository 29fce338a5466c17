"""GET /api/algorithms, generators, conversions, metrics, formats: what the registries offer to choose from."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.cli import list as lists
from shadowtime.engine import registry
from shadowtime.engine.workload.conversions.conversion import Conversion

blueprint = Blueprint("catalogue", __name__)


@blueprint.get("/api/algorithms")
def algorithms() -> Response:
    """Registered algorithms, each with its paper, guarantee, kinds of workload and parameters."""
    return jsonify(algorithms=lists.algorithms())


@blueprint.get("/api/generators")
def generators() -> Response:
    """Models that workloads can be drawn from."""
    return jsonify(generators=lists.generators())


@blueprint.get("/api/conversions")
def conversions() -> Response:
    """Steps from one workload to another: what they take, what they make."""
    return jsonify(conversions=[_conversion(entry) for entry in registry.conversions().values()])


@blueprint.get("/api/metrics")
def metrics() -> Response:
    """Names, units and definitions of the figures in a summary."""
    return jsonify(metrics=lists.metrics())


@blueprint.get("/api/formats")
def formats() -> Response:
    """Files that can be read, and forms that a run can be exported to."""
    return jsonify(formats=lists.formats())


def _conversion(entry: Conversion) -> dict[str, Any]:
    return {
        "name": entry.slug,
        "title": entry.title,
        "text": entry.summary,
        "takes": list(entry.takes),
        "makes": entry.makes or None,
        "parameters": [lists.described(parameter) for parameter in entry.parameters],
    }
