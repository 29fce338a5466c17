"""Make one step of an operation fail: writes to the disk, changes of the database, calls of Redis.

A step is an opening of a file to be written, a write, an fsync, a new folder, a renaming, a link or a removal below the
store; a statement of the database, or the end of a transaction; a command to Redis, or a pipeline of them. They are
counted in the order in which they come. At the step numbered `at` one of these happens:

error       the step fails once, and is not done
lost        the step is done, but its answer is lost: of a transaction's end, and of Redis
full        the disk is full from here on; the first write takes half of its bytes
read-only   the disk is read-only from here on
kill        the process is killed before the step; in a write, after half of its bytes
power       the same, and the disk loses what was not flushed to it: contents of files, and names in folders
away        Redis does not answer from here on
refused     Redis answers from here on that it has no memory
emptied     Redis loses all its content before the step

Everything is patched for good: an operation with an `Injector` runs in a forked process.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import redis.client
import redis.exceptions
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect

from shadowtime.workers.records.database import FILE as DATABASE
from shadowtime.workers.store import disk, reserve

ERROR, LOST, FULL, READ_ONLY, KILL, POWER = "error", "lost", "full", "read-only", "kill", "power"
AWAY, REFUSED, EMPTIED = "away", "refused", "emptied"
HOW = (ERROR, LOST, FULL, READ_ONLY, KILL, POWER, AWAY, REFUSED, EMPTIED)
DISK, BASE, REDIS = "disk", "database", "Redis"
LASTING = (FULL, READ_ONLY, AWAY, REFUSED)
"""Faults that stay from their step on."""
EVENTS = {"os.rename": True, "os.mkdir": True, "os.link": True, "os.truncate": True, "os.remove": False,
          "os.rmdir": False}  # fmt: skip
"""What Python reports of itself, and whether it needs room."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = ("INSERT", "UPDATE", "DELETE", "CREATE", "BEGIN IMMEDIATE")
COMMIT = "COMMIT"


class Step(NamedTuple):
    """One step as it came."""

    where: str
    """DISK, BASE or REDIS."""
    what: str
    """Such as `rename blobs`, `UPDATE runs`, COMMIT, `EVAL`."""
    is_change: bool = True
    needs_room: bool = False

    @property
    def on_postgresql(self) -> tuple[str, ...]:
        """What may happen to a step on PostgreSQL: the connection, or this process, is lost before it or after it."""
        if self.where != BASE or not self.is_change:
            return ()
        return (ERROR, LOST, KILL) if self.what == COMMIT else (ERROR,)

    @property
    def variants(self) -> tuple[str, ...]:
        """What may happen at it."""
        if self.where == REDIS:
            return ERROR, LOST, AWAY, REFUSED, EMPTIED, KILL
        if not self.is_change:
            return (ERROR,)
        found = [ERROR, KILL, POWER, READ_ONLY]
        found += [FULL] if self.needs_room or self.where == BASE else []
        found += [LOST] if self.what == COMMIT else []
        return tuple(found)


class Injector:
    """Counts the steps of this process below the folder `root`, and lets one of them fail."""

    def __init__(self, root: Path, at: int, how: str):
        self.root, self.at, self.how = str(root), at, how
        self.steps: list[Step] = []
        self.is_armed = self.is_hit = self.has_committed = False
        self.unflushed: set[str] = set()
        """Files whose content is not known to be on the disk, and names of which that is not known."""
        self.unnamed: set[str] = set()
        self._base: Any = None
        """The connection of the driver that takes the step."""
        self._lock = threading.Lock()
        self._transaction = threading.local()
        self._is_full = True

    def arm(self) -> None:
        """Patch everything, and begin to count."""
        sys.addaudithook(self._heard)
        self._patch_disk()
        self._patch_base()
        self._patch_redis()
        self.is_armed = True

    def end(self) -> None:
        """The operation has ended, and its answer is about to be given: the last place to be killed at."""
        if not self.is_hit and len(self.steps) < self.at and self.how in (KILL, POWER):
            self._die()
        self.is_armed = False

    # -- steps

    def step(self, step: Step, path: str = "") -> str | None:
        """Count a step; raise or die, or return what is to be done instead of it."""
        if not self.is_armed:
            return None
        with self._lock:
            self.steps.append(step)
            number = len(self.steps)
        if number < self.at or (number > self.at and self.how not in LASTING):
            return None
        if number > self.at and not self.is_hit:
            return None
        self.is_hit = True
        return self._happen(step, path, is_first=number == self.at)

    def _happen(self, step: Step, path: str, *, is_first: bool) -> str | None:
        how = self.how
        if how in (KILL, POWER):
            if step.what.startswith("write "):
                return how
            self._die()
        if step.where == REDIS:
            return how
        if how == ERROR:
            raise self._error(step, errno.EIO, path)
        if how == FULL and self._is_full and (step.needs_room or (step.where == BASE and step.is_change)):
            if is_first and step.what.startswith("write "):
                return FULL
            raise self._error(step, errno.ENOSPC, path)
        if how == READ_ONLY and step.is_change:
            raise self._error(step, errno.EROFS, path)
        return LOST if how == LOST else None

    def _error(self, step: Step, number: int, path: str) -> Exception:
        if step.where == DISK:
            return OSError(number, os.strerror(number), path)
        if not isinstance(self._base, sqlite3.Connection):
            import psycopg

            self._base.close()  # the server undoes what was not committed
            return psycopg.OperationalError("server closed the connection unexpectedly")
        codes = {
            errno.EIO: (sqlite3.SQLITE_IOERR, "disk I/O error"),
            errno.ENOSPC: (sqlite3.SQLITE_FULL, "database or disk is full"),
            errno.EROFS: (sqlite3.SQLITE_READONLY, "attempt to write a readonly database"),
        }
        code, words = codes[number]
        error = sqlite3.OperationalError(words)
        error.sqlite_errorcode = code
        return error

    def _die(self) -> None:
        if self.how == POWER:
            self.is_armed = False
            for path in self.unnamed:
                _quietly(os.unlink, path)
            for path in self.unflushed - self.unnamed:
                _quietly(os.truncate, path, 0)
        os.kill(os.getpid(), signal.SIGKILL)

    # -- the disk

    def _heard(self, event: str, given: tuple[Any, ...]) -> None:
        if not self.is_armed:
            return
        if event == "open":
            path, mode, flags = given
            if flags & WRITING or (isinstance(mode, str) and set(mode) & set("wax+")):
                name = self._below(path)
                if name:
                    self.step(Step(DISK, f"open {self._folder(name)}", needs_room=True), name)
                    self.unflushed.add(name)
        elif event in EVENTS:
            self._changed(event.removeprefix("os."), given, needs_room=EVENTS[event])

    def _changed(self, what: str, given: tuple[Any, ...], *, needs_room: bool) -> None:
        places = given[2:] if what in ("rename", "link") else given[1:]
        name = self._below(given[0], places[0] if places and what != "truncate" else -1)
        if not name:
            return
        self.step(Step(DISK, f"{what} {self._folder(name)}", needs_room=needs_room), name)
        if what in ("rename", "link"):
            target = self._below(given[1])
            moved = {one for one in self.unflushed if f"{one}/".startswith(f"{name}/")}
            self.unflushed |= {target + one.removeprefix(name) for one in moved}
            self.unflushed -= moved if what == "rename" else set()
            self.unnamed.add(target)
        if what in ("rename", "remove"):
            self.unflushed.discard(name)
            self.unnamed.discard(name)
        if what == "remove" and name == f"{self.root}/{reserve.NAME}":
            self._is_full = False  # it was given up for what comes now

    def _below(self, path: Any, folder: int = -1) -> str:
        """The path of something below the root that counts; empty for anything else."""
        if isinstance(path, int):
            path = _path_of(path)
        if not isinstance(path, str | bytes | os.PathLike):
            return ""
        text = os.fsdecode(path)
        if folder >= 0 and not text.startswith("/"):
            text = f"{_path_of(folder)}/{text}"
        is_counted = text.startswith(f"{self.root}/") and not text.endswith(".lock")
        return text if is_counted and not Path(text).name.startswith(DATABASE) else ""

    def _folder(self, name: str) -> str:
        """The first part of a path below the root."""
        return name.removeprefix(f"{self.root}/").partition("/")[0].partition("-")[0]

    def _patch_disk(self) -> None:
        real_write, real_open = os.write, io.open

        def write(file: int, content: Any) -> int:
            name = self._below(file)
            return self.write(name, content, partial(real_write, file)) if name else real_write(file, content)

        def opened(path: Any, mode: str = "r", buffering: int = -1, *more: Any, **also: Any) -> Any:
            if not self.is_armed or set(mode) != set(mode) & set("wxab") or "b" not in mode or not self._below(path):
                return real_open(path, mode, buffering, *more, **also)
            return io.BufferedWriter(_Counted(os.fspath(path), mode.replace("b", ""), self))

        def synced(file: Any) -> None:
            name = self._below(file if isinstance(file, int) else file.fileno())
            if not name and _path_of(file) == self.root:
                name = f"{self.root}/."
            if name:
                self.step(Step(DISK, f"fsync {self._folder(name)}", needs_room=True), name)
                self._flushed(name)

        def all_synced(folder: Path) -> None:
            if str(folder).startswith(self.root):
                self.step(Step(DISK, f"syncfs {self._folder(str(folder))}", needs_room=True), str(folder))
                self.unflushed.clear()
                self.unnamed.clear()

        def allocated(file: int, offset: int, size: int) -> None:
            self.step(Step(DISK, "allocate reserve", needs_room=True), _path_of(file))
            os.ftruncate(file, size)

        os.write, os.fsync, os.posix_fallocate = write, synced, allocated
        builtins.open = io.open = opened
        disk.sync_all = all_synced

    def write(self, name: str, content: Any, send: Callable[[Any], int]) -> int:
        """Write, or a part of it."""
        instead = self.step(Step(DISK, f"write {self._folder(name)}", needs_room=True), name)
        self.unflushed.add(name)
        if instead is None:
            return send(content)
        view = memoryview(content).cast("B")
        n = send(view[: len(view) // 2]) if len(view) > 1 else 0
        if instead in (KILL, POWER):
            self._die()
        if not n:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
        return n

    def _flushed(self, name: str) -> None:
        self.unflushed.discard(name)
        folder = name.removesuffix("/.")
        self.unnamed = {one for one in self.unnamed if os.path.dirname(one) != folder}

    # -- the database

    def _patch_base(self) -> None:
        def counted(real: Callable[..., Any]) -> Callable[..., Any]:
            def run(dialect: Any, cursor: Any, statement: str, *given: Any, **also: Any) -> Any:
                self._base = cursor.connection
                self.step(Step(BASE, _short(statement), is_change=statement.startswith(CHANGES)))
                return real(dialect, cursor, statement, *given, **also)

            return run

        for name in ("do_execute", "do_executemany", "do_execute_no_params"):
            setattr(DefaultDialect, name, counted(getattr(DefaultDialect, name)))
        real_commit = DefaultDialect.do_commit

        def commit(dialect: Any, connection: Any) -> None:
            is_change = getattr(self._transaction, "writes", False)
            self._base = getattr(connection, "driver_connection", connection)
            instead = self.step(Step(BASE, COMMIT if is_change else "COMMIT of a read", is_change=is_change))
            real_commit(dialect, connection)
            self.has_committed |= is_change and self.is_armed
            if instead == LOST:
                raise self._error(Step(BASE, COMMIT), errno.EIO, "")

        def began(connection: Connection) -> None:
            self._transaction.writes = bool(connection.get_execution_options().get("shadowtime_writes"))

        DefaultDialect.do_commit = commit
        event.listen(Engine, "begin", began)

    # -- Redis

    def _patch_redis(self) -> None:
        def counted(real: Callable[..., Any], name: Callable[[Any, tuple[Any, ...]], str]) -> Callable[..., Any]:
            def run(client: Any, *given: Any, **also: Any) -> Any:
                instead = self.step(Step(REDIS, name(client, given)))
                if instead == REFUSED:
                    raise redis.exceptions.OutOfMemoryError("command not allowed when used memory > 'maxmemory'.")
                if instead in (ERROR, AWAY):
                    raise redis.exceptions.ConnectionError("Error 111 connecting. Connection refused.")
                if instead == EMPTIED:
                    connection = redis.client.Redis(connection_pool=client.connection_pool)
                    connection._execute_command("FLUSHALL")
                found = real(client, *given, **also)
                if instead == LOST:
                    raise redis.exceptions.ConnectionError("Connection closed by server.")
                return found

            return run

        def of_command(client: Any, given: tuple[Any, ...]) -> str:
            return str(given[0]).split()[0]

        def of_pipeline(client: Any, given: tuple[Any, ...]) -> str:
            return "+".join(dict.fromkeys(str(command[0][0]) for command in client.command_stack)) or "EXEC"

        base, pipeline = redis.client.Redis, redis.client.Pipeline
        base.execute_command = counted(base.execute_command, of_command)
        pipeline.immediate_execute_command = counted(pipeline.immediate_execute_command, of_command)
        pipeline.execute = counted(pipeline.execute, of_pipeline)


class _Counted(io.FileIO):
    """A file whose writes are steps."""

    def __init__(self, path: Any, mode: str, injector: Injector):
        super().__init__(path, mode)
        self._name, self._injector = os.fsdecode(path), injector

    def write(self, content: Any) -> int:
        return self._injector.write(self._name, content, super().write)


def _short(statement: str) -> str:
    """The command of a statement, and the table that it changes."""
    words = statement.replace('"', "").split()
    table = {"INSERT": 2, "UPDATE": 1, "DELETE": 2, "CREATE": 2}.get(words[0])
    if words[0] == "SELECT" and "FROM" in words:
        table = words.index("FROM") + 1
    return " ".join([words[0], *words[table : table + 1]]) if table is not None else " ".join(words[:2])


def _path_of(file: Any) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{file if isinstance(file, int) else file.fileno()}")
    except OSError:
        return ""


def _quietly(act: Callable[..., None], *given: Any) -> None:
    with contextlib.suppress(OSError):
        act(*given)
