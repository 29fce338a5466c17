"""A request on its way in: its bytes as they come, when it is whole, and until when the rest must be there.

It has no socket and no clock of its own, and decides nothing about what a request means: gunicorn's parser reads the
whole request afterwards. Only the framing of a body is looked at here.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

MOST_HEAD = 65536
"""Bytes of a request line with its headers."""
IN_MEMORY = 65536
"""Bytes of a body that are kept in memory; a longer body is in a file."""
FIRST, IDLE = 10.0, 30.0
"""Seconds for the first byte of a connection, and between two requests."""
HEAD = 10.0
"""Seconds for all of a head, from its first byte."""
BODY, LEAST = 20.0, 1000.0
"""Seconds for a body, and bytes that add one more second each: slower ones are given up."""

HEADER_END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*([^\r\n]*?)[ \t]*(?=\r\n)", re.IGNORECASE)
CODING = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
EXPECT = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue[ \t]*(?=\r\n)", re.IGNORECASE)


class NotTaken(Exception):
    """A request that is refused before it is read."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class Limits(NamedTuple):
    """Limits on bodies [bytes]."""

    body: int
    """Of a body that is read: one that is said to be longer is handed on without it, to be refused."""
    client: int
    """Of all bodies of one client that are on their way."""
    everybody: int


class Room:
    """Bytes of the bodies that are on their way, of each client and of all."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self._of: Counter[str] = Counter()
        self._all = 0

    def take(self, client: str, size: int) -> None:
        """Count `size` bytes more of a client.

        Raises
        ------
        NotTaken
            When they are too many.
        """
        if self._of[client] + size > self.limits.client or self._all + size > self.limits.everybody:
            raise NotTaken(429, "Too many uploads are in progress. Send it again in a moment.")
        self._of[client] += size
        self._all += size

    def free(self, client: str, size: int) -> None:
        """Count `size` bytes of a client no longer."""
        self._of[client] -= size
        self._all -= size
        if not self._of[client]:
            del self._of[client]


class Arriving:
    """One request after another of a connection.

    Parameters
    ----------
    client
        Whose room bodies take.
    folder
        Of the files of long bodies.
    """

    def __init__(self, room: Room, client: str, folder: Path | None, now: float):
        self._room, self._client, self._folder = room, client, folder
        self._buffer = bytearray()
        self._began = now
        self._grace = FIRST
        self._reset()

    def _reset(self) -> None:
        self._head = b""
        self._seen = 0
        self._left: int | None = 0
        """Bytes of the body that have not come; None while its chunks go on."""
        self._chunks: Chunks | None = None
        self._body: IO[bytes] | None = None
        self._size = 0
        self.expects = False
        """The client waits for `100 Continue` before it sends the body."""
        self.closes = False
        """Nothing that follows this request can be read."""
        self.is_whole = False

    @property
    def is_idle(self) -> bool:
        """Nothing of a request has come yet."""
        return not self._head and not self._buffer

    @property
    def deadline(self) -> float:
        """When the connection is given up, unless more comes."""
        if self.is_idle:
            return self._began + self._grace
        if not self._head:
            return self._began + HEAD
        return self._began + BODY + self._size / LEAST

    def take(self, data: bytes, now: float) -> None:
        """Take what came; `is_whole` says whether a request is complete then.

        Raises
        ------
        NotTaken
            For a head that is too long, or a body for which there is no room.
        OSError
            When the disk takes no more of a body.
        """
        if self.is_idle:
            self._began = now
        self._buffer += data
        if not self._head:
            self._find_head(now)
        if self._head and not self.is_whole:
            self._find_body()

    def source(self) -> Source:
        """Return the whole request to read once; the next one may be taken after `next`."""
        body, self._body = self._body, None
        if body is not None:
            body.seek(0)
        size, self._size = self._size, 0
        return Source(self._head, body, lambda: self._room.free(self._client, size))

    def next(self, now: float) -> None:
        """Begin the next request, with what of it came already."""
        self._reset()
        self._began, self._grace = now, IDLE
        if self._buffer:
            self.take(b"", now)

    def drop(self) -> None:
        """Forget what came."""
        if self._body is not None:
            self._body.close()
        self._room.free(self._client, self._size)
        self._buffer.clear()
        self._reset()

    def _find_head(self, now: float) -> None:
        while self._buffer[:2] == b"\r\n":  # some clients end a body with a line end too many
            del self._buffer[:2]
        end = self._buffer.find(HEADER_END, max(0, self._seen - 3))
        self._seen = len(self._buffer)
        if end < 0:
            if len(self._buffer) > MOST_HEAD:
                raise NotTaken(431, f"The headers of a request may hold {MOST_HEAD:,} bytes.")
            return
        head = bytes(self._buffer[: end + 4])
        del self._buffer[: end + 4]
        self._began = now
        self.expects = EXPECT.search(head) is not None
        self._head = EXPECT.sub(b"", head)
        self._frame(head)

    def _frame(self, head: bytes) -> None:
        """How the body ends. Where that is in doubt nothing is read after this request."""
        lengths = LENGTH.findall(head)
        if CODING.search(head):
            self._left, self._chunks, self.closes = None, Chunks(), True
        elif len(lengths) == 1 and re.fullmatch(rb"[0-9]{1,15}", lengths[0]):
            self._left = int(lengths[0])
        elif lengths:
            self.closes = True
        if self._left is not None and self._left > self._room.limits.body:
            self._left, self.closes, self.expects = 0, True, False

    def _find_body(self) -> None:
        if self._chunks is None:
            assert self._left is not None
            data = bytes(self._buffer[: self._left])
            self._left -= len(data)
            is_whole = not self._left
        else:
            data = bytes(self._buffer)
            is_whole = self._chunks.end(data)
            if self._size + len(data) > self._room.limits.body:
                raise NotTaken(413, "The body is larger than this server accepts.")
        if data:
            self._keep(data)
        del self._buffer[: len(data)]
        self.is_whole = is_whole
        self.expects = self.expects and not data and not is_whole

    def _keep(self, data: bytes) -> None:
        self._room.take(self._client, len(data))
        self._size += len(data)
        if self._body is None:
            self._body = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(self._folder) if self._folder else None)  # noqa: SIM115
        self._body.write(data)


class Chunks:
    """Find where a body in chunks ends; whether its chunks are sound is for the parser to say."""

    def __init__(self) -> None:
        self._line = b""
        self._skip = 0
        self._in_trailer = False

    def end(self, data: bytes) -> bool:
        """Return whether the body has ended with `data`, or cannot be read any further."""
        at = min(self._skip, len(data))
        self._skip -= at
        while at < len(data):
            newline = data.find(b"\n", at)
            if newline < 0:
                self._line += data[at:]
                return len(self._line) > MOST_HEAD
            line, self._line, at = self._line + data[at:newline], b"", newline + 1
            if self._in_trailer:
                if not line.strip():
                    return True
                continue
            try:
                size = int(line.partition(b";")[0], 16)
            except ValueError:
                return True
            if size < 0:
                return True
            if not size:
                self._in_trailer = True
                continue
            skipped = min(size + 2, len(data) - at)
            self._skip, at = size + 2 - skipped, at + skipped
        return False


class Source:
    """A request that has come, as what gunicorn's parser reads from; after it there is nothing more."""

    def __init__(self, head: bytes, body: IO[bytes] | None, free: Callable[[], None]):
        self.head = head
        self._unread, self._body, self._free = io.BytesIO(head), body, free

    def recv(self, size: int) -> bytes:
        """Return some bytes of the request; none at its end."""
        return self._unread.read(size) or (self._body.read(size) if self._body is not None else b"")

    def close(self) -> None:
        """Delete the body, and free its room."""
        if self._body is not None:
            self._body.close()
        self._free()
