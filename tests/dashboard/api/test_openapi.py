"""The description of the routes is that of the routes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from shadowtime.dashboard.api import catalogue_schemas
from shadowtime.dashboard.api.openapi import METHODS, OPERATIONS, is_described


@pytest.fixture(scope="module")
def document(site):
    return site.client.get("/api/openapi.json").json


def routes(site):
    for rule in site.server.url_map.iter_rules():
        if is_described(rule):
            for method in METHODS:
                if method.upper() in rule.methods:
                    yield f"{method} {rule.rule}"


def test_every_route_is_described_and_nothing_else(site):
    assert set(OPERATIONS) == set(routes(site))


def test_every_operation_says_what_it_does_and_answers(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"].endswith((".", ":")), f"{method} {path}"
            assert operation["responses"], f"{method} {path}"
            for name in re.findall(r"{(\w+)}", path):
                assert name in [parameter["name"] for parameter in operation["parameters"]]


def test_operations_are_told_apart(document):
    ids = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]

    assert len(ids) == len(set(ids))


def test_every_reference_leads_somewhere(document):
    for name in set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document))):
        assert name in document["components"]["schemas"]


def test_what_writes_says_that_a_token_may_be_needed(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert ("security" in operation) is (
                method != "get"
                and path not in ("/api/preview", "/api/sites", "/api/sweeps/preview")
                and not path.startswith("/api/session")
            )


def test_what_is_read_may_be_unchanged(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert ("304" in operation["responses"]) is (method == "get" and "200" in operation["responses"]), path


def fits(value, schema, document):
    """Whether a value has the keys and types of a schema: enough of JSON Schema to hold the answers to it."""
    if "$ref" in schema:
        return fits(value, document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], document)
    for word, all_or_any in (("allOf", all), ("anyOf", any)):
        if word in schema:
            return all_or_any(fits(value, part, document) for part in schema[word])
    if "enum" in schema:
        return value in schema["enum"]
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
    allowed = schema.get("type", [])
    names = [allowed] if isinstance(allowed, str) else allowed
    if names and not any(value is None if name == "null" else isinstance(value, kinds[name]) for name in names):
        return False
    if isinstance(value, dict):
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties")
        return all(name in value for name in schema.get("required", [])) and all(
            fits(found, properties.get(name, rest if isinstance(rest, dict) else {}), document)
            for name, found in value.items()
        )
    return not isinstance(value, list) or all(fits(item, schema.get("items", {}), document) for item in value)


@pytest.mark.parametrize(
    "path",
    ["/healthz", "/api/runs", "/api/runs/{run_id}", "/api/workloads", "/api/runs/{run_id}/summary.json",
     "/api/runs/{run_id}/spec.json", "/api/runs/{run_id}/view", "/api/runs/{run_id}/instant?at=3",
     "/api/algorithms", "/api/generators", "/api/conversions", "/api/metrics",
     "/api/formats"],
)  # fmt: skip
def test_answers_have_the_shape_that_is_described(site, finished, document, path):
    answer = site.client.get(path.replace("{run_id}", finished))

    described = document["paths"][path.partition("?")[0]]["get"]["responses"][str(answer.status_code)]["content"][
        "application/json"
    ]
    assert fits(answer.json, described["schema"], document), answer.json


def test_every_key_of_an_instant_is_described(site, finished, document):
    known = document["components"]["schemas"]["Instant"]["properties"]

    assert site.client.get(f"/api/runs/{finished}/instant?at=3").json.keys() <= known.keys()


@pytest.mark.parametrize("name", catalogue_schemas.LISTS)
def test_every_key_of_a_catalogue_is_described(site, name):
    known = catalogue_schemas.SCHEMAS[catalogue_schemas.LISTS[name]]["properties"]
    parameter = catalogue_schemas.SCHEMAS["Parameter"]["properties"]

    for entry in site.client.get(f"/api/{name}").json[name]:
        assert entry.keys() <= known.keys()
        assert all(one.keys() <= parameter.keys() for one in entry.get("parameters", []))


def test_a_preview_has_the_shape_that_is_described(site, document):
    answer = site.client.post("/api/preview", json={"workload": site.workload(), "algorithms": ["easy"]}).json

    assert fits(answer, document["components"]["schemas"]["Preview"], document), answer


def test_registries_are_told(site):
    from shadowtime.dashboard.look.definitions import metrics
    from shadowtime.engine import registry as policies
    from shadowtime.engine.registry import conversions, generators

    for path, known in (
        ("algorithms", policies.algorithms(variants=True)),
        ("generators", generators()),
        ("conversions", conversions()),
        ("metrics", metrics()),
    ):
        assert [entry["name"] for entry in site.client.get(f"/api/{path}").json[path]] == list(known)


def test_the_page_for_people_names_every_route(site):
    text = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "http.md").read_text(encoding="utf-8")

    for route in routes(site):
        method, path = route.split(" ")
        assert f"`{method.upper()} {path}`" in text
