"""Keep immutable blobs, each named by the SHA-256 of its bytes: a folder by default, or a bucket (`records.s3`).

A blob is compared with its name when a process first opens it, and again when its file was replaced.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Protocol

from shadowtime.engine.errors import EngineError
from shadowtime.workers.store import disk

PIECE = 1 << 20
"""Bytes that are read at once for a digest; read, not mapped, since a mapped page that the disk cannot deliver kills
the process."""
FILES_KNOWN = 20_000
"""Files that are known to be whole."""
WRITERS = 4
MANY = 8
"""From so many files on, the file system is flushed once instead of each file."""


class BlobsAway(EngineError, ConnectionError):
    """The server of the blobs does not answer, or refuses."""


class BlobDamaged(ValueError):
    """A blob is not what was written."""


@dataclass(frozen=True)
class Draft:
    """A complete local file that is to become a blob."""

    path: Path
    digest: str
    """SHA-256 of its bytes."""
    size: int
    is_flushed: bool = False
    """Its bytes are on the disk."""


class Blobs(Protocol):
    """All blobs of a laboratory. Which of them are needed is known to the database alone (`records.shelf`)."""

    def put(self, drafts: Sequence[Draft]) -> None:
        """Store drafts, whose files may be moved; they are durable when this returns."""
        ...

    def open(self, digest: str) -> Path:
        """Return a local file with the bytes of a blob, which must not be changed. Open it at once: later it may be
        gone from its place.

        Raises
        ------
        FileNotFoundError
            When there is no such blob.
        BlobDamaged
            When it is not what was written.
        BlobsAway
            When its server does not answer, or refuses.
        """
        ...

    def remove(self, digest: str) -> None:
        """Delete a blob, which may be missing; files that are mapped stay readable."""
        ...

    def digests(self) -> Iterator[str]:
        """Yield the names of all blobs."""
        ...

    def is_there(self) -> bool:
        """Return whether the folder is there, or the server answers and knows the bucket."""
        ...


class FolderBlobs:
    """Blobs as the files of one folder."""

    def __init__(self, root: Path):
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def put(self, drafts: Sequence[Draft]) -> None:
        """Store drafts; see `Blobs`. They must lie on the same file system."""
        missing = [draft for draft in each(drafts) if not self._holds(draft)]
        unflushed = [draft.path for draft in missing if not draft.is_flushed]
        if len(unflushed) >= MANY:
            disk.sync_all(self.root)
        elif len(unflushed) > 1:
            with ThreadPoolExecutor(WRITERS) as pool:
                list(pool.map(_flush, unflushed))
        else:
            for path in unflushed:
                _flush(path)
        for draft in missing:
            os.replace(draft.path, self._path(draft.digest))
        if drafts:  # also those that are there: the process that wrote them may not have come so far
            disk.sync_directory(self.root)

    def open(self, digest: str) -> Path:
        """Return the file of a blob; see `Blobs`."""
        path = self._path(digest)
        verify(path, digest)
        return path

    def remove(self, digest: str) -> None:
        """Delete a blob; see `Blobs`."""
        self._path(digest).unlink(missing_ok=True)

    def digests(self) -> Iterator[str]:
        """Yield the names of all blobs."""
        with os.scandir(self.root) as entries:
            yield from (entry.name for entry in entries if is_name(entry.name))

    def is_there(self) -> bool:
        """Return whether the folder is there; see `Blobs`."""
        return self.root.is_dir()

    def _holds(self, draft: Draft) -> bool:
        try:
            verify(self._path(draft.digest), draft.digest)
        except (FileNotFoundError, BlobDamaged):
            return False
        return True

    def _path(self, digest: str) -> Path:
        return self.root / checked(digest)


def is_name(text: str) -> bool:
    """Return whether a text is the name of a blob: a SHA-256, in hexadecimal."""
    return len(text) == 64 and not set(text) - set("0123456789abcdef")


def checked(digest: str) -> str:
    """Return the name of a blob; BlobDamaged for any other text, which may be a path."""
    if not is_name(digest):
        raise BlobDamaged(f"{digest[:70]!r} is not the name of a blob")
    return digest


def each(drafts: Sequence[Draft]) -> list[Draft]:
    """Return drafts without those whose bytes another one holds."""
    return list({draft.digest: draft for draft in drafts}.values())


def verify(path: Path, digest: str) -> None:
    """Compare a file with the name of its blob, once for each process and version of the file.

    Raises
    ------
    FileNotFoundError, BlobDamaged
        When it is missing, or differs.
    """
    file = os.stat(path)
    stamp = hash((os.fspath(path), file.st_mtime_ns, file.st_size, file.st_ino))
    if not _KNOWN.has(stamp, digest):
        if digest_of(path) != digest:
            raise BlobDamaged(f"blob {digest[:16]} does not hold what was written")
        _KNOWN.add(stamp, digest)


class _Known:
    """Which files were compared with which digests, by hashes of their paths and stamps; the oldest are forgotten.

    A file takes 180 bytes; `lru_cache` took 900 (tracemalloc).
    """

    def __init__(self) -> None:
        self._digests: dict[int, str] = {}
        self._lock = Lock()

    def has(self, stamp: int, digest: str) -> bool:
        return self._digests.get(stamp) == digest

    def add(self, stamp: int, digest: str) -> None:
        with self._lock:
            if len(self._digests) >= FILES_KNOWN:
                del self._digests[next(iter(self._digests))]
            self._digests[stamp] = digest


_KNOWN = _Known()


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    found, piece = hashlib.sha256(), bytearray(PIECE)
    with open(path, "rb", buffering=0) as file:
        while n := file.readinto(piece):
            found.update(memoryview(piece)[:n])
    return found.hexdigest()


def draft_of(path: Path) -> Draft:
    """Return the draft of a complete file."""
    return Draft(path, digest_of(path), path.stat().st_size)


def _flush(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())
