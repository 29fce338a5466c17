"""A value that many requests need at the same moment, computed once for all of them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from threading import Condition
from typing import Any, Generic, TypeVar

from cachetools import TLRUCache, cached

T = TypeVar("T")


class TimedValue(Generic[T]):
    """The value of `make`, kept for so many seconds; concurrent callers wait for the one computation.

    share: of the time that computing it may take: a value that takes long is kept longer.
    """

    def __init__(
        self,
        seconds: float,
        make: Callable[[], T],
        clock: Callable[[], float] = time.monotonic,
        *,
        share: float = math.inf,
    ):
        self._took = 0.0

        def made() -> T:
            began = clock()
            value = make()
            self._took = clock() - began
            return value

        self._values: TLRUCache[Any, T] = TLRUCache(
            1, lambda _key, _value, now: now + max(seconds, self._took / share), timer=clock
        )
        self._condition = Condition()
        self._make = made
        self._cached = cached(self._values, condition=self._condition)(made)

    def __call__(self) -> T:
        return self._cached()

    def refresh(self) -> T:
        """Compute the value again; the next callers get it, too."""
        made = self._make()
        with self._condition:
            self._values[self._cached.cache_key()] = made
        return made
