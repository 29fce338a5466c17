"""Spool tables to a folder as `.npy` columns, which are appended to and then mapped."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from shadowtime.engine.tables import PART, Table, rows
from shadowtime.workers import npy


class FileSpool:
    """Tables of one run in a folder, which is made with the first of them; see `engine.output.spool`.

    As a context manager it removes the folder at the end. Columns that are mapped then stay readable, and free their
    space when they are let go of.
    """

    def __init__(self, folder: Path, rows: int = PART):
        self.folder = folder
        self.rows = rows
        self.written = 0
        """Bytes written so far."""

    def draft(self, name: str, schema: Mapping[str, np.dtype], n: int) -> FileDraft:
        folder = self.folder / name
        folder.mkdir(parents=True)
        self.written += n * row_bytes(schema)
        return FileDraft(folder, schema, n)

    def remove(self, name: str) -> None:
        shutil.rmtree(self.folder / name)

    @property
    def free(self) -> int:
        """Return the bytes left on the folder's file system."""
        place = self.folder
        while not place.is_dir():
            place = place.parent
        return shutil.disk_usage(place).free

    def __enter__(self) -> FileSpool:
        return self

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class FileDraft:
    """A table that is being written."""

    def __init__(self, folder: Path, schema: Mapping[str, np.dtype], n: int):
        self._folder, self._schema, self._left, self._rows = folder, schema, n, n
        for name, dtype in schema.items():
            (folder / f"{name}.npy").write_bytes(npy.header(np.dtype(dtype), (n,)))

    def append(self, table: Mapping[str, np.ndarray]) -> None:
        """Write more rows.

        Raises
        ------
        OSError
            When the disk is full.
        """
        self._left -= rows(table)
        for name, dtype in self._schema.items():
            with (self._folder / f"{name}.npy").open("ab", buffering=0) as file:
                left = np.ascontiguousarray(table[name], dtype).view(np.uint8).data
                while len(left):
                    left = left[file.write(left) :]

    def close(self) -> Table:
        assert self._left == 0, "a spooled table has as many rows as it was begun for"
        return {
            name: npy.map_spooled(self._folder / f"{name}.npy", np.dtype(dtype), self._rows)
            for name, dtype in self._schema.items()
        }


def row_bytes(schema: Mapping[str, np.dtype]) -> int:
    """Bytes of a row."""
    return sum(np.dtype(dtype).itemsize for dtype in schema.values())
