"""Open the database of record: SQLite in the store's folder, or PostgreSQL by URL.

Write transactions are short. On SQLite one begins with BEGIN IMMEDIATE, so that it waits for another writer at its
start and never fails in its middle.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import time
import weakref
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, QueuePool, Select, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, ProgrammingError, SQLAlchemyError

from shadowtime.engine.errors import EngineError, InvalidParameter
from shadowtime.workers import utc
from shadowtime.workers.records import damaged_log, upgrade
from shadowtime.workers.records.group_commit import GroupCommit
from shadowtime.workers.settings import MOST_PORT

T = TypeVar("T")

FILE = "records.sqlite"
PATIENCE = 30.0
"""Seconds to wait for another writer."""
LOOK_EVERY = 0.001
"""Seconds between two looks whether another process has ended its write transaction."""
CACHE, MAPPED = 16_384, 1 << 30
"""Kilobytes of pages that a connection of SQLite keeps, and bytes of the file that it maps: a search that reads all of
100,000 runs takes half the time."""
PRAGMAS = (
    "synchronous = FULL", "foreign_keys = ON", "secure_delete = FAST", f"cache_size = {-CACHE}",
    f"mmap_size = {MAPPED}",
)  # fmt: skip
"""Of SQLite. With FAST, the deletion of 10,000 outcomes of runs writes 2 MB; where SQLite is built to overwrite what it
deletes, it would write 22 MB, for which a full disk has no room."""
DRIVERS = ("sqlite", "postgresql+psycopg")
NETWORK = ("nfs", "cifs", "smb", "9p", "lustre", "gpfs", "beegfs", "ceph", "glusterfs", "afs", "fuse")
"""File systems on which the shared memory of SQLite's write-ahead log does not work."""
log = logging.getLogger(__name__)
_OPEN: weakref.WeakSet[Database] = weakref.WeakSet()


class DatabaseAway(EngineError, ConnectionError):
    """The database does not answer, or cannot be written to."""


class Database:
    """One database, which several threads and processes use at once."""

    def __init__(self, url: str):
        """Open it, and bring its tables up to date.

        Raises
        ------
        InvalidParameter
            If `url` names no database that is supported.
        DatabaseAway
            If it does not answer, refuses, or was made by a later version.
        """
        check_url(url)
        self.is_sqlite = url.startswith("sqlite:")
        self.engine = _engine(url, self.is_sqlite)
        self._group_commit = GroupCommit(self.write, answered)
        _OPEN.add(self)
        try:
            with answered():
                if self.is_sqlite:
                    self._look_at_log()
                upgrade.upgrade(self.engine)
        except ProgrammingError as error:  # an unknown parameter in the URL, or a user who may not make tables
            raise DatabaseAway(f"the database cannot be used: {_first_line(error)}") from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection that reads one state of the database."""
        with answered(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection inside a write transaction: committed at the end of the block, undone by an error."""
        with answered(), self.engine.connect() as connection:
            connection.execution_options(shadowtime_writes=True)
            with connection.begin():
                yield connection

    def write_together(self, do: Callable[[Connection], T]) -> T:
        """Return what `do` returns, once it is committed; on SQLite other threads may share the transaction.

        An exception of `do` undoes what it wrote.
        """
        if self.is_sqlite:
            return self._group_commit(do)
        with self.write() as connection:
            return do(connection)

    def share_compiled(self, other: Database) -> None:
        """Use and extend the compiled statements of another database of the same kind.

        SQLAlchemy finds them by the dialect object, and has no public way to share them between engines.
        """
        self.engine.dialect, self.engine._compiled_cache = other.engine.dialect, other.engine._compiled_cache

    def now(self, connection: Connection, plus: timedelta = timedelta()) -> str:
        """Return the time, or the time `plus` from it, as UTC text: of PostgreSQL's clock, which all machines share,
        or of this machine, on which all processes of a SQLite database run."""
        base = utc.now() if self.is_sqlite else connection.execute(select(func.clock_timestamp())).scalar_one()
        return utc.utc_text(base + plus)

    def is_there(self) -> bool:
        """Return whether the database answers."""
        try:
            with self.read() as connection:
                connection.execute(select(1))
        except (DatabaseAway, OSError):
            return False
        return True

    def _look_at_log(self) -> None:
        """Let SQLite take over the log of a process that was killed, and note whether that is damaged.

        Raises
        ------
        DatabaseAway
            If all records were in the damaged log: an empty database must not take their place.
        """
        path = Path(str(self.engine.url.database))
        with self.engine.connect() as connection:
            is_empty = not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
            connection.rollback()
            if not read_only(path):
                base: Any = connection.connection.driver_connection
                try:
                    damaged_log.note(path, lambda: base.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])
                except sqlite3.OperationalError as error:  # a full disk must be freed through this database
                    if disk_error(error) is None:
                        raise
                    log.warning("the log of %s was not looked at: %s", path, error)
        if is_empty and damaged_log.kept(path).exists():
            raise DatabaseAway(
                f"the log of the database is damaged, and all records were in it: restore a backup, or delete "
                f"{damaged_log.kept(path)} to begin with none"
            )

    def close(self) -> None:
        """Close the idle connections."""
        self.engine.dispose()


@contextmanager
def answered() -> Iterator[None]:
    """Raise DatabaseAway, in one sentence, where the database does not answer; OSError where its disk is full."""
    try:
        yield
    except OperationalError as error:
        if isinstance(error.orig, sqlite3.Error) and (of_disk := disk_error(error.orig)):
            raise of_disk from error
        raise DatabaseAway(f"the database does not answer: {_first_line(error)}") from error
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.DatabaseError) and not isinstance(error.orig, sqlite3.IntegrityError):
            raise DatabaseAway(f"the database cannot be read: {_first_line(error)}") from error
        raise
    except UnicodeDecodeError as error:  # SQLite's own message quotes a damaged name
        raise DatabaseAway("the database cannot be read: the names of its tables are damaged") from error
    except SQLAlchemyError as error:  # such as a pool without a free connection
        raise DatabaseAway(f"the database does not answer: {str(error).splitlines()[0]}") from error


def disk_error(error: sqlite3.Error) -> OSError | None:
    """Return the error of the disk behind one of SQLite: full, or read-only; None for another."""
    codes = {sqlite3.SQLITE_FULL: errno.ENOSPC, sqlite3.SQLITE_READONLY: errno.EROFS}
    number = codes.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return OSError(number, os.strerror(number), "the database") if number else None


def url_in(folder: Path) -> str:
    """Return the URL of the SQLite database in the folder of a store."""
    return f"sqlite:///{folder.absolute() / FILE}"


def rows(connection: Connection, query: Select, **values: Any) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries; `values` are those of its parameters."""
    return [dict(row) for row in connection.execute(query, values).mappings()]


def alone(connection: Connection, what: str) -> None:
    """Let one transaction at a time do `what` from here on; on SQLite every write transaction is alone."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(zlib.crc32(what.encode()))))


def insert_ignoring(connection: Connection, table: Any, rows: Any) -> int:
    """Insert rows, without those whose primary key is taken; return how many were inserted."""
    return int(connection.execute(_ignoring(connection.dialect.name, table), rows).rowcount)


def upsert(connection: Connection, table: Any, rows: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Insert a row, or rows with the same columns, or replace all columns of those with the same primary keys."""
    many = [dict(rows)] if isinstance(rows, Mapping) else [dict(row) for row in rows]
    if many:
        connection.execute(_upserting(connection.dialect.name, table, tuple(many[0])), many)


@cache
def _ignoring(dialect: str, table: Any) -> Any:
    return _insert(dialect, table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


@cache
def _upserting(dialect: str, table: Any, names: tuple[str, ...]) -> Any:
    keys = [column.name for column in table.primary_key]
    statement = _insert(dialect, table)
    changes = {name: statement.excluded[name] for name in names if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changes)


def _insert(dialect: str, table: Any) -> Any:
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]
    return insert(table)


def check_url(url: str) -> None:
    """Check the URL of a database without connecting to it.

    Raises
    ------
    InvalidParameter
        If it names no database that is supported.
    """
    driver, mark, _ = url.partition("://")
    if not mark or driver not in DRIVERS:
        begin = driver.partition(":")[0][:40]  # no more of it: a password may follow
        raise InvalidParameter(
            f"SHADOWTIME_DATABASE begins with {begin!r}, but it must begin with "
            f"{' or '.join(f'{name}://' for name in DRIVERS)}"
        )
    try:
        parts = make_url(url)
        if parts.port is not None and not 0 < parts.port <= MOST_PORT:
            raise ValueError(parts.port)
    except (ArgumentError, ValueError):
        raise InvalidParameter(
            "SHADOWTIME_DATABASE must be like postgresql+psycopg://user:password@host:5432/name"
        ) from None


def _engine(url: str, is_sqlite: bool) -> Engine:
    if not is_sqlite:
        return create_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=32, connect_args={"connect_timeout": 5})
    path = Path(url.partition("///")[2])
    _close_to_others(path)
    engine = create_engine(
        url, creator=lambda: connect(path, PATIENCE), poolclass=QueuePool, pool_size=8, max_overflow=-1
    )
    journal = "DELETE" if on_network(path) else "WAL"

    @event.listens_for(engine, "connect")
    def prepare(base: sqlite3.Connection, _: Any) -> None:
        base.isolation_level = None  # SQLAlchemy begins transactions: Python's module would do it too late
        base.text_factory = partial(str, encoding="utf-8", errors="replace")  # a damaged text fails its checksum
        if read_only(path):
            return
        choose_journal(base, journal)
        for pragma in PRAGMAS:
            base.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("shadowtime_writes"):
            _wait_to_write(connection)
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _wait_to_write(connection: Connection) -> None:
    """Begin a write transaction as soon as no other process is in one.

    SQLite itself would look every 100 ms after a while, and come too late again and again beside a process that writes
    much: two workers finished 520 runs in the time in which they finish 820 now (`benchmarks.load`, 200 viewers).
    """
    until = time.monotonic() + PATIENCE
    base: Any = connection.connection.driver_connection
    base.execute("PRAGMA busy_timeout = 0")
    try:
        while not _begins(base) and time.monotonic() < until:
            time.sleep(LOOK_EVERY)
        if not base.in_transaction:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # raises what SQLAlchemy makes of the error
    finally:
        base.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")


def _begins(base: sqlite3.Connection) -> bool:
    """Begin a write transaction; return False if another process is in one, and True after any other error."""
    try:
        base.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        return "locked" not in str(error)
    return True


def _close_to_others(path: Path) -> None:
    """Create the file of SQLite for its owner alone, since it holds the key of private runs; close an older one to
    other users."""
    with suppress(OSError):  # a read-only disk, or a folder that is missing: opening it gives the error
        with suppress(FileExistsError):  # to open and close a database in use would free SQLite's locks on it
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        mode = path.stat().st_mode & 0o777
        if mode & 0o007:
            path.chmod(mode & 0o770)


def connect(path: Path, timeout: float) -> sqlite3.Connection:
    """Return a connection to a file of SQLite, which other threads may use; on a read-only disk it can be read."""
    uri = read_only(path)
    return sqlite3.connect(uri or str(path), timeout=timeout, check_same_thread=False, uri=uri is not None)


def read_only(path: Path) -> str | None:
    """Return the URI by which a file on a read-only disk can be opened; None on any other disk.

    SQLite must know that no process writes, since it cannot make the shared memory of its write-ahead log there.
    """
    if os.access(path.parent, os.W_OK) or not path.exists():
        return None
    log = Path(f"{path}-wal")
    return f"{path.absolute().as_uri()}?{'mode=ro' if log.exists() and log.stat().st_size else 'immutable=1'}"


def choose_journal(base: sqlite3.Connection, journal: str) -> None:
    """Choose the journal mode. SQLite refuses at once to change it while another process starts to write."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            base.execute(f"PRAGMA journal_mode = {journal}")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)


def on_network(path: Path) -> bool:
    """Return whether a path is on a network file system; only Linux reports that."""
    try:
        mounts = Path("/proc/self/mounts").read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    place = os.path.realpath(path)
    kinds = {mount: kind for _, mount, kind, *_ in (line.split(" ") for line in mounts)}
    inside = [mount for mount in kinds if place == mount or place.startswith(mount.rstrip("/") + "/")]
    return bool(inside) and kinds[max(inside, key=len)].startswith(NETWORK)


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__


def _leave_inherited() -> None:
    """In a forked process: neither use nor close the connections of the parent, nor wait for its threads."""
    for database in list(_OPEN):
        database.engine.dispose(close=False)
        database._group_commit = GroupCommit(database.write, answered)


os.register_at_fork(after_in_child=_leave_inherited)
