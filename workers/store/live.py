"""Store the tables of a running run: columns that only grow, so that readers fetch rows from the n-th on.

They lie in a folder here, or in Redis (`workers.redis_live`). Nothing is flushed to disk; a crash may lose it, and the
finished tables replace it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Protocol

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.workers.store import disk
from shadowtime.workers.store.live_layout import head_of, layout_of, types_of, unpacked

MANIFEST = "manifest.json"


class LiveSink(Protocol):
    """Receives the live tables of one attempt; one thread calls it."""

    def append(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Append rows of `segments` or `events`."""
        ...

    def replace(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Replace `open` or `jobs`, which do not only grow."""
        ...

    def close(self) -> None:
        """Write nothing more; what is written stays."""
        ...

    def __enter__(self) -> LiveSink: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class LiveSource(Protocol):
    """Returns what was written of a run by now."""

    def read(self, name: str, after: int = 0, limit: int | None = None) -> Table:
        """Return rows `after .. after + limit` of `segments` or `events`, as far as written; no columns before the
        first."""
        ...

    def rows(self, name: str) -> int:
        """Return the number of complete rows of `segments` or `events`."""
        ...

    def whole(self, name: str) -> Table:
        """Return `open` (rectangles that still grow) or `jobs`; no columns when nothing was written."""
        ...


class LivePlace(Protocol):
    """Where the live tables of all runs lie."""

    def writer(self, digest: str) -> LiveSink:
        """Return the writer of a new attempt of a run."""
        ...

    def tables(self, digest: str) -> LiveSource:
        """Return the tables of a run."""
        ...

    def clear(self, digest: str) -> None:
        """Delete the tables of a run, which may have none."""
        ...


class FolderLive:
    """Live tables in folders, which the web process and all workers share."""

    def __init__(self, path: Path):
        self._path = path

    def writer(self, digest: str) -> LiveWriter:
        return LiveWriter(self._path / digest)

    def tables(self, digest: str) -> LiveTables:
        return LiveTables(self._path / digest)

    def clear(self, digest: str) -> None:
        disk.clear(self._path / digest)


def live_place(folder: Path, bucket: str, redis_url: str, identity: Callable[[], str]) -> LivePlace:
    """Return where live tables lie: in `folder`, or in Redis when the blobs lie in a `bucket`: workers then need not
    share a folder with the web process. `identity` returns that of the store, when it is first needed."""
    if not bucket or not redis_url:
        return FolderLive(folder)
    from shadowtime.workers.connection import connect
    from shadowtime.workers.redis_live import TIMEOUT, RedisLive

    return RedisLive(connect(redis_url, TIMEOUT), identity)


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
        draft = disk.temporary(self._path / name)
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        try:
            os.write(file, head_of(table))
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
        disk.replace_file(folder / MANIFEST, layout_of(table), durable=False)
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
        return unpacked(content)

    def _dtypes(self, name: str) -> dict[str, np.dtype]:
        try:
            layout = (self._path / name / MANIFEST).read_bytes()
        except FileNotFoundError:
            return {}
        return types_of(layout)

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
