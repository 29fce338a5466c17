"""Sweeps: TOML files, the same as JSON, and the canonical text that is kept."""

from __future__ import annotations

import json
from typing import Any

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.workers.sweeps.reading import SweepQuestion, read, read_toml
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.sweeps.writing import to_toml
from tests.fuzz.target import Target, text
from tests.workers.sweeps.test_reading import CONTRACT

MOST = 1000
DIGEST = "7551e48cece1b8a074ee8e2dd5864afb454ee9f379cc48f283fb72c028ec03ad"


def find(name: str, digest: str | None) -> tuple[dict[str, Any], str]:
    """Knows one file, as a laboratory does that has it."""
    path, _, case = name.partition("#")
    if path != "four.swf" or digest not in (None, DIGEST):
        raise InvalidWorkload(f"there is no file {name[:80]!r}")
    return {"digest": DIGEST, "case": case or None}, "rigid"


def toml(content: bytes) -> None:
    taken(read_toml(text(content), "sweep.toml", find, MOST))


def object_(content: bytes) -> None:
    value = json.loads(content) if _is_object(content) else {}
    taken(read(value, "the sweep", find, MOST))


def taken(asked: SweepQuestion) -> None:
    """The question is kept and read again, written as a file and read again: always the same."""
    spec = asked.spec
    assert 0 < len(spec) <= MOST
    assert SweepSpec.from_json(spec.json).json == spec.json
    again = read_toml(to_toml(spec, asked.name, asked.workloads), "again.toml", find, MOST)
    assert again.spec.json == spec.json and again.name == asked.name
    for index in (0, len(spec) - 1):
        cell = spec.cell(index)
        spec.source(cell), spec.converted(cell.load, 0), spec.variant_name(cell.variant)


def kept(content: bytes) -> None:
    SweepSpec.from_json(text(content)).cell(0)


def _is_object(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


SMALL = {
    "name": "loads",
    "workloads": ["uniform:jobs=20,seed=7", "four.swf"],
    "seeds": [1, 2],
    "convert": ["week:0", {"name": "two_tier", "parameters": {}}],
    "loads": [0.5, 0.7],
    "nodes": 12,
    "cores_per_node": 2,
    "estimates": "actual",
    "tau": 20.0,
    "algorithms": ["easy", {"algorithm": "measy", "parameters": {"migration_cost": [1.0, 2.0]}}],
    "variants": [{"algorithm": "fcfs", "parameters": {}}],
    "digests": {"four.swf": DIGEST},
}
LEAST: dict[str, Any] = {"workloads": ["four.swf"], "algorithms": ["easy"]}


def objects() -> list[bytes]:
    return [json.dumps(value).encode() for value in (SMALL, LEAST, {**LEAST, "convert": ["load:rho=0.5"]})]


def files() -> list[bytes]:
    asked = [read(value, "x", find, MOST) for value in ({**LEAST, "seeds": [3]}, {**LEAST, "tau": 3})]
    return [CONTRACT.encode(), *(to_toml(one.spec, one.name, one.workloads).encode() for one in asked)]


def texts() -> list[bytes]:
    return [read(value, "x", find, MOST).spec.json.encode() for value in (LEAST, {**LEAST, "loads": [0.5]})]


WORDS = ("workloads", "algorithms", "[[variants]]", "parameters", "seeds", "convert", "loads", "1e400", "inf", "nan",
         "0x" + "f" * 40, "'''", '"""', "1979-05-27T07:32:00Z", "[digests]",
         "lublin:jobs=2", "greedy*/per")  # fmt: skip
TARGETS = (
    Target("sweep-toml", "Sweeps as TOML", toml, files, words=WORDS),
    Target("sweep-json", "Sweeps as JSON", object_, objects, words=WORDS, is_json=True),
    Target("sweep-kept", "Canonical texts of sweeps", kept, texts, is_json=True),
)
