"""Read a table as older versions stored it: a folder with one `.npy` file a column and a manifest with checksums."""

from __future__ import annotations

import io
import os
import re
import zlib
from pathlib import Path

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.workers.store import seal

NUMBERS = re.compile(r"[<>|=]?[biuf]\d{1,2}", re.ASCII)
PREFIX = 10
"""Bytes of a `.npy` file before its header: what it is, its version, and in the last two the header's length."""
PIECE = 1 << 20


def read_table(directory: Path) -> Table:
    """Return the columns of a table; large ones are mapped into memory.

    Raises
    ------
    FileNotFoundError
        When there is no such table, or no file of a column.
    ValueError
        When a file is not what was written, naming it. Files without a checksum are read unchecked.
    """
    name = f"{directory.name}/manifest.json"
    try:
        manifest = seal.opened((directory / "manifest.json").read_bytes())
        lengths, digests = manifest.get("lengths", {}), manifest.get("digests", {})
        columns = {
            column: (_dtype(text), int(lengths.get(column, manifest["rows"])), digests.get(column))
            for column, text in manifest["columns"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{name} does not hold what was written ({error})") from None
    if not all(column.isidentifier() and n >= 0 for column, (_, n, _) in columns.items()):
        raise ValueError(f"{name} does not hold what was written")
    return {column: _column(directory / f"{column}.npy", *known) for column, known in columns.items()}


def _dtype(text: str) -> np.dtype:
    """Return a type of numbers; numpy would evaluate some other texts as Python."""
    if not NUMBERS.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no type of numbers")
    return np.dtype(text)


def _column(path: Path, dtype: np.dtype, n: int, digest: str | None) -> np.ndarray:
    with open(path, "rb", buffering=0) as file:
        start, size = os.pread(file.fileno(), PREFIX, 0), os.fstat(file.fileno()).st_size
        content = file.readall() if size <= PIECE else None
        found = _crc(file) if content is None else zlib.crc32(content)
    offset = PREFIX + int.from_bytes(start[-2:], "little")
    is_whole = len(start) == PREFIX and size == offset + n * dtype.itemsize
    if not is_whole or digest not in (None, f"{found:08x}"):
        raise ValueError(f"{path.parent.name}/{path.name} does not hold what was written")
    if not n:
        return np.zeros(0, dtype)
    return np.memmap(path, dtype, "r", offset, (n,)) if content is None else np.frombuffer(content, dtype, n, offset)


def _crc(file: io.FileIO) -> int:
    found, piece = 0, bytearray(PIECE)
    while read := file.readinto(piece):
        found = zlib.crc32(memoryview(piece)[:read], found)
    return found
