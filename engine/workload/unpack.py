"""Uncompress a file in pieces of bounded size."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits, bytes_in_words

PIECE = 2_000_000


class Unpacked:
    """The uncompressed bytes of a file; compression is recognized by content, not by name."""

    def __init__(self, stream: BinaryIO, limits: Limits):
        magic = stream.read(2)
        stream.seek(-len(magic), 1)
        self.packed = magic == b"\x1f\x8b"
        self._source = gzip.GzipFile(fileobj=stream) if self.packed else stream
        self._limits = limits
        self._hash = hashlib.sha256()
        self.size = 0
        """Number of bytes read so far."""

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes read so far."""
        return self._hash.hexdigest()

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes in order, at most `PIECE` at a time.

        Raises
        ------
        InvalidWorkload
            If the archive ends early or is damaged, or the file has more bytes than the limit.
        """
        while piece := self._read():
            self.size += len(piece)
            if self.size > self._limits.unpacked:
                does = "would unpack to" if self.packed else "has"
                raise InvalidWorkload(f"it {does} more than {bytes_in_words(self._limits.unpacked)}, the limit here.")
            self._hash.update(piece)
            yield piece

    def _read(self) -> bytes:
        try:
            return self._source.read(PIECE)
        except EOFError:
            raise InvalidWorkload("the archive ends in the middle. Send it again.") from None
        except (gzip.BadGzipFile, zlib.error):
            raise InvalidWorkload("the archive is damaged. Send it again.") from None
