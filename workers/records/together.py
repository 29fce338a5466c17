"""One write transaction for what several threads of a process write at the same moment.

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
"""Pieces of work in one transaction: other processes wait for its end."""


class _Work:
    """What one thread writes, and what came of it."""

    def __init__(self, do: Callable[[Connection], Any]):
        self.do = do
        self.is_over = False
        self.value: Any = None
        self.error: BaseException | None = None


class Together:
    """Does pieces of work in shared transactions.

    Parameters
    ----------
    write
        Opens a write transaction, which is committed at the end of the block.
    answered
        Turns errors of the database inside the block into ours.
    """

    def __init__(
        self,
        write: Callable[[], AbstractContextManager[Connection]],
        answered: Callable[[], AbstractContextManager[None]],
    ):
        self._write, self._answered = write, answered
        self._turn = threading.Lock()
        self._waiting: deque[_Work] = deque()

    def __call__(self, do: Callable[[Connection], T]) -> T:
        """Return what `do` returns, once it is committed; where it raises, nothing of it is written."""
        work = _Work(do)
        self._waiting.append(work)
        with self._turn:
            while not work.is_over:
                self._commit([self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))])
        if work.error is not None:
            raise work.error
        return work.value

    def _commit(self, batch: list[_Work]) -> None:
        try:
            with self._write() as connection:
                if len(batch) == 1:
                    batch[0].value = batch[0].do(connection)
                else:
                    for work in batch:
                        self._do(work, connection)
        except BaseException as error:  # none of it is written: each of the threads raises it
            for work in batch:
                work.error = work.error or error
        finally:
            for work in batch:
                work.is_over = True

    def _do(self, work: _Work, connection: Connection) -> None:
        """Do one of several pieces; what it raises undoes that piece alone."""
        try:
            with self._answered(), connection.begin_nested():
                work.value = work.do(connection)
        except Exception as error:
            work.error = error
