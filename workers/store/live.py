"""Store the tables of a running run, of which readers fetch the rows from the n-th on.

They lie in a folder here, or in Redis (`workers.redis_live`). Nothing is flushed to disk; a crash may lose it, and the
finished tables replace it. In the folder of a run:

<table>.rows     the pieces of `segments` or `events` as they were appended, each a packed table
<table>.index    of each piece the number of rows up to its end, the place of its end, and the checksum of both
<table>.columns  `open` or `jobs`, a packed table
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from shadowtime.engine.tables import Table, concatenate, rows, take
from shadowtime.workers.errors import Damaged
from shadowtime.workers.store import disk
from shadowtime.workers.store.live_layout import packed, unpacked
from shadowtime.workers.store.live_sink import LiveSink

PIECE = np.dtype([("rows", "<i8"), ("end", "<i8"), ("checksum", "<u4")])
"""An entry of the index."""

T = TypeVar("T")


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


class LiveWriter(LiveSink):
    """Append to `segments` and `events` of one attempt; replace `open` and `jobs` as a whole."""

    def __init__(self, path: Path):
        self._path = path
        self._growing: dict[str, _Growing] = {}

    def append(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Append rows of `segments` or `events`."""
        if name not in self._growing:
            self._path.mkdir(parents=True, exist_ok=True)
            self._growing[name] = _Growing(self._path, name)
        self._growing[name].append(table)

    def replace(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Replace a table that does not only grow."""
        self._path.mkdir(parents=True, exist_ok=True)
        disk.replace_file(self._path / f"{name}.columns", packed(table), durable=False)

    def close(self) -> None:
        """Close the files; their content stays."""
        for growing in self._growing.values():
            growing.close()
        self._growing = {}


class _Growing:
    """The two files of a table that grows. A piece is there once its entry of the index is."""

    def __init__(self, path: Path, name: str):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        self._index, self._rows = (os.open(path / f"{name}.{kind}", flags, 0o644) for kind in ("index", "rows"))
        self._n = self._end = 0

    def append(self, table: Mapping[str, np.ndarray]) -> None:
        content = packed(table)
        _write(self._rows, content)
        self._n, self._end = self._n + rows(table), self._end + len(content)
        _write(self._index, _entry(self._n, self._end))

    def close(self) -> None:
        os.close(self._index)
        os.close(self._rows)


class LiveTables:
    """Read what a LiveWriter, perhaps of another process, has written by now.

    All methods raise Damaged where the files hold something else.
    """

    def __init__(self, path: Path):
        self._path = path

    def read(self, name: str, after: int = 0, limit: int | None = None) -> Table:
        """Return rows `after .. after + limit` of `segments` or `events`, as far as written; no columns before the
        first."""
        return self._twice(lambda: self._read(name, after, limit), {})

    def rows(self, name: str) -> int:
        """Return the number of complete rows of `segments` or `events`."""
        return self._twice(lambda: _Index(self._path / f"{name}.index").rows, 0)

    def whole(self, name: str) -> Table:
        """Return `open` (rectangles that still grow) or `jobs`; no columns when nothing was written."""
        return self._twice(lambda: unpacked((self._path / f"{name}.columns").read_bytes()), {})

    def _read(self, name: str, after: int, limit: int | None) -> Table:
        index = _Index(self._path / f"{name}.index")
        if not index.n:
            return {}
        stop = index.rows if limit is None else min(index.rows, after + limit)
        first, last = index.piece(min(after, index.rows)), index.piece(min(stop, index.rows))
        with open(self._path / f"{name}.rows", "rb") as file:
            file.seek(index.end(first - 1))
            pieces = [unpacked(file.read(index.end(n) - index.end(n - 1))) for n in range(first, last + 1)]
        if sum(map(rows, pieces)) != index.at(last) - index.at(first - 1):
            raise ValueError("other rows than the index has")
        begin = index.at(first - 1)
        types = {column: values.dtype for column, values in pieces[0].items()}
        return take(concatenate(pieces, types), slice(after - begin, max(after, stop) - begin))

    def _twice(self, act: Callable[[], T], nothing: T) -> T:
        """Call `act`, and once more where it finds something else than was written: a new attempt may just begin."""
        try:
            try:
                return act()
            except ValueError:
                return act()
        except FileNotFoundError:
            return nothing
        except ValueError:
            raise Damaged(
                "What was drawn of this run so far is not what was written; the end of the run replaces it."
            ) from None


class _Index:
    """The pieces of a table; ValueError where an entry is not what was written."""

    def __init__(self, path: Path):
        content = path.read_bytes()
        self.n = len(content) // PIECE.itemsize
        self._entries = np.frombuffer(content, PIECE, self.n)

    @property
    def rows(self) -> int:
        """Rows of all pieces."""
        return self.at(self.n - 1)

    def piece(self, row: int) -> int:
        """Return the number of the piece that holds a row; the last one for the row after all."""
        found = min(int(np.searchsorted(self._entries["rows"], row, "right")), self.n - 1)
        if not self.at(found - 1) <= row <= self.at(found):
            raise ValueError("the index is not in order")
        return found

    def at(self, number: int) -> int:
        """Return the rows up to the end of a piece; none before the first."""
        return int(self._checked(number)["rows"]) if number >= 0 else 0

    def end(self, number: int) -> int:
        """Return the place of the end of a piece."""
        return int(self._checked(number)["end"]) if number >= 0 else 0

    def _checked(self, number: int) -> np.void:
        entry = self._entries[number]
        if entry.tobytes() != _entry(int(entry["rows"]), int(entry["end"])):
            raise ValueError("the index does not hold what was written")
        return entry


def _entry(n: int, end: int) -> bytes:
    content = np.array([n, end], "<i8").tobytes()
    return content + zlib.crc32(content).to_bytes(4, "little")


def _write(file: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(file, left) :]
