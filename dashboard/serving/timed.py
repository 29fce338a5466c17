"""A value that many requests need at the same moment, computed once for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition
from typing import Any, Generic, TypeVar

from cachetools import TTLCache, cached

T = TypeVar("T")


class TimedValue(Generic[T]):
    """The value of `make`, kept for so many seconds; concurrent callers wait for the one computation."""

    def __init__(self, seconds: float, make: Callable[[], T], clock: Callable[[], float] = time.monotonic):
        self._values: TTLCache[Any, T] = TTLCache(1, seconds, timer=clock)
        self._condition = Condition()
        self._make = make
        self._cached = cached(self._values, condition=self._condition)(make)

    def __call__(self) -> T:
        return self._cached()

    def refresh(self) -> T:
        """Compute the value again; the next callers get it, too."""
        made = self._make()
        with self._condition:
            self._values[self._cached.cache_key()] = made
        return made
