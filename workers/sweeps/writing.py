"""Write a sweep as its TOML file: the same engine gives the same numbers from it anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from shadowtime.workers.sweeps.spec import SweepSpec


def values_of(spec: SweepSpec, name: str, workloads: Sequence[str]) -> dict[str, Any]:
    """Return the keys of a sweep's file without empty ones; `workloads` are the displayed names."""
    digests = {
        text.removesuffix(f"#{source['case']}"): source["digest"]
        for text, source in zip(workloads, spec.workloads, strict=True)
        if "digest" in source
    }
    plain = all(not variant["parameters"] for variant in spec.variants)
    found = {
        "name": name,
        "workloads": list(workloads),
        "seeds": list(spec.seeds),
        "convert": [dict(conversion) for conversion in spec.conversions],
        "loads": list(spec.loads),
        **spec.platform,
        "estimates": spec.estimates,
        "tau": spec.tau,
        "algorithms": [variant["algorithm"] for variant in spec.variants] if plain else [],
        "digests": digests,
        "variants": [] if plain else [dict(variant) for variant in spec.variants],
    }
    return {key: value for key, value in found.items() if value not in (None, "", [], {})}


def to_toml(spec: SweepSpec, name: str, workloads: Sequence[str]) -> str:
    """Return the text of the file."""
    values = values_of(spec, name, workloads)
    tables = [f"\n[digests]\n{_lines(values.pop('digests'))}"] if "digests" in values else []
    for variant in values.pop("variants", []):
        tables.append(f"\n[[variants]]\n{_lines(variant)}")
    head = f"# Sweep {spec.id}, {len(spec):,} runs; engine {spec.engine_version}. shadowtime sweep FILE.toml runs it.\n"
    return head + _lines(values) + "".join(tables)


def _lines(values: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in values.items())


def _key(key: str) -> str:
    is_bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if is_bare else _text(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(_value(one) for one in value)}]"
    return repr(value)


def _text(text: str) -> str:
    """Return a string as JSON writes it, which TOML reads alike; but TOML has no DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
