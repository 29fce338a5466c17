"""Store the tables of a running run: columns that only grow, so that readers fetch rows from the n-th on.

Nothing here is flushed to disk; a crash may lose it, and the finished tables replace it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.workers.store import disk
from shadowtime.workers.store.columns import MANIFEST


class LiveWriter:
    """Append to `segments` and `events` of one attempt; replace `open` and `jobs` as a whole."""

    def __init__(self, path: Path):
        self._path = path
        self._files: dict[str, dict[str, int]] = {}

    def append(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Append rows of `segments` or `events`."""
        if name not in self._files:
            self._files[name] = self._begin(name, table)
        for column, file in self._files[name].items():
            _write(file, table[column])

    def replace(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Replace a table that does not only grow: one file, a line with the layout and then the columns."""
        self._path.mkdir(exist_ok=True)
        shape = {column: [values.dtype.str, len(values)] for column, values in table.items()}
        draft = disk.temporary(self._path / name)
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        try:
            os.write(file, json.dumps(shape).encode() + b"\n")
            for values in table.values():
                _write(file, values)
        finally:
            os.close(file)
        os.replace(draft, self._path / f"{name}.columns")

    def close(self) -> None:
        """Close the files; their content stays."""
        for files in self._files.values():
            for file in files.values():
                os.close(file)
        self._files = {}

    def __enter__(self) -> LiveWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, name: str, table: Mapping[str, np.ndarray]) -> dict[str, int]:
        folder = self._path / name
        folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        files = {column: os.open(folder / column, flags, 0o644) for column in table}
        dtypes = {column: values.dtype.str for column, values in table.items()}
        disk.replace_file(folder / MANIFEST, json.dumps(dtypes).encode(), durable=False)
        return files


class LiveTables:
    """Read what a LiveWriter, perhaps on another machine, has written by now."""

    def __init__(self, path: Path):
        self._path = path

    def read(self, name: str, after: int = 0, limit: int | None = None) -> Table:
        """Return rows `after .. after + limit` of `segments` or `events`, as far as written; no columns before the
        first."""
        dtypes = self._dtypes(name)
        stop = self._rows(name, dtypes)
        if limit is not None:
            stop = min(stop, after + limit)
        count = max(0, stop - after)
        with suppress(FileNotFoundError):
            return {
                column: np.fromfile(self._path / name / column, dtype, count, offset=after * dtype.itemsize)
                for column, dtype in dtypes.items()
            }
        return {}

    def rows(self, name: str) -> int:
        """Return the number of complete rows of `segments` or `events`."""
        return self._rows(name, self._dtypes(name))

    def whole(self, name: str) -> Table:
        """Return `open` (rectangles that still grow) or `jobs`; no columns when nothing was written."""
        try:
            content = (self._path / f"{name}.columns").read_bytes()
        except FileNotFoundError:
            return {}
        place = content.index(b"\n") + 1
        table = {}
        for column, (dtype, count) in json.loads(content[:place]).items():
            table[column] = np.frombuffer(content, dtype, count, place)
            place += table[column].nbytes
        return table

    def _dtypes(self, name: str) -> dict[str, np.dtype]:
        try:
            manifest = json.loads((self._path / name / MANIFEST).read_bytes())
        except FileNotFoundError:
            return {}
        return {column: np.dtype(text) for column, text in manifest.items()}

    def _rows(self, name: str, dtypes: Mapping[str, np.dtype]) -> int:
        try:
            sizes = [os.stat(self._path / name / column).st_size // dtype.itemsize for column, dtype in dtypes.items()]
        except FileNotFoundError:
            return 0
        return min(sizes, default=0)


def _write(file: int, values: np.ndarray) -> None:
    left = np.ascontiguousarray(values).data.cast("B") if len(values) else memoryview(b"")
    while left:
        left = left[os.write(file, left) :]
