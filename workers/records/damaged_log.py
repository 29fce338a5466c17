"""Notice a damaged write-ahead log of SQLite, which SQLite itself does not report.

When SQLite opens a database whose last process was killed, it takes over its log up to the last transaction before the
first frame that is not what was written. What was committed after that frame is lost without a word. It looks like a
transaction that was cut short, with one difference: transactions follow it, and none begins before the one before it is
on the disk. Therefore an altered frame that transactions of the same log follow says that the log is damaged. Damage in
the last transaction looks like one that never ended.

Only the log itself is read here: to close any file of a database but its log would free the locks that SQLite holds on
that file in this process, and another process could then take away the log under it.
"""

from __future__ import annotations

import logging
import shutil
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from shadowtime.workers.store import disk

log = logging.getLogger(__name__)

HEADER, FRAME = 32, 24
"""Bytes of the header of a log, and of that of a frame, which a page follows."""
MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""First number of a log, and the order of bytes of its checksums."""
TRIES = 5
"""Other processes may write meanwhile: then it is read again."""


def kept(database: Path) -> Path:
    """Return where the damaged log of a database is kept."""
    return database.with_name(f"{database.name}-wal-damaged")


def note(database: Path, known: Callable[[], int]) -> None:
    """Keep a copy of the log of a database that was just opened, if it is damaged: SQLite will write over it.

    Parameters
    ----------
    known
        Returns the number of frames that SQLite took over.
    """
    with suppress(OSError, struct.error):
        if not is_damaged(database, known):
            return
        log.error("the log of %s is damaged: the last changes before now may be missing", database)
        draft = disk.temporary(kept(database))
        try:
            shutil.copyfile(f"{database}-wal", draft)
            draft.chmod(0o600)
            draft.replace(kept(database))
        finally:
            draft.unlink(missing_ok=True)


def is_damaged(database: Path, known: Callable[[], int]) -> bool:
    """Return whether the log of an open database holds transactions that SQLite did not take over."""
    for _ in range(TRIES):
        frames = known()
        try:
            found = _is_beyond(Path(f"{database}-wal"), frames)
        except FileNotFoundError:
            return False
        if not found or frames == known():
            return found
    return False


def _is_beyond(path: Path, known: int) -> bool:
    """Return whether transactions follow an altered frame after the `known` ones of a log, or its header is damaged."""
    with open(path, "rb") as file:
        header = file.read(HEADER)
        size = path.stat().st_size
        if len(header) < HEADER or size == HEADER:
            return False
        if not _is_whole(header):
            return True
        order, page, salt = MAGIC[_first(header)], struct.unpack_from(">I", header, 8)[0], header[16:24]
        step = FRAME + page
        sums = _sums(file, known, step)
        is_whole, has_ended = True, False
        for at in range(HEADER + known * step, size - step + 1, step):
            file.seek(at)
            frame = file.read(FRAME)
            if frame[8:16] != salt:
                is_whole = False
                continue
            if has_ended:
                return True
            if is_whole:
                sums = _added(sums, frame[:8] + file.read(page), order)
                is_whole = frame[16:24] == struct.pack(">2I", *sums)
            ends = frame[4:8] != bytes(4)  # the last frame of a transaction
            if is_whole and ends:  # SQLite has begun this log again, or another process goes on
                return False
            has_ended = ends
    return False


def _sums(file: BinaryIO, known: int, step: int) -> tuple[int, int]:
    """Return the checksum up to the end of the `known` frames, with which that of the next one begins."""
    file.seek(HEADER - 8 if known == 0 else HEADER + (known - 1) * step + 16)
    one, two = struct.unpack(">2I", file.read(8))
    return one, two


def _is_whole(header: bytes) -> bool:
    """Return whether the header of a log has its checksum."""
    order = MAGIC.get(_first(header))
    return order is not None and struct.pack(">2I", *_added((0, 0), header[:24], order)) == header[24:]


def _first(header: bytes) -> int:
    return int(struct.unpack_from(">I", header)[0])


def _added(sums: tuple[int, int], content: bytes, order: str) -> tuple[int, int]:
    """Return the checksum of what `sums` covers and of `content` after it."""
    one, two = sums
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
