"""How often and how many at a time: requests of one client in a minute, and requests at the same time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cachetools import FIFOCache

from shadowtime.workers.errors import TooMuch

MINUTE = 60.0
REMEMBERED = 10_000
"""Clients; the one whose last request is oldest is dropped, and has its full allowance again by then."""


class Pace:
    """At most so many in a minute of one client, however they are spread over it; 0: any number."""

    def __init__(self, per_minute: int, what: str, clock: Callable[[], float] = time.monotonic):
        """`what` is called in the refusal, like "files"."""
        self._per_minute, self._what, self._clock = per_minute, what, clock
        self._lock = threading.Lock()
        self._left: FIFOCache[str, tuple[float, float]] = FIFOCache(REMEMBERED)
        """By client: how many were left, and when that was so."""

    def check(self, client: str) -> None:
        """Raises TooMuch: as `take` would, but takes nothing."""
        self._take(client, 0)

    def take(self, client: str) -> None:
        """One more.

        Raises TooMuch: with the seconds until there is one again.
        """
        self._take(client, 1)

    def _take(self, client: str, count: int) -> None:
        if not self._per_minute:
            return
        with self._lock:
            now, rate = self._clock(), self._per_minute / MINUTE
            left, since = self._left.get(client, (float(self._per_minute), now))
            left = min(float(self._per_minute), left + (now - since) * rate)
            is_enough = left >= 1.0
            if count or client in self._left:
                self._left[client] = left - count * is_enough, now
        if not is_enough:
            raise TooMuch(f"{self._per_minute:,} {self._what} a minute is the limit for one client", (1 - left) / rate)


class Turns:
    """At most so many at once, of all clients together; 0: any number."""

    def __init__(self, most: int, what: str):
        """`what` is called in the refusal, like "files are on their way"."""
        self._most, self._what = most, what
        self._lock = threading.Lock()
        self._now = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """One more, until the `with` ends.

        Raises TooMuch: when there are enough.
        """
        with self._lock:
            if 0 < self._most <= self._now:
                raise TooMuch(f"{self._most:,} {self._what}, the limit of this site; send it again in a moment")
            self._now += 1
        try:
            yield
        finally:
            with self._lock:
                self._now -= 1
