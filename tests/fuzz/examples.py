"""Seeds: the examples that the other tests are written with, and the golden files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from tests.conftest import FOUR_SWF

ROOT = Path(__file__).resolve().parents[2]
FOUR = FOUR_SWF.encode()
SHORT = 3_900
"""Bytes of a seed: longer ones are cut to fewer cases, or left out."""


@cache
def instances() -> tuple[bytes, ...]:
    """A JSON instance of each kind and schema, of each case the first that is short."""
    found: dict[str, bytes] = {}
    for folder in ("tests/golden", "engine/workload/samples"):
        for path in sorted((ROOT / folder).rglob("*.json")):
            for document in _one_by_one(json.loads(path.read_bytes())):
                text = json.dumps(document).encode()
                if len(text) <= SHORT:
                    said = f"{document.get('schema')} {document.get('kind')} {sorted(document)}"
                    found.setdefault(said, text)
    return tuple(found.values())


def _one_by_one(document: dict) -> list[dict]:
    """The document itself, and with one case alone."""
    cases = document.get("cases")
    return [document, *({**document, "cases": [case]} for case in cases or [])]
