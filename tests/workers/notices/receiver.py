"""A web server and a mail server of this machine that keep what notices they get."""

from __future__ import annotations

import contextlib
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Request(NamedTuple):
    """What the web server was sent."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver(ThreadingHTTPServer):
    """Answers with the statuses that are given, one after another, then with 200."""

    daemon_threads = True

    def __init__(self, statuses: list[int], headers: dict[str, str]):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses, self.more = statuses, headers
        self.requests: list[Request] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append(Request(self.path, dict(self.headers), body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 200)
        for name, value in self.server.more.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Print nothing."""


@contextlib.contextmanager
def receiver(*statuses: int, **headers: str) -> Iterator[Receiver]:
    """Serve until the end of the block."""
    with Receiver([*statuses], headers) as server, _serving(server):
        yield server


@contextlib.contextmanager
def mail_server() -> Iterator[tuple[str, list[bytes]]]:
    """Serve SMTP; yield its URL and the messages that it takes."""
    messages: list[bytes] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 here\r\n")
            while line := self.rfile.readline().upper():
                if line.startswith(b"DATA"):
                    self.wfile.write(b"354 go on\r\n")
                    lines = iter(self.rfile.readline, b".\r\n")
                    messages.append(b"".join(lines))
                if line.startswith(b"RCPT") and b"NOBODY@" in line:
                    self.wfile.write(b"550 unknown\r\n")
                else:
                    self.wfile.write(b"221 end\r\n" if line.startswith(b"QUIT") else b"250 fine\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server, _serving(server):
        yield f"smtp://127.0.0.1:{server.server_address[1]}", messages


@contextlib.contextmanager
def _serving(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
