"""Small JSON files that tell whether they are what was written: one more key, the checksum of all others."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

KEY = "crc32"


def sealed(values: Mapping[str, Any]) -> bytes:
    """`values` as JSON text with their checksum."""
    return _text({**values, KEY: _digest(values)})


def opened(content: bytes) -> dict[str, Any]:
    """The values of a sealed text; of an older one, without a checksum, as they stand.

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
    """The value of a JSON text; ValueError for any other, one that is nested without end among them."""
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _digest(values: Mapping[str, Any]) -> str:
    return f"{zlib.crc32(_text(values)):08x}"


def _text(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode()
