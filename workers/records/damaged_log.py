"""Notice a damaged write-ahead log of SQLite, which SQLite itself does not report.

When SQLite opens a database whose last process was killed, it takes over its log up to the first frame that is not what
was written. What was committed after that frame is lost without a word. It looks like a transaction that was cut short,
with one difference: transactions follow it, and none begins before the one before it is on the disk. Therefore whatever
follows the frames that SQLite took over, and is of the same log, says that the log is damaged. Damage in the last
transaction cannot be told from one that never ended.
"""

from __future__ import annotations

import logging
import shutil
import struct
from contextlib import suppress
from pathlib import Path

from shadowtime.workers.store import disk

log = logging.getLogger(__name__)

HEADER, FRAME = 32, 24
"""Bytes of the header of a log, and of that of a frame, which a page follows."""
INDEX = 48
"""Bytes of the header of the index of the log, which SQLite keeps twice."""
MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""First number of a log, and the order of bytes of its checksums."""
TRIES = 5
"""Other processes may write meanwhile: then it is read again."""


def kept(database: Path) -> Path:
    """Return where the damaged log of a database is kept."""
    return database.with_name(f"{database.name}-wal-damaged")


def note(database: Path) -> None:
    """Keep a copy of the log of a database that was just opened, if it is damaged: SQLite will write over it."""
    with suppress(OSError, struct.error):
        if not is_damaged(database):
            return
        log.error("the log of %s is damaged: the last changes before now may be missing", database)
        draft = disk.temporary(kept(database))
        try:
            shutil.copyfile(f"{database}-wal", draft)
            draft.chmod(0o600)
            draft.replace(kept(database))
        finally:
            draft.unlink(missing_ok=True)


def is_damaged(database: Path) -> bool:
    """Return whether the log of an open database holds transactions that SQLite did not take over."""
    for _ in range(TRIES):
        index = _index(database)
        if index is None:
            return False
        found = _is_beyond(Path(f"{database}-wal"), *index)
        if index == _index(database):
            return found
    return False


def _index(database: Path) -> tuple[int, bytes] | None:
    """Return how many frames SQLite knows, and the salt of the log; None without a log that is in use."""
    try:
        with open(f"{database}-shm", "rb") as file:
            first, second = file.read(INDEX), file.read(INDEX)
    except FileNotFoundError:
        return None
    if first != second or len(first) < INDEX or not first[12]:
        return None
    return struct.unpack_from("=I", first, 16)[0], first[32:40]


def _is_beyond(path: Path, known: int, salt: bytes) -> bool:
    """Return whether transactions follow the `known` frames of a log, or its header is damaged."""
    with open(path, "rb") as file:
        header = file.read(HEADER)
        size = path.stat().st_size
        if len(header) < HEADER or size == HEADER:
            return False
        if not _is_whole(header):
            return True
        page = struct.unpack_from(">I", header, 8)[0]
        has_ended = False
        for at in range(HEADER + known * (FRAME + page), size - FRAME - page + 1, FRAME + page):
            file.seek(at)
            frame = file.read(FRAME)
            if frame[8:16] != salt:
                continue
            if has_ended:
                return True
            has_ended = frame[4:8] != bytes(4)  # the last frame of a transaction
    return False


def _is_whole(header: bytes) -> bool:
    """Return whether the header of a log has its checksum."""
    order = MAGIC.get(struct.unpack_from(">I", header)[0])
    if order is None:
        return False
    words = struct.unpack(f"{order}6I", header[:24])
    one = two = 0
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return (one, two) == struct.unpack(">2I", header[24:])
