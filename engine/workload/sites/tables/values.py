"""Columns of tables as numbers, NaN where a value is unknown or cannot be read.

What occurs often is parsed by pyarrow for the whole column; other values one by one, each distinct one once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shadowtime.engine.workload.sites.tables import single
from shadowtime.engine.workload.sites.tables.fields import COUNT, DURATION, INSTANT, KILOBYTES, SECONDS
from shadowtime.engine.workload.slurm.values import gpus, memory, one_by_one

PLAIN = r"^-?(\d+\.?\d*|\.\d+)$"
ISO = r"^[12]\d{3}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?$"
MICROSECOND = 1e-6
UNKNOWN = (
    "", "NA", "N/A", "NaN", "nan", "NaT", "null", "NULL", "None", "none", "NONE", "-", "--", "Unknown", "unknown",
    "UNKNOWN", "\\N", "UNLIMITED", "Partition_Limit", "INFINITE", "infinite", "unlimited",
)  # fmt: skip
"""Texts that say that a value is unknown."""


def floats(column: pa.Array, unit: float = 1.0) -> np.ndarray:
    """Return a numeric column times a unit, f8."""
    return column.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy(zero_copy_only=False) * unit


def read_column(column: pa.Array, field: str, kind: str, unit: str) -> np.ndarray:
    """Return the values of a column as numbers of its field: seconds, KB, or counts."""
    if kind in (INSTANT, DURATION):
        found = _times(column, unit, single.instant if kind == INSTANT else single.duration)
    elif kind == COUNT:
        found = _others(column, 1.0, gpus if field == "gpus" else lambda rest: np.full(len(rest), np.nan))
    else:
        found = _others(column, KILOBYTES.get(unit, 1024.0), memory)
    found[~np.isfinite(found)] = np.nan
    return found


def _times(column: pa.Array, unit: str, parse: Callable[[str, str], float]) -> np.ndarray:
    kind = column.type
    if pa.types.is_date(kind):
        column, kind = column.cast(pa.timestamp("us")), pa.timestamp("us")
    if pa.types.is_time(kind):
        column, kind = column.cast(pa.int32()) if kind.bit_width == 32 else column, pa.duration(kind.unit)
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return floats(column.cast(pa.int64()), {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[kind.unit])
    if not is_text(kind):
        return floats(column, SECONDS.get(unit, 1.0))
    try:
        return floats(column.cast(pa.float64()), SECONDS.get(unit, 1.0))
    except pa.ArrowInvalid:
        pass  # not all values are numbers
    found, rest = _bulk(column, PLAIN, lambda usual: floats(usual.cast(pa.float64()), SECONDS.get(unit, 1.0)))
    if parse is single.instant and len(rest):
        others = column.take(pa.array(rest))
        try:
            found[rest], again = _bulk(others, ISO, _dates)
            rest = rest[again]
        except pa.ArrowInvalid:
            pass  # some look like dates but are none: all are parsed one by one
    if len(rest):
        found[rest] = one_by_one(column.take(pa.array(rest)), lambda text: parse(text, unit))
    return found


def _dates(column: pa.Array) -> np.ndarray:
    return floats(column.cast(pa.timestamp("us")).cast(pa.int64()), MICROSECOND)


def _others(column: pa.Array, unit: float, parse: Callable[[pa.Array], np.ndarray]) -> np.ndarray:
    """Return numbers times a unit; values that are no numbers as `parse` reads them."""
    if pa.types.is_temporal(column.type):
        return np.full(len(column), np.nan)
    if not is_text(column.type):
        return floats(column, unit)
    try:
        return floats(column.cast(pa.float64()), unit)
    except pa.ArrowInvalid:
        pass  # not all values are numbers
    found, rest = _bulk(column, PLAIN, lambda usual: floats(usual.cast(pa.float64()), unit))
    if len(rest):
        others = column.take(pa.array(rest))
        numbers = one_by_one(others, single.number) * unit
        found[rest] = np.where(np.isnan(numbers), parse(others), numbers)
    return found


def _bulk(column: pa.Array, pattern: str, parse: Callable[[pa.Array], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the values that have a pattern, and the rows of the others that are not null."""
    usual = pc.match_substring_regex(column, pattern)
    found = parse(pc.if_else(usual, column, None)).copy()
    return found, np.flatnonzero(pc.invert(usual).fill_null(False).to_numpy(zero_copy_only=False))


def is_text(kind: pa.DataType) -> bool:
    """Return whether the values of a column are texts."""
    return pa.types.is_string(kind) or pa.types.is_binary(kind)
