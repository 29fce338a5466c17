"""Every step of an operation on the store, as a place to die at, or from which on the disk is full or read-only.

A step is an opening of a file to be written, a new folder, a renaming, a removal or an fsync below the store, a
statement that changes the database, or the end of a transaction. The operation is done in a forked process, on a copy
of a prepared store, once for each of its steps.

python -m tests.chaos.steps OPERATION kill|full|read-only FOLDER hits some steps and prints how many. It needs a
process with a single thread: a fork while another thread is in SQLite leaves SQLite locked in the child.
"""

from __future__ import annotations

import errno
import gc
import logging
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy

from shadowtime.engine.errors import EngineError
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import disk, open_store
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.sweeps import batch

KILL, FULL, READ_ONLY = "kill", "full", "read-only"
HOW = (KILL, FULL, READ_ONLY)
DONE, REFUSED, WRONG = 0, 3, 4
"""How the forked process ends: nothing was left to be hit; it said that it could not; it said something unforeseen."""
EVENTS = {"os.rename": 1, "os.mkdir": 1, "os.link": 1, "os.remove": 0, "os.rmdir": 0, "os.truncate": 1}
"""What Python reports of itself, and whether it needs room."""
CHANGES = ("INSERT", "UPDATE", "DELETE")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass(frozen=True)
class Operation:
    """Something done to a store."""

    name: str
    prepare: Callable[[RecordStore], None]
    act: Callable[[RecordStore], Any]
    look: Callable[[RecordStore, bool], None]
    """Asserts about the store afterwards; whether the operation had ended well is its second argument."""
    stride: int = 1
    """The short form hits every so-many-th step."""


class Hit:
    """Counts steps below `root` and, at the step numbered `at`, does what `how` says."""

    def __init__(self, root: Path, at: int, how: str):
        self.root, self.at, self.how = str(root), at, how
        self.count = 0
        self.is_armed = False

    def arm(self) -> None:
        self.is_armed = True
        sys.addaudithook(self.heard)
        os.fsync = self.synced
        sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", self.executed)
        sqlalchemy.event.listen(sqlalchemy.Engine, "commit", self.committed)

    def disarm(self) -> None:
        self.is_armed = False

    def heard(self, event: str, given: tuple[Any, ...]) -> None:
        if not self.is_armed:
            return
        if event == "open":
            path, mode, flags = given
            if flags & WRITING or (isinstance(mode, str) and set(mode) & set("wax+")):
                self.step(path, needs_room=True)
        elif event in EVENTS:
            self.step(given[0], needs_room=bool(EVENTS[event]))

    def synced(self, descriptor: Any) -> None:
        if self.is_armed:
            self.step(self.root, needs_room=True)

    def executed(self, connection: Any, cursor: Any, statement: str, *given: Any) -> None:
        if self.is_armed and statement.startswith(CHANGES):
            self.step(self.root, needs_room=True)

    def committed(self, connection: sqlalchemy.Connection) -> None:
        if self.is_armed and connection.get_execution_options().get("shadowtime_writes"):
            self.step(self.root, needs_room=True)

    def step(self, path: Any, *, needs_room: bool) -> None:
        text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
        if not text.startswith(self.root) or text.endswith(".lock"):
            return
        self.count += 1
        if self.count < self.at:
            return
        if self.how == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.how == FULL and needs_room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), text)
        elif self.how == READ_ONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), text)


def attempt(path: Path, operation: Operation, at: int, how: str) -> int:
    """Do it in a process of its own that is hit at a step; how that ended, WRONG with a sentence on standard error."""
    child = os.fork()
    if child == 0:
        code = WRONG
        try:
            store = open_store(path)
            hit = Hit(path, at, how)
            hit.arm()
            operation.act(store)
            hit.disarm()
            code = DONE if hit.count < at else REFUSED
        except (OSError, EngineError):
            code = REFUSED
        except BaseException as error:
            print(f"{operation.name}, step {at}, {how}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def prepare(path: Path, operation: Operation) -> None:
    """In a process of its own: nobody has the index open while it is copied."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            operation.prepare(open_store(path))
            gc.collect()
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, f"{operation.name} could not be prepared"


def sound(store: RecordStore, where: str) -> None:
    """Nothing that the store holds is other than it was written."""
    found = "; ".join(map(str, faults(store)))
    assert not found, f"{where}: {found}"


@contextmanager
def hurried() -> Iterator[None]:
    """Nothing waits for the disk, or for room on it: processes die here, not the machine."""
    before = os.fsync, disk.sync_all, batch.KEEP_PAUSE
    os.fsync, disk.sync_all, batch.KEEP_PAUSE = lambda where: None, lambda where: None, 0.0
    try:
        yield
    finally:
        os.fsync, disk.sync_all, batch.KEEP_PAUSE = before


def tried(folder: Path, operation: Operation, how: str, *, is_short: bool) -> int:
    """Hit an operation at each of its steps (or at some) and look at what is left; how many faults it were."""
    stride = operation.stride if is_short else 1
    with hurried():
        return _tried(folder, operation, how, stride, 1 + stride // 2)


def _tried(folder: Path, operation: Operation, how: str, stride: int, first: int) -> int:
    prepared, copy = folder / "prepared", folder / "copy"
    prepare(prepared, operation)
    for count, at in enumerate(range(first, 10_000, stride)):
        shutil.copytree(prepared, copy)
        code = attempt(copy, operation, at, how)
        where = f"{operation.name}, step {at}, {how}"
        assert code in ((DONE, -signal.SIGKILL) if how == KILL else (DONE, REFUSED)), f"{where}: ended with {code}"
        store = open_store(copy)
        store.tidy()  # as each worker does when it starts
        sound(store, where)
        operation.look(store, code == DONE)
        operation.act(store)  # what could not be done then can be done now
        operation.look(store, True)
        sound(store, f"{where}, done again")
        shutil.rmtree(copy)
        if code == DONE:
            shutil.rmtree(prepared)
            return count
    raise AssertionError(f"{operation.name} does not end")


def main() -> int:
    """Hit one operation in the short form."""
    from tests.chaos.operations import OPERATIONS

    name, how, folder = sys.argv[1:]
    operation = next(one for one in OPERATIONS if one.name == name)
    logging.disable(logging.WARNING)
    print(tried(Path(folder), operation, how, is_short=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
