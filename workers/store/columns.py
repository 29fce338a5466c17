"""A table on disk: a folder with one `.npy` file a column and a manifest, mapped into memory when read.

Columns of a ragged table (the processes of jobs beside where each job's begin) have lengths of their own.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.tables import Table, rows
from workers.store import disk

MANIFEST = "manifest.json"
WRITERS = 4
"""Columns written at once: writing and flushing leave Python's lock (1 M segments: 100 ms alone, 60 with four)."""
MANY_BYTES = 4_000_000
PREFIX = 10
"""Bytes of a `.npy` file before its header: what it is, its version, and in the last two the header's length."""


def write_tables(directory: Path, tables: Mapping[str, Mapping[str, np.ndarray]], *, durable: bool = True) -> None:
    """One folder a table inside `directory`, which nobody reads yet; with `durable`, on disk when this returns."""
    work = [
        (directory / name / f"{column}.npy", values)
        for name, table in tables.items()
        for column, values in table.items()
    ]
    for name in tables:
        (directory / name).mkdir()
    if sum(values.nbytes for _, values in work) > MANY_BYTES:
        with ThreadPoolExecutor(WRITERS) as writers:
            list(writers.map(lambda one: _write(one[0], one[1], durable), work))
    else:
        for path, values in work:
            _write(path, values, durable)
    for name, table in tables.items():
        columns = {column: values.dtype.str for column, values in table.items()}
        said: dict[str, Any] = {"rows": rows(table), "columns": columns}
        if any(len(values) != rows(table) for values in table.values()):
            said["lengths"] = {column: len(values) for column, values in table.items()}
        manifest = json.dumps(said).encode()
        disk.write_new(directory / name / MANIFEST, manifest, durable=durable)
        if durable:
            disk.sync_directory(directory / name)


def read_table(directory: Path, *, mapped: bool = True) -> Table:
    """The columns of a table; `mapped`: read-only views of the files, which cost nothing until looked at.

    Raises
    ------
    FileNotFoundError
        When there is no such table.
    """
    manifest = json.loads((directory / MANIFEST).read_bytes())
    lengths = manifest.get("lengths", {})
    return {
        name: _column(directory / f"{name}.npy", np.dtype(text), lengths.get(name, manifest["rows"]), mapped)
        for name, text in manifest["columns"].items()
    }


def _column(path: Path, dtype: np.dtype, n: int, mapped: bool) -> np.ndarray:
    """The `n` values of a `.npy` file: all that stands behind its header.

    The manifest says what the header says. numpy would read that as Python, by `ast`, which in several threads at
    once fails now and then (SystemError: AST constructor recursion depth mismatch, seen with Python 3.11.7).
    """
    with open(path, "rb") as file:
        start = file.read(PREFIX)
        offset = PREFIX + int.from_bytes(start[-2:], "little")
        if len(start) < PREFIX or os.fstat(file.fileno()).st_size != offset + n * dtype.itemsize:
            raise ValueError(f"{path} does not hold {n} values of type {dtype}")
        if mapped and n:
            return np.memmap(file, dtype, "r", offset, (n,))
        return np.fromfile(file, dtype, n, offset=offset - PREFIX)


def _write(path: Path, values: np.ndarray, durable: bool) -> None:
    values = np.ascontiguousarray(values)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        os.write(descriptor, _header(values.dtype, values.shape))
        rest = values.reshape(-1).view(np.uint8).data
        while len(rest):
            rest = rest[os.write(descriptor, rest) :]
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@lru_cache(maxsize=256)
def _header(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    """What a `.npy` file begins with; many small tables have the same."""
    start = io.BytesIO()
    np.lib.format.write_array_header_1_0(start, {"descr": dtype.str, "fortran_order": False, "shape": shape})
    return start.getvalue()
