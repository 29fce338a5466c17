"""Room on the disk: whether there is any, and a reserve that deletion may use when there is none.

Deleting writes first: a question that stays, a row that goes. On a full disk it would fail exactly when it is needed,
so a file of a few megabytes is given up for it, and made again when there is room.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from shadowtime.workers.store import disk

log = logging.getLogger(__name__)

NAME = "reserve"
SIZE = 4 << 20
"""Bytes of the reserve: enough for the logs of both databases to take what a deletion writes."""
SHARE = 100
"""The reserve is at most this part of the file system, so that a small one is not filled by it."""
PROBE, PROBED = "probe", 4096
FULL = (errno.ENOSPC, errno.EDQUOT)


def keep(root: Path) -> None:
    """Make the reserve of a store, if it is missing and there is room for twice as much."""
    path = root / NAME
    try:
        usage = shutil.disk_usage(root)
        size = min(SIZE, usage.total // SHARE)
        if path.exists() or usage.free < 2 * size:
            return
        draft = disk.temporary(path)
        try:
            with open(draft, "xb") as file:
                os.posix_fallocate(file.fileno(), 0, size)
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:  # a read-only or full disk: the store can still be read
        log.debug("no reserve at %s: %s", path, error)


def with_room(root: Path, delete: Callable[[], None]) -> None:
    """Delete something of a store; where the disk is full, give up the reserve for it and make it again afterwards."""
    try:
        delete()
    except OSError as error:
        if not is_full(error):
            raise
        with suppress(FileNotFoundError):
            (root / NAME).unlink()
        try:
            delete()
        finally:
            keep(root)


def require_room(root: Path) -> None:
    """Write 4 KB to a file that is empty otherwise, which shows what permissions alone do not.

    Raises
    ------
    OSError
        When the disk is full, over quota or read-only.
    """
    descriptor = os.open(root / PROBE, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        written = os.write(descriptor, bytes(PROBED))
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)
    if written < PROBED:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(root))


def can_write(root: Path) -> bool:
    """Return whether `require_room` passes."""
    try:
        require_room(root)
    except OSError:
        return False
    return True


def room(root: Path) -> int:
    """Return the bytes that may still be written below a folder."""
    return shutil.disk_usage(root).free


def is_full(error: BaseException) -> bool:
    """Return whether an error says that the disk is full or the quota used up."""
    return isinstance(error, OSError) and error.errno in FULL
