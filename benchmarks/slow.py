"""Measure pages while slow clients hold connections: 400 half bodies, 700 half heads, then both.

`python -m benchmarks.slow`. A real gunicorn and Redis, all on the loopback address. Each slow client sends a byte a
second, and begins again when it is given up. Two readers open pages one after another meanwhile, each from the request
for the document to the data that fills it.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks import emit
from benchmarks._people import shown
from benchmarks._site import Site, serve

BODIES, HEADS = 400, 700
SECONDS = 30.0
READERS = 2
LIMIT_MS = 1000.0
PATIENCE = 60.0
"""Seconds after which a page counts as not answered."""
PAGES = ("/", "/runs", "/algorithms", "/experiments", "/papers")
BODY = b"POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"
HEAD = b"GET /runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=float, default=SECONDS, help="of each of the four parts")
    seconds = options.parse_args().seconds
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as site:
        open_pages(site, 3.0)
        for name, bodies, heads in (
            ("quiet", 0, 0), ("bodies", BODIES, 0), ("heads", 0, HEADS), ("both", BODIES, HEADS),
        ):  # fmt: skip
            with slow_clients(site, bodies, heads) as held:
                taken = open_pages(site, seconds)
                figures[f"{name}_connections"] = held()
            figures[f"{name}_pages"] = len(taken)
            figures[f"{name}_p50_ms"] = percentile(taken, 50)
            figures[f"{name}_p95_ms"] = percentile(taken, 95)
            figures[f"{name}_max_ms"] = percentile(taken, 100)
    return emit("slow", figures, {f"{name}_p95_ms": LIMIT_MS for name in ("bodies", "heads", "both")})


def open_pages(site: Site, seconds: float) -> list[float]:
    """Return how long pages took [ms]."""
    taken: list[float] = []
    until = time.monotonic() + seconds

    def read() -> None:
        for path in itertools.cycle(PAGES):
            if time.monotonic() > until:
                return
            began = time.perf_counter()
            with suppress(OSError, http.client.HTTPException):
                open_page(site, path)
            taken.append((time.perf_counter() - began) * 1000)

    readers = [threading.Thread(target=read) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return taken


def open_page(site: Site, path: str) -> None:
    """Ask for a document and for what fills it, over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        first = connection.getresponse()
        first.read()
        question = json.dumps(shown(path, "")).encode()
        connection.request("POST", "/_dash-update-component", question, {"Content-Type": "application/json"})
        second = connection.getresponse()
        second.read()
    finally:
        connection.close()
    if (first.status, second.status) != (200, 200):
        raise SystemExit(f"{path}: {first.status} and {second.status}")


@contextmanager
def slow_clients(site: Site, bodies: int, heads: int) -> Iterator:
    """Hold so many connections; the value of `with` returns how many are open now."""
    done = threading.Event()
    openings = [BODY] * bodies + [HEAD] * heads
    held: dict[int, socket.socket] = {}

    def attack() -> None:
        while not done.is_set():
            for number, opening in enumerate(openings):
                if number not in held:
                    with suppress(OSError):
                        held[number] = socket.create_connection(("127.0.0.1", site.port), timeout=1)
                        held[number].sendall(opening)
                        held[number].setblocking(False)
                elif is_closed(held[number]):
                    held.pop(number).close()
            done.wait(1.0)

    attacker = threading.Thread(target=attack)
    attacker.start()
    deadline = time.monotonic() + PATIENCE
    while len(held) < len(openings) and time.monotonic() < deadline:
        time.sleep(0.05)
    try:
        yield lambda: len(held)
    finally:
        done.set()
        attacker.join()
        for sock in held.values():
            sock.close()


def is_closed(sock: socket.socket) -> bool:
    """Send one byte more; return whether the server gave the connection up."""
    try:
        sock.send(b"x")
        sock.recv(4096)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def percentile(values: list[float], percent: float) -> float:
    """Return the value that so many percent do not exceed."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))], 1)


if __name__ == "__main__":
    sys.exit(main())
