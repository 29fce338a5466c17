"""Messages of `dashboard.viewer.tiles` read back, as `assets/api/columns.js` does."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np

from shadowtime.dashboard.viewer import tiles
from shadowtime.engine.tables import Table


def decode(message: bytes) -> tuple[dict[str, Any], Table]:
    """The header and the table of a message.

    Raises ValueError: when `message` does not begin like one.
    """
    header, start = _header(message, tiles.MAGIC)
    table: Table = {}
    whole: dict[str, np.ndarray] = {}
    for entry in header["columns"]:
        at = start + entry.get("at", 0)
        content = np.frombuffer(_gunzip(message[at : at + entry.get("bytes", 0)]), np.uint8)
        table[entry["name"]] = _read(entry, content, header["rows"], table, whole)
    table.pop(tiles.INSTANTS, None)
    return header, table


def _read(entry: dict[str, Any], content: np.ndarray, n: int, table: Table, whole: dict[str, np.ndarray]) -> np.ndarray:
    """One column back, from its planes and the columns before it; those that wrote it backwards."""
    dtype = tiles.DTYPES[entry["type"]]
    n = entry.get("rows", n)
    if "constant" in entry:
        return np.full(n, np.nan if entry["constant"] is None else entry["constant"], dtype)
    if "same" in entry:
        return table[entry["same"]].copy()
    if "bits" in entry:
        return np.cumsum(_numbers_of(content, n, 8), dtype="u8").view("<f8")
    missing = content[:n].astype(bool) if entry.get("missing") else None
    numbers = _numbers_of(content if missing is None else content[n:], n, entry["width"])
    if entry.get("repeat"):
        fresh = np.maximum.accumulate(np.where(numbers > 0, np.arange(n), 0))
        numbers = numbers[fresh] - 1
    if entry.get("signed"):
        numbers = (numbers >> 1) ^ -(numbers & 1)
    if entry.get("delta"):
        numbers = np.cumsum(numbers)
    if "to" in entry:
        numbers = numbers + whole[entry["to"]]
    whole[entry["name"]] = numbers
    if "table" in entry:
        values = table[entry["table"]][numbers]
    else:
        values = (numbers / 10.0 ** entry["scale"] if "scale" in entry else numbers).astype(dtype)
    if missing is not None:
        values[missing] = np.nan
    return values


def _numbers_of(content: np.ndarray, n: int, width: int) -> np.ndarray:
    planes = np.zeros((n, 8), np.uint8)
    planes[:, :width] = content.reshape(width, n).T
    return planes.view("<i8").reshape(n)


def _gunzip(content: bytes) -> bytes:
    return zlib.decompress(content, 31) if content else b""


def _header(message: bytes, magic: bytes) -> tuple[dict[str, Any], int]:
    """Return the header of a message, and where its contents start."""
    if message[:4] != magic:
        raise ValueError(f"a message begins with {magic!r}, this one with {message[:4]!r}")
    start = 8 + int.from_bytes(message[4:8], "little")
    return json.loads(message[8:start]), start


def unbundle(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header of a bundle, and each of its messages by name, decoded."""
    assert data[:4] == tiles.BUNDLE
    start = 8 + int.from_bytes(data[4:8], "little")
    header = json.loads(data[8:start])
    places = {name: (start + at, size) for name, (at, size) in header.pop("parts").items()}
    return header, {name: decode(data[at : at + size]) for name, (at, size) in places.items()}
