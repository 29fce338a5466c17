"""The words in which the schemas of the routes are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
YES_NO: Schema = {"type": "boolean"}
ANY: Schema = {"type": "object", "additionalProperties": True}
FIGURES: Schema = {"type": "object", "additionalProperties": NUMBER}
TEXTS: Schema = {"type": "object", "additionalProperties": TEXT}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def json(schema: Schema) -> dict[str, Schema]:
    return {"application/json": schema}


def thing(required: str = "", **properties: Schema) -> Schema:
    """An object; `required` lists names with blanks between."""
    return {"type": "object", "properties": properties, **({"required": required.split()} if required else {})}


def sent(required: str = "", **properties: Schema) -> Schema:
    """The same of what a client sends: what is not required may be null as well."""
    names = required.split()
    optional = {name: {"anyOf": [schema, {"type": "null"}]} for name, schema in properties.items() if name not in names}
    return thing(required, **{**properties, **optional})


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def maybe(kind: str) -> Schema:
    return {"type": [kind, "null"]}


def asked(name: str, text: str, schema: Schema | None = None) -> Schema:
    """A parameter of the query string."""
    return {"name": name, "in": "query", "description": text, "schema": schema or TEXT}


def listed(name: str, schema: Schema, **more: Schema) -> Mapping[int, Mapping[str, Schema]]:
    """A page of a listing."""
    known = {name: many(schema), "next": maybe("string"), **more}
    return {200: json(thing(" ".join(known), **known))}
