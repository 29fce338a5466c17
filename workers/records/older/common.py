"""What the take-over of every kind of record shares."""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from shadowtime.workers.store import disk

log = logging.getLogger(__name__)

PREFIX = "older-"
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError, FileNotFoundError)
"""What a file that is not what was written raises when it is read."""
BITS = {"INTEGER": 31, "BIGINT": 63}
"""Of the numbers that a column takes."""
TELL_EVERY = 5.0
"""Seconds between two lines about the progress."""


class Progress:
    """Log how many things of a kind are taken over, every few seconds."""

    def __init__(self, what: str, total: int):
        self._what, self._total, self._done = what, total, 0
        self._told = time.monotonic()

    def more(self, n: int = 1) -> None:
        """Count `n` more things."""
        self._done += n
        if time.monotonic() - self._told >= TELL_EVERY:
            self._told = time.monotonic()
            log.info("%s of %s %s are taken over", f"{self._done:,}", f"{self._total:,}", self._what)


@contextmanager
def unless_gone(root: Path) -> Iterator[None]:
    """Take over a folder in the block, unless another process sets it aside before the block ends."""
    try:
        yield
    except FileNotFoundError:
        if root.exists():
            raise


@contextmanager
def readable() -> Iterator[None]:
    """Raise ValueError where the disk cannot deliver a file: it is damaged, like one that was altered."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        raise ValueError("a file cannot be read from the disk") from error


def content(path: Path) -> bytes:
    """Return what a file holds; ValueError where the disk cannot deliver it."""
    with readable():
        return path.read_bytes()


def fitting(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row that every database takes; ValueError for another, which a file that was altered may give."""
    for column in table.columns:
        value = row[column.name]
        if not (column.nullable if value is None else _fits(column.type, value)):
            raise ValueError(f"{column.name} cannot be {str(value)[:40]!r}")
    return dict(row)


def _fits(kind: Any, value: Any) -> bool:
    if type(value) is not kind.python_type:
        return False
    if isinstance(value, str):
        value.encode()  # UnicodeEncodeError, a ValueError, for half of a character
        return "\0" not in value and len(value) <= (kind.length or len(value))
    return type(value) is not int or abs(value) >> BITS[str(kind)] == 0


def set_aside(path: Path) -> None:
    """Rename a file or folder that was taken over to `older-<name>`, or `older-<name>-2` where that is taken."""
    free, number = path.with_name(PREFIX + path.name), 1
    while free.exists():
        number += 1
        free = path.with_name(f"{PREFIX}{path.name}-{number}")
    with suppress(FileNotFoundError):  # another process has done so meanwhile
        path.rename(free)
    disk.sync_directory(path.parent)  # else it may be back after a loss of power, with what was deleted since
