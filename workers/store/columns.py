"""Store a table on disk: a folder with one `.npy` file a column and a manifest, mapped into memory when read.

The manifest holds a CRC-32 of every file. It is compared when a process first reads a file, and again when the file was
replaced (1 M segments: 30 ms, once). Tables of older versions have no checksum and are read unchecked.

Columns of a ragged table (the processes of jobs beside the index where each job's begin) have different lengths.
"""

from __future__ import annotations

import os
import re
import shutil
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from shadowtime.engine.tables import Table, rows
from shadowtime.workers import npy
from shadowtime.workers.store import disk, seal

MANIFEST = "manifest.json"
NUMBERS = re.compile(r"[<>|=]?[biuf]\d{1,2}", re.ASCII)
WRITERS = 4
"""Columns written at once: writing and flushing leave Python's lock (1 M segments: 100 ms alone, 60 with four)."""
MANY_BYTES = 4_000_000
PIECE = 1 << 20
"""Bytes that are read at once for a checksum; read, not mapped, since a mapped page that the disk cannot deliver kills
the process."""
FILES_KNOWN = 20_000
"""Files whose checksum is remembered."""
PREFIX = 10
"""Bytes of a `.npy` file before its header: what it is, its version, and in the last two the header's length."""


def write_tables(directory: Path, tables: Mapping[str, Mapping[str, np.ndarray]], *, durable: bool = True) -> None:
    """Write one folder a table inside `directory`, which no process reads yet; with `durable`, flushed to disk."""
    work = [
        (directory / name / f"{column}.npy", values)
        for name, table in tables.items()
        for column, values in table.items()
    ]
    for name in tables:
        (directory / name).mkdir()
    if sum(values.nbytes for _, values in work) > MANY_BYTES:
        with ThreadPoolExecutor(WRITERS) as writers:
            digests = list(writers.map(lambda one: _write(one[0], one[1], durable), work))
    else:
        digests = [_write(path, values, durable) for path, values in work]
    written = {path: digest for (path, _), digest in zip(work, digests, strict=True)}
    for name, table in tables.items():
        columns = {column: values.dtype.str for column, values in table.items()}
        said: dict[str, Any] = {"rows": rows(table), "columns": columns}
        if any(len(values) != rows(table) for values in table.values()):
            said["lengths"] = {column: len(values) for column, values in table.items()}
        said["digests"] = {column: written[directory / name / f"{column}.npy"] for column in table}
        disk.write_new(directory / name / MANIFEST, seal.sealed(said), durable=durable)
        if durable:
            disk.sync_directory(directory / name)


def read_table(directory: Path, *, mapped: bool = True) -> Table:
    """Return the columns of a table; `mapped`: read-only views of the files, which cost nothing until accessed.

    Raises
    ------
    FileNotFoundError
        When there is no such table, or no file of a column.
    ValueError
        When a file is not what was written, naming it.
    """
    columns = _columns(directory)
    _check(columns)
    return {path.stem: _column(path, dtype, n, mapped) for path, dtype, n, _ in columns}


def _columns(directory: Path) -> list[tuple[Path, np.dtype, int, str | None]]:
    """Return path, type, length and checksum (None: unknown) of each column, from the manifest."""
    try:
        manifest = seal.opened((directory / MANIFEST).read_bytes())
        lengths, digests = manifest.get("lengths", {}), manifest.get("digests", {})
        return [
            (
                directory / f"{_name(name)}.npy",
                _dtype(text),
                _length(lengths.get(name, manifest["rows"])),
                digests.get(name),
            )
            for name, text in manifest["columns"].items()
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{directory.name}/{MANIFEST} does not hold what was written ({error})") from None


def _name(text: str) -> str:
    """Check a column's name, which is also a file's name."""
    if not text.isidentifier():
        raise ValueError(f"{text[:40]!r} is no column")
    return text


def _dtype(text: str) -> np.dtype:
    """Return a type of numbers; numpy would evaluate some other texts as Python."""
    if not NUMBERS.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no type of numbers")
    return np.dtype(text)


def _length(given: Any) -> int:
    if not isinstance(given, int) or given < 0:
        raise ValueError(f"{str(given)[:40]!r} is no number of values")
    return given


def _check(columns: list[tuple[Path, np.dtype, int, str | None]]) -> None:
    """Compare the files of columns with their checksums.

    Raises
    ------
    ValueError
        Naming a file that is not what was written.
    """
    known = [(path, digest, os.stat(path)) for path, _, _, digest in columns if digest is not None]
    if sum(file.st_size for _, _, file in known) > MANY_BYTES:
        with ThreadPoolExecutor(WRITERS) as readers:
            found = list(readers.map(lambda one: _digest(one[0], *_stamp(one[2])), known))
    else:
        found = [_digest(path, *_stamp(file)) for path, _, file in known]
    for (path, digest, _), now in zip(known, found, strict=True):
        if now != digest:
            raise ValueError(f"{path.parent.name}/{path.name} does not hold what was written")


def _stamp(file: os.stat_result) -> tuple[int, int, int]:
    """Return values that change whenever the file is rewritten."""
    return file.st_mtime_ns, file.st_size, file.st_ino


@lru_cache(FILES_KNOWN)
def _digest(path: Path, *stamp: int) -> str:
    """Return the CRC-32 of a file's bytes, cached by the file's `stamp`."""
    with open(path, "rb", buffering=0) as file:
        return _crc(file)


def _column(path: Path, dtype: np.dtype, n: int, mapped: bool) -> np.ndarray:
    """Return the `n` values of a `.npy` file: the bytes after its header.

    The manifest repeats what the header says. numpy would parse the header with `ast`, which in several threads at once
    fails now and then (SystemError: AST constructor recursion depth mismatch, seen with Python 3.11.7).
    """
    with open(path, "rb") as file:
        start = file.read(PREFIX)
        offset = PREFIX + int.from_bytes(start[-2:], "little")
        if len(start) < PREFIX or os.fstat(file.fileno()).st_size != offset + n * dtype.itemsize:
            raise ValueError(f"{path.parent.name}/{path.name} does not hold {n} values of type {dtype}")
        if mapped and n:
            return np.memmap(file, dtype, "r", offset, (n,))
        return np.fromfile(file, dtype, n, offset=offset - PREFIX)


def _write(path: Path, values: np.ndarray, durable: bool) -> str:
    """Write one `.npy` file; return the CRC-32 of its bytes."""
    if source := npy.spooled(values):
        return _link(source, path, durable)
    values = np.ascontiguousarray(values)
    header, rest = npy.header(values.dtype, values.shape), values.reshape(-1).view(np.uint8).data
    digest = zlib.crc32(rest, zlib.crc32(header))
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        os.write(descriptor, header)
        while len(rest):
            rest = rest[os.write(descriptor, rest) :]
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return f"{digest:08x}"


def _link(source: Path, path: Path, durable: bool) -> str:
    """Give a spooled column, whose file is complete, its name; return the CRC-32 of its bytes."""
    try:
        os.link(source, path)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, path)
    with open(path, "rb", buffering=0) as file:
        if durable:
            os.fsync(file.fileno())
        return _crc(file)


def _crc(file: Any) -> str:
    found, piece = 0, bytearray(PIECE)
    while n := file.readinto(piece):
        found = zlib.crc32(memoryview(piece)[:n], found)
    return f"{found:08x}"
