"""Index the store in index.sqlite, so that listings and filters need not open every folder.

It may be lost at any time: the folders are the truth, and `refill` rebuilds it from them. Several processes use it at
once. On network file systems, where SQLite's shared memory does not work, it falls back to plain locking.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from shadowtime.workers.records.database import DatabaseAway, choose_journal, connect, disk_error, on_network, read_only

log = logging.getLogger(__name__)

LAYOUT = 3
"""Increased when the tables change; an index of another layout is rebuilt."""
PATIENCE = 10.0
"""Seconds to wait for another process that writes."""

SCHEMA = """
CREATE TABLE runs (
    digest TEXT PRIMARY KEY, status TEXT, algorithm TEXT, workload TEXT, label TEXT, client TEXT,
    accepted TEXT, jobs INTEGER, took REAL, owner TEXT, priority TEXT, stamp INTEGER
) WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs (accepted DESC, digest DESC);
CREATE INDEX runs_by_status ON runs (status, accepted DESC, digest DESC);
CREATE INDEX runs_by_workload ON runs (workload);
CREATE TABLE workloads (
    digest TEXT PRIMARY KEY, label TEXT, added TEXT, stamp INTEGER
) WITHOUT ROWID;
CREATE INDEX workloads_by_time ON workloads (added DESC, digest DESC);
"""

KEYS = {
    "runs": (
        "digest", "status", "algorithm", "workload", "label", "client", "accepted", "jobs", "took", "owner", "priority",
        "stamp",
    ),
    "workloads": ("digest", "label", "added", "stamp"),
}  # fmt: skip

TORN = ("malformed", "disk I/O error", "no such table", "no such column")
"""SQLite's messages for a file that it cannot use any more."""

_INHERITED: list[_Open] = []
"""Connections of a parent process: a fork must neither use nor close them."""
MOST_FREE = 8
"""Idle connections kept open. The web process has 320 threads, few of which query at once."""

T = TypeVar("T")
Row = dict[str, Any]


class _Open:
    """A connection to the file that had the name when it was opened."""

    def __init__(self, path: Path):
        self.base = connect(path, PATIENCE)
        self.base.isolation_level = None
        if not read_only(path):
            choose_journal(self.base, "DELETE" if on_network(path) else "WAL")
            self.base.execute("PRAGMA synchronous = NORMAL")
        self.file = _identity(path)
        self.process = os.getpid()


class _Mine(threading.local):
    """The connection that this thread uses now."""

    held: _Open | None = None


class Index:
    """The index of one store. Connections are opened when first needed; one thread uses each at a time."""

    def __init__(self, path: Path, refill: Callable[[], None]):
        self.path = path
        self._refill = refill
        self._mine = _Mine()
        self._free: deque[_Open] = deque()

    def put(self, table: str, row: Row, *, is_sure: bool = False, is_needed: bool = False) -> None:
        """Insert or update a row, unless the present row comes from a newer file (`stamp`) and not `is_sure`.

        Raises
        ------
        DatabaseAway, OSError
            With `is_needed`, if the row could not be written; else that is logged.
        """
        keys = KEYS[table]
        changes = ", ".join(f"{key} = excluded.{key}" for key in keys[1:])
        self._change(
            f"INSERT INTO {table} ({', '.join(keys)}) VALUES ({', '.join('?' * len(keys))}) "
            f"ON CONFLICT (digest) DO UPDATE SET {changes}" + ("" if is_sure else " WHERE excluded.stamp >= stamp"),
            [row[key] for key in keys],
            is_needed=is_needed,
        )

    def remove(self, table: str, digest: str) -> None:
        self._change(f"DELETE FROM {table} WHERE digest = ?", [digest])

    def rows(self, table: str, where: Sequence[tuple[str, Sequence[Any]]] = (), tail: str = "") -> list[Row]:
        """Return rows for which all of `where` (SQL, values) hold."""
        text = " AND ".join(condition for condition, _ in where)
        values = [value for _, some in where for value in some]
        query = f"SELECT {', '.join(KEYS[table])} FROM {table} {'WHERE ' + text if text else ''} {tail}"
        found = self._do(lambda base: base.execute(query, values).fetchall())
        return [dict(zip(KEYS[table], row, strict=True)) for row in found]

    def digests(self, table: str, where: Sequence[tuple[str, Sequence[Any]]], tail: str = "") -> list[str]:
        """Return the digests of the rows for which all of `where` hold."""
        text = " AND ".join(condition for condition, _ in where)
        values = [value for _, some in where for value in some]
        query = f"SELECT digest FROM {table} WHERE {text} {tail}"
        return [digest for (digest,) in self._do(lambda base: base.execute(query, values).fetchall())]

    def counts(self, table: str, key: str, where: Sequence[tuple[str, Sequence[Any]]] = ()) -> dict[str, int]:
        """Count the rows for which all of `where` hold, by the value of `key`."""
        text = " AND ".join(condition for condition, _ in where)
        values = [value for _, some in where for value in some]
        query = f"SELECT {key}, count(*) FROM {table} {'WHERE ' + text if text else ''} GROUP BY {key}"
        return dict(self._do(lambda base: base.execute(query, values).fetchall()))

    def load(self, table: str, of: str, where: Sequence[tuple[str, Sequence[Any]]]) -> tuple[int, int]:
        """Return the number of rows for which all of `where` hold, and the sum of `of` over them."""
        text = " AND ".join(condition for condition, _ in where)
        values = [value for _, some in where for value in some]
        query = f"SELECT count(*), coalesce(sum({of}), 0) FROM {table} WHERE {text}"
        return self._do(lambda base: tuple(base.execute(query, values).fetchone()))

    def stamps(self, table: str) -> dict[str, int]:
        """Return when the file behind each row was written."""
        return dict(self._do(lambda base: base.execute(f"SELECT digest, stamp FROM {table}").fetchall()))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Apply many changes as one transaction."""
        self._do(_begin_in_vain)
        with self._connection() as base:
            base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                base.execute("ROLLBACK")
                raise
            base.execute("COMMIT")

    def integrity(self) -> str:
        """Return `ok`, or what SQLite finds wrong with the file; nothing is rebuilt.

        Raises
        ------
        sqlite3.Error
            When the file cannot be read at all.
        """
        base = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", timeout=PATIENCE, uri=True)
        try:
            return str(base.execute("PRAGMA integrity_check(1)").fetchone()[0])
        finally:
            base.close()

    def rebuild(self) -> None:
        """Rebuild the index from the folders; other processes switch to the new file."""
        self._forget()
        with self._connection():
            pass

    def _forget(self) -> None:
        for name in (self.path, Path(f"{self.path}-wal"), Path(f"{self.path}-shm")):
            name.unlink(missing_ok=True)

    def _change(self, statement: str, values: Sequence[Any], *, is_needed: bool = False) -> None:
        try:
            self._do(lambda base: base.execute(statement, values))
        except sqlite3.Error as error:
            if is_needed:
                raise disk_error(error) or DatabaseAway(
                    f"the index of the store is busy ({error}); try again"
                ) from error
            # The folder is up to date; the next `reindex` updates the index.
            log.warning("the index %s was not brought up to date: %s", self.path, error)

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            with self._connection() as base:
                return work(base)
        except sqlite3.DatabaseError as error:
            is_torn = not isinstance(error, sqlite3.OperationalError) or any(word in str(error) for word in TORN)
            if not is_torn or self._mine.held is not None:
                raise
            log.warning("the index %s is damaged (%s) and is written again from the folders", self.path, error)
            self._forget()
            with self._connection() as base:
                return work(base)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection to the file that has the name now; nested calls of this thread get the same one."""
        mine = self._mine
        if mine.held is not None and mine.held.process == os.getpid():
            yield mine.held.base
            return
        kept = self._kept()
        mine.held = held = kept or _Open(self.path)
        is_whole = False
        try:
            if kept is None and _layout(held.base) != LAYOUT:
                self._lay_out(held.base)
            yield held.base
            is_whole = True
        finally:
            mine.held = None
            if is_whole and not held.base.in_transaction and len(self._free) < MOST_FREE:
                self._free.append(held)
            else:
                held.base.close()

    def _kept(self) -> _Open | None:
        """Return an idle connection, or None."""
        while True:
            try:
                found = self._free.pop()
            except IndexError:
                return None
            if found.process != os.getpid():
                _INHERITED.append(found)
            elif found.file == _identity(self.path):
                return found
            else:
                found.base.close()

    def _lay_out(self, base: sqlite3.Connection) -> None:
        """Create the tables and fill them in one transaction: readers never see them empty."""
        base.execute("BEGIN IMMEDIATE")
        if _layout(base) != LAYOUT:
            for table in KEYS:
                base.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in filter(str.strip, SCHEMA.split(";")):
                base.execute(statement)
            base.execute(f"PRAGMA user_version = {LAYOUT}")
            self._refill()
        base.execute("COMMIT")


def _begin_in_vain(base: sqlite3.Connection) -> None:
    """Check that the file can be written to at all, since inside a transaction it is too late to rebuild it."""
    base.execute("BEGIN IMMEDIATE")
    base.execute("ROLLBACK")


def _layout(base: sqlite3.Connection) -> int:
    return base.execute("PRAGMA user_version").fetchone()[0]


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
