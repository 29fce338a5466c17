"""Write down the columns of live tables, and read them as data that anybody may have written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.workers.records.tables import NUMBERS


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


def head_of(table: Mapping[str, np.ndarray]) -> bytes:
    """Return the line that stands before the columns of a whole table."""
    shape = {column: [values.dtype.str, len(values)] for column, values in table.items()}
    return json.dumps(shape).encode() + b"\n"


def unpacked(content: bytes) -> Table:
    """Return the whole table from its line and its columns.

    Raises
    ------
    ValueError
        For bytes that are no table.
    """
    place, table = content.find(b"\n") + 1, {}
    try:
        for column, (text, count) in json.loads(content[:place]).items():
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
