"""Seal small JSON files with a checksum of all keys, so that damage is detected."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

KEY = "crc32"


def sealed(values: Mapping[str, Any]) -> bytes:
    """Return `values` as JSON text with their checksum."""
    return _text({**values, KEY: _digest(values)})


def opened(content: bytes) -> dict[str, Any]:
    """Return the values of a sealed text; an older text without a checksum is accepted as it is.

    Raises
    ------
    ValueError
        When it is not what was written.
    """
    values = parsed(content)
    if not isinstance(values, dict):
        raise ValueError("it holds no JSON object")
    said = values.pop(KEY, None)
    if said is not None and said != _digest(values):
        raise ValueError("it does not hold what was written")
    return values


def parsed(content: bytes) -> Any:
    """Parse a JSON text; ValueError for any other text, even for one that is nested too deeply."""
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _digest(values: Mapping[str, Any]) -> str:
    return f"{zlib.crc32(_text(values)):08x}"


def _text(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode()
