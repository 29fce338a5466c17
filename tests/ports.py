"""Ports of the loopback for servers of the tests, of which two test processes side by side never take the same."""

from __future__ import annotations

import contextlib
import os
import random
import socket

FIRST, LAST = 10_000, 32_000
"""Below the ports that Linux gives to clients (32768 to 60999): no connection takes a port before its server does."""
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
"""Test processes of this session; each takes every WORKERS-th port."""
NUMBER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


class _Walk:
    """The ports of this process in order, from one drawn when it began: another session walks elsewhere."""

    def __init__(self) -> None:
        self._turns = (LAST - FIRST) // WORKERS
        self._next = random.SystemRandom().randrange(self._turns)

    def __call__(self) -> int:
        self._next = (self._next + 1) % self._turns
        return FIRST + self._next * WORKERS + NUMBER


_walk = _Walk()


def unused_ports(n: int) -> list[int]:
    """Return n ports on which no process listens now, and which no test of this session is given again soon."""
    found: list[int] = []
    while len(found) < n:
        port = _walk()
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            found.append(port)
    return found


def unused_port() -> int:
    """Return a port on which no process listens now."""
    return unused_ports(1)[0]
