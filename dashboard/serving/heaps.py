"""The heaps of the GNU C library: few, and what is free in them goes back to the system. Other libraries do without."""

from __future__ import annotations

import ctypes
import time
from typing import Any

ARENAS, LARGE = 2, 256 * 1024
"""Heaps that threads share, and bytes from which on memory goes back to the system as soon as it is not needed."""
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""As in malloc.h of the GNU C library."""
EVERY = 60.0
"""Seconds between two looks for free pages."""


def thrifty() -> None:
    """Have the C library keep few heaps and no large blocks for later.

    Many threads share 16 heaps otherwise, and after the first file of 1 MB all such blocks come from them: the process
    grew by 16 MB a minute while Python held no more than before.
    """
    mallopt = _function("mallopt")
    if mallopt is not None:
        mallopt(M_ARENA_MAX, ARENAS)
        mallopt(M_MMAP_THRESHOLD, LARGE)


def trim() -> None:
    """Give the free pages of all heaps back to the system.

    Tables that are kept for a viewer and dropped again leave holes between small objects: after 75 minutes of work 20
    of 128 MB were free, and the heaps still grew. (A heap of 105 MB with 24 MB in holes: 5 ms.)
    """
    give_back = _function("malloc_trim")
    if give_back is not None:
        give_back(ctypes.c_size_t(0))


def keep_trimmed() -> None:
    """Do that again and again; for a thread that ends with its process."""
    while True:
        time.sleep(EVERY)
        trim()


def _function(name: str) -> Any:
    """Return a function of the C library, or None if it has none of this name."""
    return getattr(ctypes.CDLL(None), name, None)
