"""Work on large arrays by two threads: numpy and compiled code release the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

MANY = 1_000_000
"""Number of rows from which a second thread saves more than it costs."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(work: Callable[[Item], Result], items: Iterable[Item], rows: int) -> list[Result]:
    """Return `work` of each item, in their order; by two threads if there are many `rows` and a second processor."""
    if rows < MANY or (os.cpu_count() or 1) == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2, "rows") as pool:
        return list(pool.map(work, items))
