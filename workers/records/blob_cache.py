"""Keep copies of blobs in a local folder, up to a number of bytes; the least recently used go first.

Several processes share the folder. A copy carries the time of its last use as its time of access, which is set here:
the file system need not do it. One that was used just now stays, so that who was given its path finds it.
"""

from __future__ import annotations

import hashlib
import os
import random
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from shadowtime.workers.records.blobs import BlobDamaged, checked, is_name, verify
from shadowtime.workers.store import disk

JUST_NOW = 10.0
"""Seconds in which a copy is not deleted after its use."""
ABANDONED = 3600.0
"""Seconds after which a file that is not written to any more counts as left by a crash."""
STEP = 0.01
"""Share of the limit: the folder is measured about once for so many new bytes, by all processes together."""
ROOM = 0.05
"""Share of the limit that is free after deletions, for what comes until the folder is measured again."""


class BlobCache:
    """The copies in one folder."""

    def __init__(self, folder: Path, cap: int):
        self.folder = folder
        self.cap = cap
        """Bytes of all copies together, but for those used just now; 0 = any number."""
        folder.mkdir(parents=True, exist_ok=True)

    def find(self, digest: str) -> Path | None:
        """Return the copy of a blob; None when there is none that is intact."""
        path = self.folder / checked(digest)
        try:
            verify(path, digest)
            _mark_used(path)
        except (FileNotFoundError, BlobDamaged):  # a damaged one is replaced: another process may just have done so
            return None
        return path

    def keep(self, digest: str, pieces: Iterable[bytes]) -> Path:
        """Write a copy.

        Raises
        ------
        BlobDamaged
            When the bytes are not those of the blob.
        """
        path, found = self.folder / checked(digest), hashlib.sha256()
        draft = disk.temporary(path)
        try:
            with open(draft, "xb") as file:
                for piece in pieces:
                    found.update(piece)
                    file.write(piece)
                size = file.tell()
            if found.hexdigest() != digest:
                raise BlobDamaged(f"blob {digest[:16]} does not hold what was written")
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        if self.cap and size >= random.random() * STEP * self.cap:
            self._shrink(path)
        return path

    def remove(self, digest: str) -> None:
        """Delete the copy of a blob, which may be missing."""
        (self.folder / checked(digest)).unlink(missing_ok=True)

    def _shrink(self, newest: Path) -> None:
        """Delete copies until there is room, and what crashed processes left; `newest` stays."""
        now = time.time()
        disk.sweep(self.folder, now - ABANDONED)
        found = []
        with os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((status.st_atime, status.st_size, Path(entry.path)))
        size = sum(one[1] for one in found)
        room = self.cap if size <= self.cap else (1 - ROOM) * self.cap
        for used, bytes_of, path in sorted(found):
            if size <= room:
                return
            if path == newest or abs(now - used) < JUST_NOW or not is_name(path.name):
                continue
            path.unlink(missing_ok=True)
            size -= bytes_of


def _mark_used(path: Path) -> None:
    """Set the time of access; the time of change stays, by which `verify` knows the file."""
    changed = path.stat().st_mtime_ns
    with suppress(PermissionError):  # a file of another user
        os.utime(path, ns=(time.time_ns(), changed))
