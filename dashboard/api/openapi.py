"""GET /api/openapi.json: every route, described from the routes themselves and the shapes in `schemas.py`.

Paths, methods and summaries come from the server's own table of routes and the views' docstrings; what those
cannot say (bodies, answers, parameters of the query) stands in `OPERATIONS`. A test keeps the two complete.
"""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Flask, Response, current_app, jsonify
from werkzeug.routing import Rule

from shadowtime.dashboard.api import (
    access_schemas,
    catalogue_schemas,
    group_schemas,
    notice_schemas,
    profile_schemas,
    schemas,
    sweep_schemas,
    viewer_schemas,
    waits_schemas,
)
from shadowtime.dashboard.api.errors import BESIDE
from shadowtime.dashboard.api.schemas import CODES, Operation
from shadowtime.workers.version import package_version

blueprint = Blueprint("openapi", __name__)

TOKEN = "What SHADOWTIME_TOKEN says, or a token that `shadowtime token create` made."
METHODS = ("get", "post", "patch", "delete")
_PARTS = (
    schemas, catalogue_schemas, viewer_schemas, access_schemas, sweep_schemas, waits_schemas, notice_schemas,
    group_schemas, profile_schemas,
)  # fmt: skip
SCHEMAS = {name: schema for part in _PARTS for name, schema in part.SCHEMAS.items()}
OPERATIONS = {name: operation for part in _PARTS for name, operation in part.OPERATIONS.items()}


@blueprint.get("/api/openapi.json")
def document() -> Response:
    """This description of all routes, as OpenAPI 3.1."""
    return jsonify(describe(current_app))


def describe(server: Flask) -> dict[str, Any]:
    """The whole document for a server's routes."""
    paths: dict[str, dict[str, Any]] = {}
    for rule in sorted(server.url_map.iter_rules(), key=lambda rule: rule.rule):
        if not is_described(rule):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in METHODS:
            if method.upper() in (rule.methods or ()):
                paths.setdefault(path, {})[method] = _operation(server, rule, method)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Shadowtime",
            "version": package_version(),
            "summary": "Simulate, watch and compare parallel-job schedules beside proven lower bounds.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": TOKEN,
                }
            },
        },
    }


def is_described(rule: Rule) -> bool:
    """A route for scripts; the pages' own are Dash's business."""
    return rule.rule.startswith("/api/") or rule.rule in BESIDE


def _operation(server: Flask, rule: Rule, method: str) -> dict[str, Any]:
    known = OPERATIONS.get(f"{method} {rule.rule}", Operation())
    view = server.view_functions[rule.endpoint]
    summary, _, more = (view.__doc__ or "").strip().partition("\n\n")
    made: dict[str, Any] = {"summary": " ".join(summary.split()), "operationId": rule.endpoint.replace(".", "_")}
    if more:
        made["description"] = " ".join(more.split())
    named = [_in_path(name) for name in sorted(rule.arguments)]
    if named or known.query:
        made["parameters"] = [*named, *(dict(query) for query in known.query)]
    if known.body:
        content = {kind: {"schema": schema} for kind, schema in known.body.items()}
        made["requestBody"] = {"required": not known.body_is_optional, "content": content}
    if known.writes:
        made["security"] = [{}, {"token": []}]
    codes = _codes(method, known, bool(named), "run_id" in rule.arguments)
    made["responses"] = {str(code): _answer(code, known) for code in sorted(codes)}
    return made


def _codes(method: str, known: Operation, names_something: bool, of_run: bool) -> set[int]:
    refusals = {
        *known.refusals,
        *((404,) if names_something else ()),
        *((409,) if of_run else ()),
        *((401, 403, 507) if known.writes else ()),
    }
    unchanged = (304,) if method == "get" and 200 in known.answers else ()
    return {*known.answers, *unchanged, *refusals}


def _answer(code: int, known: Operation) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": CODES[code]}
    content = known.answers.get(code, {} if code == 304 else {"application/json": schemas.ref("Refusal")})
    if content:
        answer["content"] = {kind: {"schema": schema} for kind, schema in content.items()}
    return answer


def _in_path(name: str) -> dict[str, Any]:
    pattern = {"pattern": "^[0-9a-f]{16}([0-9a-f]{48})?$"} if name.endswith("_id") else {}
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", **pattern}}
