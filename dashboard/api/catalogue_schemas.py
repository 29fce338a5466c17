"""What the lists of algorithms, generators, conversions, metrics and formats answer, as JSON schemas."""

from __future__ import annotations

from typing import Any

from shadowtime.dashboard.api.schema_words import TEXT, TEXTS, YES_NO, Schema, json, many, maybe, ref, thing
from shadowtime.dashboard.api.schemas import Operation

KIND: Schema = {"type": "string", "description": "A kind of jobs."}
NAMED: dict[str, Any] = {"name": TEXT, "title": TEXT, "text": TEXT}
PARAMETERS: Schema = many(ref("Parameter"))
SCHEMAS: dict[str, Schema] = {
    "Parameter": thing(
        "name default rule text", name=TEXT, default={"type": ["boolean", "number", "string", "null"]}, rule=TEXT,
        text=TEXT, words={**TEXTS, "description": "Permitted words with their meaning, where there are many."},
    ),
    "Algorithm": thing(
        "name listed title text family kinds source guarantee clairvoyant parameters", **NAMED,
        listed={**YES_NO, "description": "Whether forms offer it; the others are variants."},
        family=TEXT, kinds=many(KIND), source=TEXT, guarantee=TEXT, clairvoyant=YES_NO, parameters=PARAMETERS,
    ),
    "Generator": thing(
        "name title text kinds source parameters", **NAMED, kinds=many(KIND), source=TEXT, parameters=PARAMETERS
    ),
    "KnownConversion": thing(
        "name title text takes makes parameters", **NAMED, takes=many(KIND), makes=maybe("string"),
        parameters=PARAMETERS,
    ),
    "Metric": thing(
        "name title unit better text kinds", **NAMED, unit=TEXT, kinds=many(KIND),
        better={"enum": ["lower", "higher", "neither"]},
    ),
    "Format": thing("name text use", **NAMED, suffixes=many(TEXT), use=TEXT),
}  # fmt: skip
LISTS = {
    "algorithms": "Algorithm", "generators": "Generator", "conversions": "KnownConversion", "metrics": "Metric",
    "formats": "Format",
}  # fmt: skip
OPERATIONS = {
    f"get /api/{name}": Operation({200: json(thing(name, **{name: many(ref(schema))}))})
    for name, schema in LISTS.items()
}
