"""Group commit: one write transaction for what several threads of a process write at the same moment.

SQLite lets one writer in at a time, and each commit waits for the disk. Without this, 20 requests that each write a row
wait for 20 commits one after another, and the workers' processes behind them.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")
MOST = 50
"""Writes in one transaction: other processes wait for its end."""


class _Write:
    """What one thread writes, and its result."""

    def __init__(self, do: Callable[[Connection], Any]):
        self.do = do
        self.is_over = False
        self.value: Any = None
        self.error: BaseException | None = None


class GroupCommit:
    """Commits the writes of several threads together.

    Parameters
    ----------
    transaction
        Opens a write transaction, which is committed at the end of the block.
    answered
        Turns errors of the database inside the block into ours.
    """

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[Connection]],
        answered: Callable[[], AbstractContextManager[None]],
    ):
        self._transaction, self._answered = transaction, answered
        self._turn = threading.Lock()
        self._waiting: deque[_Write] = deque()

    def __call__(self, do: Callable[[Connection], T]) -> T:
        """Return what `do` returns, once it is committed.

        An exception of `do` undoes what it wrote. An error of the database or its disk (OSError) undoes the whole
        transaction, and each of its threads raises it.
        """
        write = _Write(do)
        self._waiting.append(write)
        with self._turn:
            while not write.is_over:
                self._commit([self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))])
        if write.error is not None:
            raise write.error
        return write.value

    def _commit(self, batch: list[_Write]) -> None:
        try:
            with self._transaction() as connection:
                if len(batch) == 1:
                    batch[0].value = batch[0].do(connection)
                else:
                    for write in batch:
                        self._do(write, connection)
        except BaseException as error:
            for write in batch:
                write.error = write.error or error
        finally:
            for write in batch:
                write.is_over = True

    def _do(self, write: _Write, connection: Connection) -> None:
        """Do one of several writes in a savepoint."""
        try:
            with self._answered(), connection.begin_nested():
                write.value = write.do(connection)
        except OSError:
            # SQLite may have ended the transaction by itself; a later savepoint would begin another one.
            raise
        except Exception as error:
            write.error = error
