"""Open the blobs of a store: a folder, or a bucket by URL. Nothing of S3 is loaded for a folder."""

from __future__ import annotations

from pathlib import Path

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.records.blobs import Blobs, FolderBlobs

FOLDER, CACHE = "blobs", "blob-cache"
"""In the folder of a store: the blobs, or copies of those that lie in a bucket."""
SCHEME = "s3://"
CAP = 10**10
"""Bytes of the copies."""


def open_blobs(url: str, folder: Path, cap: int = CAP) -> Blobs:
    """Return the blobs of the store in `folder`: those in the folder, or in the bucket that `url` names, with copies of
    up to `cap` bytes together in the folder (0 = any number). Nothing is sent yet.

    Raises
    ------
    InvalidParameter
        If `url` names no bucket, or the environment holds no credentials for it.
    """
    if not url:
        return FolderBlobs(folder / FOLDER)
    if not url.startswith(SCHEME):
        raise InvalidParameter(f"SHADOWTIME_BLOBS = {url[:80]!r}, but it must begin with {SCHEME}")
    from shadowtime.workers.records.s3 import S3Blobs

    return S3Blobs(url, folder / CACHE, cap)
