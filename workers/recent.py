"""A small cache that drops what was used least recently."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cachetools import LRUCache

V = TypeVar("V")


class Recent(Generic[V]):
    """The `most` values used last, by key, for any number of threads."""

    def __init__(self, most: int):
        self._values: LRUCache[str, V] = LRUCache(most)
        self._lock = threading.RLock()

    def find(self, key: str) -> V | None:
        """Return the value of a key, which now counts as used last; None when it is not held."""
        with self._lock:
            return self._values.get(key)

    def get(self, key: str, make: Callable[[], V]) -> V:
        """Return the value of a key, made now when it is not held."""
        with self._lock:
            found = self.find(key)
            if found is not None:
                return found
            while len(self._values) >= self._values.maxsize:
                self._values.popitem()  # before making: two large values need not fit at once
            made = self._values[key] = make()
            return made
