"""What is made for finished runs and never changes, kept in memory as long as there is room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

SMALL = 500
"""Bytes that anything but bytes is taken to need."""


class Kept:
    """Values by run and name, the least recently used forgotten first; each is made once, however many ask."""

    def __init__(self, most_bytes: int):
        self._most = most_bytes
        self._bytes = 0
        self._values: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._making: dict[tuple[str, str], threading.Lock] = {}
        self._lock = threading.Lock()

    def of(self, digest: str, name: str, make: Callable[[], Any]) -> Any:
        """The value of a run under `name`, computed now if it was not requested before."""
        key = (digest, name)
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            try:
                value = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
            with self._lock:
                self._values[key] = value
                self._bytes += _size(value)
                while self._bytes > self._most and len(self._values) > 1:
                    self._bytes -= _size(self._values.popitem(last=False)[1])
            return value


def _size(value: Any) -> int:
    return len(value) if isinstance(value, bytes) else SMALL
