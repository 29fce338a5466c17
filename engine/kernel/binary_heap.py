"""A binary heap of rows by (key, unit), smallest first, in an array of the caller."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import PLAIN, inner

ENTRY = np.dtype([("key", "f8"), ("unit", "i8"), ("version", "i8")], align=True)
"""A row of a heap: rows are ordered by `key`, then `unit`; `version` does not count."""
NO_VERSION = np.int64(0)


def entries(most: int) -> np.ndarray:
    """Return an uninitialised array of `most` rows."""
    made = np.empty(most, ENTRY)
    return made.view(np.recarray) if PLAIN else made


@inner
def before(rows, at, key, unit):
    """Return whether row `at` comes before (key, unit): its key is smaller, or equal with a lower unit. O(1)."""
    if rows[at].key != key:
        return rows[at].key < key
    return rows[at].unit < unit


@inner
def write(rows, at, key, unit, version):
    """Write row `at`."""
    rows[at].key, rows[at].unit, rows[at].version = key, unit, version


@inner
def push(rows, count, key, unit, version):
    """Add a row to a heap of `count` rows. O(log count)."""
    at = count
    while at > 0:
        parent = (at - 1) >> 1
        above = rows[parent]
        if above.key < key or (above.key == key and above.unit <= unit):
            break
        write(rows, at, above.key, above.unit, above.version)
        at = parent
    write(rows, at, key, unit, version)


@inner
def sink(rows, count, at, key, unit, version):
    """Write a row at `at` or below it in the tree, in a heap of `count` rows. O(log count)."""
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and before(rows, child + 1, rows[child].key, rows[child].unit):
            child += 1
        if not before(rows, child, key, unit):
            break
        write(rows, at, rows[child].key, rows[child].unit, rows[child].version)
        at = child
    write(rows, at, key, unit, version)


@inner
def pop(rows, count):
    """Remove the first of `count` rows; return how many remain. O(log count)."""
    last = count - 1
    if last > 0:
        sink(rows, last, np.int64(0), rows[last].key, rows[last].unit, rows[last].version)
    return last


@inner
def heapify(rows, count):
    """Turn the first `count` rows into a heap. O(count)."""
    for at in range(count // 2 - 1, -1, -1):
        sink(rows, count, np.int64(at), rows[at].key, rows[at].unit, rows[at].version)
