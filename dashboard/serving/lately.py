"""What many ask for at the same moment, worked out once for all of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Lately(Generic[T]):
    """The value of `make`, at most so many seconds old; concurrent callers wait for the one computation."""

    def __init__(self, seconds: float, make: Callable[[], T], clock: Callable[[], float] = time.monotonic):
        self._seconds, self._make, self._clock = seconds, make, clock
        self._lock = threading.Lock()
        self._known: tuple[float, T] | None = None

    def __call__(self) -> T:
        known = self._known
        if known is None or self._clock() - known[0] >= self._seconds:
            with self._lock:
                known = self._known
                if known is None or self._clock() - known[0] >= self._seconds:
                    known = self._known = self._clock(), self._make()
        return known[1]

    def now(self) -> T:
        """The value as it is by now, which the others are given too."""
        with self._lock:
            made = self._make()
            self._known = self._clock(), made
            return made
