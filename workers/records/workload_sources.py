"""Pack the files of workloads as drafts of blobs, and store them with the rows that use them."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from shadowtime.workers.records.blobs import BlobDamaged, Draft
from shadowtime.workers.records.shelf import BlobsCollected, Shelf

GZIP = b"\x1f\x8b"
PIECE = 1_000_000
ALTERED = (FileNotFoundError, BlobDamaged)
"""Errors from opening a blob that is not what was written."""
MISSING = "its file is missing"
T = TypeVar("T")


class _Hashed:
    """A new file that is hashed while it is written."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self._hash = hashlib.sha256()
        self._size = 0

    def write(self, data: Any) -> int:
        self._hash.update(data)
        self._size += len(data)
        return self._file.write(data)

    def flush(self) -> None:
        """Do nothing: the file is flushed when it is closed."""

    def draft(self, path: Path) -> Draft:
        return Draft(path, self._hash.hexdigest(), self._size)


def pack(stream: BinaryIO, path: Path) -> Draft:
    """Copy a file, gzipped where it is not yet; the same bytes always give the same draft."""
    magic = stream.read(len(GZIP))
    with path.open("xb") as file:
        target = _Hashed(file)
        if magic == GZIP:
            target.write(magic)
            shutil.copyfileobj(stream, target, PIECE)
            return target.draft(path)
        with gzip.GzipFile("", "wb", compresslevel=1, fileobj=target, mtime=0) as packed:
            packed.write(magic)
            shutil.copyfileobj(stream, packed, PIECE)
        return target.draft(path)


def pack_text(text: bytes, path: Path) -> Draft:
    """Write a short text, gzipped."""
    with path.open("xb") as file:
        target = _Hashed(file)
        target.write(gzip.compress(text, mtime=0))
        return target.draft(path)


def digest_of_content(path: Path) -> str:
    """Return the SHA-256 of the content of a gzipped file.

    Raises
    ------
    OSError, EOFError, zlib.error
        When it is no complete gzipped file.
    """
    found = hashlib.sha256()
    with gzip.open(path, "rb") as file:
        while piece := file.read(PIECE):
            found.update(piece)
    return found.hexdigest()


def stored(shelf: Shelf, draft: Draft, record: Callable[[], T]) -> T:
    """Store a draft, then call `record`, whose transaction uses it; once more if it was collected in between."""
    spare = draft.path.with_name("spare")
    link(draft.path, spare)
    shelf.put([draft])
    try:
        return record()
    except BlobsCollected:
        shelf.put([replace(draft, path=spare)])
        return record()


def link(source: Path, path: Path) -> None:
    """Give a file a second name, or copy it where the file system has no links."""
    try:
        os.link(source, path)
    except OSError:
        shutil.copyfile(source, path)


def why_of(error: Exception) -> str:
    """Return in words why a blob cannot be opened."""
    return MISSING if isinstance(error, FileNotFoundError) else str(error)
