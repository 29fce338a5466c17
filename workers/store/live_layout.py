"""Pack tables as bytes with a checksum, and read them as data that anybody may have written."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.workers.records.tables import NUMBERS

DIGITS = 8
"""Length of the checksum before a packed table."""


def layout_of(table: Mapping[str, np.ndarray]) -> bytes:
    """Return the types of the columns of a growing table."""
    return json.dumps({column: values.dtype.str for column, values in table.items()}).encode()


def types_of(layout: bytes) -> dict[str, np.dtype]:
    """Return the types of columns from a layout.

    Raises
    ------
    ValueError
        For a text that is no layout.
    """
    try:
        return {column: _number_type(text) for column, text in json.loads(layout).items()}
    except (TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no layout of a table: {error}") from None


def packed(table: Mapping[str, np.ndarray]) -> bytes:
    """Return a table as bytes: the checksum of the rest, a line with types and lengths, and the columns."""
    shape = {column: [values.dtype.str, len(values)] for column, values in table.items()}
    columns = (np.ascontiguousarray(values).tobytes() for values in table.values())
    content = b"".join([json.dumps(shape).encode(), b"\n", *columns])
    return f"{zlib.crc32(content):0{DIGITS}x}".encode() + content


def unpacked(content: bytes) -> Table:
    """Return the table in the bytes of `packed`.

    Raises
    ------
    ValueError
        For bytes that are no table, or not as they were written.
    """
    if content[:DIGITS] != f"{zlib.crc32(memoryview(content)[DIGITS:]):0{DIGITS}x}".encode():
        raise ValueError("no table: it does not hold what was written")
    place, table = content.find(b"\n") + 1, {}
    try:
        for column, (text, count) in json.loads(content[DIGITS:place]).items():
            table[column] = np.frombuffer(content, _number_type(text), count, place)
            place += table[column].nbytes
    except (TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"no table: {error}") from None
    return table


def _number_type(text: Any) -> np.dtype:
    """Return a type of numbers; numpy would evaluate some other texts as Python."""
    if not isinstance(text, str) or not NUMBERS.fullmatch(text):
        raise ValueError(f"{str(text)[:40]!r} is no type of numbers")
    return np.dtype(text)
