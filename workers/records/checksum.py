"""Protect the content of rows with checksums, so that altered bytes are noticed when they are read."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Table

from shadowtime.workers.records.schema import VOLATILE

KEY = "checksum"
DIGITS = 8
"""Length of the checksum at the end of a text."""


def sealed(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a whole row of a table with its checksum. All columns that it covers must be given."""
    missing = [name for name in covered(table) if name not in row]
    assert not missing, f"{table.name} without {missing}"
    return {**row, KEY: checksum(table, row)}


def is_intact(table: Table, row: Mapping[str, Any]) -> bool:
    """Return whether a row, read with all its columns, holds what was written."""
    try:
        return bool(row[KEY] == checksum(table, row))
    except TypeError:  # bytes, which SQLite returns where it was text
        return False


def checksum(table: Table, row: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the covered columns of a row."""
    values = [row[name] for name in covered(table)]
    return hashlib.sha256(json.dumps(values, ensure_ascii=False).encode()).hexdigest()


def marked(text: str, beside: str = "") -> str:
    """Return a JSON object as a text with its own checksum, where no checksum of a row covers it; what stands `beside`
    it is covered too."""
    return f"{text} {_crc(beside + text)}"


def unmarked(text: Any, beside: str = "") -> str:
    """Return the JSON object in a text of `marked`; one that was written before it had a checksum is taken as it is.

    Raises
    ------
    ValueError
        When it is not what was written.
    """
    if isinstance(text, str):
        content, mark = text[: -DIGITS - 1], text[-DIGITS - 1 :]
        if mark == f" {_crc(f'{beside}{content}')}":
            return content
        if text.endswith("}"):
            return text
    raise ValueError("it does not hold what was written")


def _crc(text: str) -> str:
    return f"{zlib.crc32(text.encode(errors='surrogatepass')):0{DIGITS}x}"


@cache
def covered(table: Table) -> list[str]:
    """Return the names of the columns that the checksum covers."""
    return sorted(column.name for column in table.columns if column.name not in VOLATILE)
