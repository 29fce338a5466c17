"""Tables as binary columns for the viewer: about four bytes a segment, and every float64 comes back exactly.

A message is `STC1`, the length of its header (u32, little-endian), the header (JSON), then the columns' bytes, each
a gzip of byte planes: the lowest byte of every value, then the second, as far as any is not zero. What a column went
through stands in its entry of the header and is undone in this order:

    width      so many planes make a whole number
    repeat     0 is the number of the row before, k is k - 1
    signed     zigzag: 0 1 2 3 are 0 -1 1 -2
    delta      a difference from the row before
    to         a difference from another column's whole number
    scale      a multiple of 10^-scale: 12.5 s is 125 with scale 1
    table      a row of another column, which holds the values that occur
    missing    a plane of ones and zeros stands before the others: ones are NaN

A column of one value is `constant` (null is NaN), one like an earlier column is `same`. Doubles that are no short
decimal fractions are `bits`: their bit patterns, each less the one before, modulo 2^64. Times that are such are looked
up in a `table` of all instants, since many rectangles begin and end at one.

`assets/api/columns.js` reads it in the browser.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.tables import rows

MAGIC = b"STC1"
BUNDLE = b"STB1"
FORMAT = 1
"""Part of the address of the viewer's requests, so that bytes cached by a browser are never decoded in another way."""

LEVEL = 5
"""Of gzip; 9 takes five times as long for three in a hundred of the bytes."""
THREADS = 2
EXACT = 2.0**53
MOST_DECIMALS = 3
INSTANTS = "instants"
"""The column of all times that occur, where they are no short decimal fractions."""
DTYPES: dict[str, np.dtype] = {
    "f8": np.dtype("<f8"),
    "i8": np.dtype("<i8"),
    "i4": np.dtype("<i4"),
    "u1": np.dtype("u1"),
}


@dataclass(frozen=True)
class Hint:
    """What usually makes a column small. All columns of one table that are times share their scale, or instants."""

    to: str | None = None
    delta: bool = False
    repeat: bool = False
    time: bool = False


JOB_HINTS = {
    "job_id": Hint(delta=True),
    "release": Hint(delta=True, time=True),
    "start": Hint(to="release", time=True),
    "end": Hint(to="start", time=True),
}
SEGMENT_HINTS = {
    "job": Hint(delta=True),
    "last": Hint(to="first"),
    "start": Hint(delta=True, time=True),
    "end": Hint(to="start", repeat=True, time=True),
    "share": Hint(repeat=True),
    "task": Hint(delta=True),
}
EVENT_HINTS = {
    "time": Hint(delta=True, time=True),
    "job": Hint(delta=True),
    "value": Hint(to="time", time=True),
}
SERIES_HINTS = {"time": Hint(delta=True, time=True)}
RATE_HINTS = {"time": Hint(delta=True, time=True), "job": Hint(delta=True)}
BAND_HINTS = {"start": Hint(delta=True, time=True), "end": Hint(to="start", time=True), "number": Hint(delta=True)}
HINTS = {
    "rates": RATE_HINTS,
    "bands": BAND_HINTS,
    "jobs": JOB_HINTS,
    "segments": SEGMENT_HINTS,
    "events": EVENT_HINTS,
    "series": SERIES_HINTS,
}


def encode(table: Mapping[str, np.ndarray], hints: Mapping[str, Hint] | None = None, **header: Any) -> bytes:
    """The message of a table; `header` is put beside `rows` and `columns`."""
    writer = _Writer(table, hints or {})
    with ThreadPoolExecutor(THREADS) as pool:
        packed = list(pool.map(_gzip, writer.contents))
    place = 0
    for entry, content in zip(writer.entries, packed, strict=True):
        if content:
            entry["at"], entry["bytes"] = place, len(content)
            place += len(content)
    return _with_header(MAGIC, {**header, "rows": rows(table), "columns": writer.entries}, packed)


def bundle(parts: Mapping[str, bytes], **header: Any) -> bytes:
    """Several messages as one: `STB1`, the length of a header, the header with the place of each part, the parts."""
    places, at = {}, 0
    for name, part in parts.items():
        places[name] = [at, len(part)]
        at += len(part)
    return _with_header(BUNDLE, {**header, "parts": places}, parts.values())


def _with_header(magic: bytes, header: Mapping[str, Any], contents: Iterable[bytes]) -> bytes:
    head = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    return b"".join([magic, len(head).to_bytes(4, "little"), head, *contents])


class _Writer:
    """Header entries and raw bytes of the columns of one table, in order."""

    def __init__(self, table: Mapping[str, np.ndarray], hints: Mapping[str, Hint]):
        self.entries: list[dict[str, Any]] = []
        self.contents: list[bytes] = []
        self._hints = hints
        self._whole: dict[str, np.ndarray] = {}
        self._known: dict[str, dict[str, np.ndarray]] = {kind: {} for kind in DTYPES}
        self._times(table)
        for name, values in table.items():
            self._column(name, np.ascontiguousarray(values))

    def _times(self, table: Mapping[str, np.ndarray]) -> None:
        """Choose how all times of the table are written: by one decimal scale, or by a table of instants."""
        times = [values for name, values in table.items() if self._hint(name).time]
        occurring = [values[~np.isnan(values)] for values in times]
        scales = [_scale(values) for values in occurring]
        self._scale = None if None in scales else max((scale for scale in scales if scale is not None), default=0)
        self._instants = np.zeros(0, "<i8")
        if self._scale is None:
            self._instants = np.unique(np.concatenate([values.astype("<f8").view("<i8") for values in occurring]))
            entry = {"name": INSTANTS, "type": "f8", "rows": len(self._instants), "bits": True}
            self._put(entry, _bits(self._instants))

    def _hint(self, name: str) -> Hint:
        return self._hints.get(name, Hint())

    def _put(self, entry: dict[str, Any], content: bytes = b"") -> None:
        self.entries.append(entry)
        self.contents.append(content)

    def _column(self, name: str, values: np.ndarray) -> None:
        kind = values.dtype.str[1:]
        entry: dict[str, Any] = {"name": name, "type": kind}
        shape = values.astype("<f8").view("<i8") if kind == "f8" else values
        same = next((known for known, other in self._known[kind].items() if _same(shape, other)), None)
        if len(values) == 0 or ((shape == shape[0]).all() and np.isfinite(values[0]) | np.isnan(values[0])):
            first = values[0].item() if len(values) else 0
            self._put({**entry, "constant": None if first != first else first})
        elif same is not None:
            self._put({**entry, "same": same})
        else:
            self._known[kind][name] = shape
            self._numbers(entry, values)

    def _numbers(self, entry: dict[str, Any], values: np.ndarray) -> None:
        """Whole numbers where the values are such in any way, else their bits."""
        hint = self._hint(entry["name"])
        missing = np.isnan(values) if entry["type"] == "f8" else np.zeros(len(values), bool)
        given = np.where(missing, 0, values)
        if entry["type"] != "f8":
            numbers = values.astype("i8")
        elif hint.time and self._scale is None:
            entry["table"] = INSTANTS
            numbers = np.searchsorted(self._instants, given.astype("<f8").view("<i8"))
        else:
            scale = self._scale if hint.time else _scale(values[~missing])
            if scale is None:
                self._put({**entry, "bits": True}, _bits(values.astype("<f8").view("<i8")))
                return
            entry["scale"] = scale
            numbers = np.rint(given * 10.0**scale).astype("i8")
        self._planes(entry, numbers, missing, hint)

    def _planes(self, entry: dict[str, Any], numbers: np.ndarray, missing: np.ndarray, hint: Hint) -> None:
        other = self._whole.get(hint.to) if hint.to else None
        if other is not None:
            entry["to"] = hint.to
            numbers = numbers - other
        numbers = np.where(missing, 0, numbers)
        self._whole[entry["name"]] = numbers if other is None else numbers + other
        if hint.delta:
            entry["delta"] = True
            numbers = np.diff(numbers, prepend=0)
        if numbers.min() < 0:
            entry["signed"] = True
            numbers = (numbers << 1) ^ (numbers >> 63)
        if hint.repeat:
            entry["repeat"] = True
            again = np.zeros(len(numbers), bool)
            again[1:] = numbers[1:] == numbers[:-1]
            numbers = np.where(again, 0, numbers + 1)
        width = max(1, (int(numbers.max()).bit_length() + 7) // 8)
        entry["width"] = width
        content = _planes_of(numbers, width)
        if missing.any():
            entry["missing"] = True
            content = missing.astype(np.uint8).tobytes() + content
        self._put(entry, content)


def _scale(values: np.ndarray) -> int | None:
    """The fewest decimals that write every value exactly; None when three are not enough, or for a negative zero."""
    if not np.isfinite(values).all() or np.signbit(values[values == 0]).any():
        return None
    for scale in range(MOST_DECIMALS + 1):
        whole = np.rint(values * 10.0**scale)
        if (np.abs(whole) >= EXACT).any():
            return None
        if (whole / 10.0**scale == values).all():
            return scale
    return None


def _same(values: np.ndarray, other: np.ndarray) -> bool:
    return values[0] == other[0] and np.array_equal(values, other)


def _bits(patterns: np.ndarray) -> bytes:
    """The eight planes of the differences of bit patterns."""
    return _planes_of(np.diff(patterns.view("<u8"), prepend=np.uint64(0)).view("<i8"), 8)


def _planes_of(numbers: np.ndarray, width: int) -> bytes:
    size = 4 if width <= 4 else 8
    return numbers.astype(f"<u{size}").view(np.uint8).reshape(-1, size)[:, :width].T.tobytes()


def _gzip(content: bytes) -> bytes:
    if not content:
        return b""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    return packer.compress(content) + packer.flush()
