"""What is made for finished runs and never changes, kept in memory as long as there is room."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import Any
from weakref import WeakSet

from cachetools import LRUCache, cached

SMALL = 500
"""Bytes that anything but bytes is taken to need."""


_ALL: WeakSet[Kept] = WeakSet()


class Kept:
    """Values by run and name, the least recently used dropped first; concurrent requests for one compute it once."""

    def __init__(self, most_bytes: int):
        def size(value: Any) -> int:
            needed = len(value) if isinstance(value, bytes) else SMALL
            return min(needed, most_bytes)  # a value above the limit is kept alone

        self._values: LRUCache[Any, Any] = LRUCache(most_bytes, getsizeof=size)
        _ALL.add(self)
        self._made = cached(self._values, key=lambda digest, name, make: (digest, name), condition=Condition())(_make)

    def of(self, digest: str, name: str, make: Callable[[], Any]) -> Any:
        """Return the value of a run under `name`, computed now if it is not held."""
        return self._made(digest, name, make)


def kept_bytes() -> float:
    """Return the bytes that all `Kept` of this process hold; anything but bytes counts as SMALL."""
    return sum(one._values.currsize for one in tuple(_ALL))


def _make(digest: str, name: str, make: Callable[[], Any]) -> Any:
    return make()
