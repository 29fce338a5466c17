"""Keep blobs in an S3 bucket, and copies of those that are read in a local folder.

Where a process is killed inside `put`, the bucket holds the whole object or none. Parts of a large one may stay beside
it, unseen, until a lifecycle rule of the bucket removes them.
"""

from __future__ import annotations

import math
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from shadowtime.workers.records.blob_cache import BlobCache
from shadowtime.workers.records.blobs import WRITERS, BlobsAway, Draft, checked, each, is_name
from shadowtime.workers.records.s3_protocol import Bucket, Client

PART = 1 << 24
"""Bytes of a part of a large object; WRITERS of them are in memory at a time."""
MOST_PARTS = 10_000
LOCKS = 64
KNOWN = 5.0
T = TypeVar("T")
U = TypeVar("U")
_OPEN: weakref.WeakSet[S3Blobs] = weakref.WeakSet()


class S3Blobs:
    """Blobs as the objects of a bucket."""

    def __init__(self, url: str, folder: Path, cap: int, environment: Mapping[str, str] | None = None):
        """Name a bucket `s3://bucket/prefix`; nothing is sent yet. Copies are kept in `folder`, up to `cap` bytes.

        Raises
        ------
        InvalidParameter
            If `url` names no bucket, or the environment holds no credentials.
        """
        self.client = Client(Bucket.from_url(url, os.environ if environment is None else environment))
        self.cache = BlobCache(folder, cap)
        self._there = -math.inf, False
        """When the server was asked for a sign of life, and whether it gave one."""
        self.renew()
        _OPEN.add(self)

    def put(self, drafts: Sequence[Draft]) -> None:
        """Store drafts, whose files stay; see `Blobs`."""
        some = each(drafts)
        _at_once(self._put_small, [draft for draft in some if draft.size <= PART])
        for draft in some:
            if draft.size > PART and not self._holds(draft):
                self._put_parts(draft)

    def open(self, digest: str) -> Path:
        """Return the copy of a blob; see `Blobs`."""
        if (path := self.cache.find(digest)) is not None:
            return path
        with self._locks[int(digest[:8], 16) % LOCKS]:  # not twice by two threads
            if (path := self.cache.find(digest)) is not None:
                return path
            return self.cache.keep(digest, self.client.read(digest))

    def remove(self, digest: str) -> None:
        """Delete a blob and its copy here; see `Blobs`."""
        self.client.delete(checked(digest))
        self.cache.remove(digest)

    def digests(self) -> Iterator[str]:
        """Yield the names of all blobs."""
        yield from filter(is_name, self.client.names())

    def is_there(self) -> bool:
        """Return whether the server answered within the last KNOWN seconds; see `Blobs`."""
        asked, found = self._there
        if time.monotonic() > asked + KNOWN:
            try:
                self.client.ask()
                found = True
            except BlobsAway:
                found = False
            self._there = time.monotonic(), found
        return found

    def renew(self) -> None:
        """Make new locks: after a fork they may be those of threads of the parent."""
        self._locks = [threading.Lock() for _ in range(LOCKS)]

    def _holds(self, draft: Draft) -> bool:
        return self.client.size(checked(draft.digest)) == draft.size

    def _put_small(self, draft: Draft) -> None:
        if not self._holds(draft):
            self.client.put(draft.digest, draft.path.read_bytes(), draft.digest)

    def _put_parts(self, draft: Draft) -> None:
        length = max(PART, -(-draft.size // MOST_PARTS))
        upload = self.client.begin(draft.digest)
        try:
            with draft.path.open("rb") as file:

                def put(number: int) -> str:
                    content = os.pread(file.fileno(), length, (number - 1) * length)
                    return self.client.put_part(draft.digest, upload, number, content)

                tags = _at_once(put, range(1, -(-draft.size // length) + 1))
            self._join(draft, upload, tags)
        except BaseException:
            with suppress(BlobsAway):
                self.client.abandon(draft.digest, upload)
            raise

    def _join(self, draft: Draft, upload: str, tags: Sequence[str]) -> None:
        try:
            self.client.join(draft.digest, upload, tags)
        except BlobsAway:
            if not self._holds(draft):  # else the server did it, and its answer was lost
                raise


def _at_once(function: Callable[[T], U], some: Iterable[T]) -> list[U]:
    """Return what a function returns for each of `some`, WRITERS at a time; after an error nothing more is begun."""
    pool = ThreadPoolExecutor(WRITERS)
    try:
        return list(pool.map(function, some))
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_inherited() -> None:
    """In a forked process: do not wait for threads of the parent."""
    for blobs in list(_OPEN):
        blobs.renew()


os.register_at_fork(after_in_child=_leave_inherited)
