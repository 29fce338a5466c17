"""Protect the content of rows with checksums, so that altered bytes are noticed when they are read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Table

from shadowtime.workers.records.schema import VOLATILE

KEY = "checksum"


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


@cache
def covered(table: Table) -> list[str]:
    """Return the names of the columns that the checksum covers."""
    return sorted(column.name for column in table.columns if column.name not in VOLATILE)
