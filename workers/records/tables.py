"""Write a table as one file, whose columns are mapped into memory when they are read.

The file holds a line with the layout as JSON ({"rows", "columns": [[name, type, values, place]]}), and then the
columns, each at a multiple of 64 bytes. Columns of a ragged table (the processes of jobs beside the index where each
job's begin) have different lengths.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from shadowtime.engine.tables import Table, rows
from shadowtime.workers.records.blobs import Draft

NUMBERS = re.compile(r"[<>|=]?[biuf]\d{1,2}", re.ASCII)
ALIGN = 64
MANY_BYTES = 4_000_000
"""A larger table is hashed while it is written."""
LONGEST_LAYOUT = 1 << 20


def write_table(path: Path, table: Mapping[str, np.ndarray]) -> Draft:
    """Write a table to a new file; return it with its digest.

    A large one is hashed by a thread while it is written and flushed to disk. A small one is written at once, since
    between two calls another thread takes the interpreter, and is not flushed.
    """
    columns = {name: np.ascontiguousarray(values) for name, values in table.items()}
    pieces = _pieces(columns)
    size = sum(map(len, pieces))
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        if size <= MANY_BYTES:
            content = b"".join(pieces)
            _write(file, memoryview(content))
            return Draft(path, hashlib.sha256(content).hexdigest(), size)
        found = hashlib.sha256()
        with ThreadPoolExecutor(1) as hasher:
            for piece in pieces:
                hasher.submit(found.update, piece)
                _write(file, piece)
            os.fsync(file)
        return Draft(path, found.hexdigest(), size, is_flushed=True)
    finally:
        os.close(file)


def read_table(path: Path, *, mapped: bool = True) -> Table:
    """Return the columns of a table; `mapped`: read-only views of the file, which cost nothing until accessed.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        When it holds no table.
    """
    with open(path, "rb") as file:
        columns = _columns(file.readline(LONGEST_LAYOUT))
        end = max((place + n * dtype.itemsize for _, dtype, n, place in columns), default=0)
        if os.fstat(file.fileno()).st_size < end:
            raise ValueError("the file of a table is shorter than its columns")
        if not end:
            return {name: np.zeros(0, dtype) for name, dtype, _, _ in columns}
        if mapped:
            content: Any = np.memmap(file, np.uint8, "r")
        else:
            content = np.fromfile(file, np.uint8, offset=-file.tell())
    return {name: content[place : place + n * dtype.itemsize].view(dtype) for name, dtype, n, place in columns}


def _pieces(columns: Mapping[str, np.ndarray]) -> list[memoryview]:
    """Return the bytes of a file: the layout, and each column with what fills it up to a multiple of ALIGN."""
    pieces = [memoryview(_head(columns))]
    for values in columns.values():
        data = values.reshape(-1).view(np.uint8).data
        pieces += [data, memoryview(bytes(-len(data) % ALIGN))]
    return pieces


def _head(columns: Mapping[str, np.ndarray]) -> bytes:
    """Return the padded line with the layout. Places depend on its length, which depends on them: a few rounds."""
    length = ALIGN
    while True:
        place, listed = length, []
        for name, values in columns.items():
            listed.append([name, values.dtype.str, len(values), place])
            place += values.nbytes + -values.nbytes % ALIGN
        text = json.dumps({"rows": rows(columns), "columns": listed}, separators=(",", ":")).encode()
        if len(text) < length:
            return text.ljust(length - 1) + b"\n"
        length = len(text) + 1 + -(len(text) + 1) % ALIGN


def _columns(line: bytes) -> list[tuple[str, np.dtype, int, int]]:
    """Return name, type, number of values and place of each column. numpy would evaluate some texts as Python: only
    types of numbers are read."""
    try:
        found = []
        for name, text, n, place in json.loads(line)["columns"]:
            if not NUMBERS.fullmatch(text) or not all(isinstance(one, int) and one >= 0 for one in (n, place)):
                raise ValueError(f"{name!r} is no column")
            found.append((str(name), np.dtype(text), n, place))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"the file holds no table ({error})") from None
    return found


def _write(file: int, left: memoryview) -> None:
    while left:
        left = left[os.write(file, left) :]
