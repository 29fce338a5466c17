"""Simulate many clients in one process: HTTP by asyncio, and live streams that cost a few microseconds a message."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

USER = "X-Forwarded-User"
"""The header that names the user, as a trusted proxy sets it."""
PATIENCE = 60.0
"""Seconds after which an answer counts as lost."""
EVENT = re.compile(rb"id: (\d+)-\d+\nevent: run\n")
"""A message of a live stream; the number is the time of publishing [ms since 1970]."""


@dataclass
class Measurements:
    """Measurements by kind of request."""

    milliseconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    lost: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Requests without an answer."""

    def clear(self) -> None:
        """Discard all measurements."""
        for kinds in (self.milliseconds, self.statuses, self.lost):
            kinds.clear()

    def times(self, *begins: str) -> list[float]:
        """Return the milliseconds of all kinds with one of these prefixes."""
        return [one for kind, some in self.milliseconds.items() if kind.startswith(begins) for one in some]

    def answers(self, low: int, high: int) -> int:
        """Return the number of answers with a status of `low` to `high`."""
        return sum(n for some in self.statuses.values() for status, n in some.items() if low <= status <= high)

    def errors(self) -> dict[str, dict[int, int]]:
        """Return how many answers of each kind had a status of 400 or more, by status."""
        found = {kind: {s: n for s, n in some.items() if s >= 400} for kind, some in self.statuses.items()}
        return {kind: some for kind, some in found.items() if some}


class Client:
    """One user on one kept-alive connection."""

    def __init__(self, port: int, name: str, heard: Measurements):
        self.port, self.name, self._heard = port, name, heard
        self._pair: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, kind: str, method: str, path: str, body: bytes = b"", content: str = "") -> tuple[int, bytes]:
        """Return status and body of one request, timed under `kind` unless it is empty; (0, b"") without an answer."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE):  # wait_for of Python 3.11 can lose a cancellation
                status, answer = await self._ask(method, path, body, content)
        except (TimeoutError, OSError, EOFError):
            self.close()
            self._heard.lost[kind] += 1
            return 0, b""
        if kind:
            self._heard.milliseconds[kind].append((time.perf_counter() - began) * 1000)
            self._heard.statuses[kind][status] += 1
        return status, answer

    async def json(self, kind: str, method: str, path: str, value: Any = None) -> tuple[int, Any]:
        """Send and receive JSON; return status and value."""
        body = b"" if value is None else json.dumps(value).encode()
        status, answer = await self.ask(kind, method, path, body, "application/json" if body else "")
        return status, json.loads(answer) if status in (200, 201, 202) else {}

    def close(self) -> None:
        if self._pair:
            self._pair[1].close()
            self._pair = None

    async def _ask(self, method: str, path: str, body: bytes, content: str) -> tuple[int, bytes]:
        kept = self._pair is not None
        try:
            return await self._once(method, path, body, content)
        except (OSError, EOFError):
            self.close()
            if not kept:  # the server closed an idle connection: a browser retries, too
                raise
            return await self._once(method, path, body, content)

    async def _once(self, method: str, path: str, body: bytes, content: str) -> tuple[int, bytes]:
        if self._pair is None:
            self._pair = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._pair
        writer.write(head(method, path, self.port, self.name, len(body), content))
        if body:
            writer.write(body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        if headers.get("transfer-encoding") == "chunked":
            answer = await chunks(reader)
        else:
            answer = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return status, answer


async def chunks(reader: asyncio.StreamReader) -> bytes:
    """Read a chunked body."""
    pieces = []
    while size := int(await reader.readline(), 16):
        pieces.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(pieces)


def head(method: str, path: str, port: int, name: str, length: int = 0, content: str = "") -> bytes:
    """Return the head of a request, with the headers of a browser that affect the answer."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"{USER}: {name}", "Accept-Encoding: gzip"]
    lines += [f"Content-Length: {length}"] if length else []
    lines += [f"Content-Type: {content}"] if content else []
    return "\r\n".join([*lines, "", ""]).encode()


class Viewer(asyncio.Protocol):
    """One open live stream: its first answer, and the age of its messages."""

    def __init__(self, port: int, name: str, runs: list[str], heard: Measurements):
        self.status = 0
        """200 while it is open."""
        self._heard = heard
        self._began = time.perf_counter()
        self._head = head("GET", f"/api/live?runs={','.join(runs)}", port, name)
        self._first = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]
        self._transport.write(self._head)  # type: ignore[union-attr]

    def data_received(self, data: bytes) -> None:
        if not self.status:
            self._first += data
            if b"event: queue" not in self._first and b" 200 " in self._first[:20]:
                return
            self.status = int(self._first[9:12])
            self._heard.statuses["stream"][self.status] += 1
            self._heard.milliseconds["stream"].append((time.perf_counter() - self._began) * 1000)
            if self.status != 200:
                self.close()
                return
            data = self._first
        now = time.time() * 1000
        if data is not self._first:
            self._heard.milliseconds["news"] += [now - int(said) for said in EVENT.findall(data)]

    def connection_lost(self, error: Exception | None) -> None:
        self.status = -1

    def close(self) -> None:
        if self._transport:
            self._transport.close()


async def follow(port: int, name: str, runs: list[str], heard: Measurements) -> Viewer:
    """Open a live stream; it stays open until it is closed."""
    loop = asyncio.get_running_loop()
    _, viewer = await loop.create_connection(lambda: Viewer(port, name, runs, heard), "127.0.0.1", port)
    return viewer
