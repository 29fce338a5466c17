"""A client's connection: read without waiting, written to for as long as the client reads."""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

from shadowtime.dashboard.serving.arriving import Arriving
from shadowtime.dashboard.serving.threads import let_others_compute

READ = 65536
"""Bytes that are read at a time."""
PIECE = 262144
"""Bytes that are written at a time."""
STALLED = 20
"""Seconds after which a client that reads nothing is given up."""
GRACE, LEAST = 30.0, 10_000.0
"""Seconds for an answer, and bytes that add one more second each: a client that reads slower is given up."""
REASONS = {
    408: "Request Timeout",
    413: "Content Too Large",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    507: "Insufficient Storage",
}


class Connection:
    """The socket of a client, and what has come over it."""

    def __init__(self, sock: socket.socket, client: Any, server: Any, arriving: Arriving):
        self.sock, self.client, self.server, self.arriving = sock, client, server, arriving
        self.is_leaving = False
        """It was answered for the last time; what still comes is read and dropped until `deadline`."""
        self.leaves_at = 0.0
        sock.setblocking(True)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", STALLED, 0))

    @property
    def deadline(self) -> float:
        """When it is closed, unless something happens."""
        return self.leaves_at if self.is_leaving else self.arriving.deadline

    def read(self) -> bytes | None:
        """Return what has come; no bytes at the end of the connection, None where nothing came."""
        try:
            return self.sock.recv(READ, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def proceed(self) -> None:
        """Let the client send the body that it announced."""
        self._send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def refuse(self, status: int, sentence: str) -> None:
        """Answer with one sentence and nothing more."""
        body = json.dumps({"error": sentence}).encode() + b"\n"
        retry = "Retry-After: 3\r\n" if status == 429 else ""
        self._send(
            f"HTTP/1.1 {status} {REASONS[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"{retry}Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )

    def leave(self, now: float, seconds: float) -> None:
        """Write no more. What the client still sends is dropped: closing at once could take the answer from it."""
        self.is_leaving, self.leaves_at = True, now + seconds
        self.arriving.drop()
        try:
            self.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.leaves_at = now

    def close(self) -> None:
        """Close the socket."""
        self.arriving.drop()
        self.sock.close()

    def _send(self, data: bytes) -> None:
        """Send a few bytes, for which there is room unless the client does not read."""
        try:
            self.sock.send(data, socket.MSG_DONTWAIT)
        except OSError:
            self.arriving.drop()


class Answering:
    """The socket as gunicorn writes to it: a client that reads too slowly is given up."""

    def __init__(self, sock: socket.socket):
        self._sock = sock
        self._began, self._sent = time.monotonic(), 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def sendall(self, data: bytes) -> None:
        """Send all of `data`.

        Raises
        ------
        TimeoutError
            When the client reads nothing for STALLED seconds, or less than LEAST bytes a second.
        """
        view, waited = memoryview(data), 0.0
        while view:
            try:
                sent = self._sock.send(view[:PIECE], socket.MSG_DONTWAIT)
            except BlockingIOError:
                with let_others_compute():
                    sent, took = self._send_later(view[:PIECE])
                waited += took
            view, self._sent = view[sent:], self._sent + sent
            if view and waited > GRACE + self._sent / LEAST:
                raise TimeoutError("the client reads too slowly")

    def _send_later(self, piece: memoryview) -> tuple[int, float]:
        """Send some of a piece once the client reads; return the bytes, and the seconds until then."""
        began = time.monotonic()
        try:
            sent = self._sock.send(piece)
        except BlockingIOError:
            raise TimeoutError("the client does not read") from None
        return sent, time.monotonic() - began
