"""Predicted completions and alarms: a binary heap by (time, unit); an alarm has unit -1.

A row of the heap is never edited: when a rate changes, a new prediction is pushed and the unit's version number makes
the old one stale. When most rows are stale, all stale rows are removed at once.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel import binary_heap
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.errors import FULL, fail
from shadowtime.engine.kernel.state import NO_ROW, RUNNING

SPARE = 128
"""Rows that a heap may grow by before it is compacted, however small it is."""


@inner
def is_current(s, row):
    """Return whether a row is not stale: an alarm never is; a prediction is while its unit runs unchanged."""
    unit = s.heap[row].unit
    if unit == NO_ROW:
        return True
    return s.u[unit].state == RUNNING and s.u[unit].version == s.heap[row].version


@inner
def compact(s):
    """Remove stale predictions in place and restore the heap."""
    heap, k = s.heap, s.k[0]
    kept = 0
    for row in range(k.heap_rows):
        if is_current(s, row):
            if row != kept:
                binary_heap.write(heap, kept, heap[row].key, heap[row].unit, heap[row].version)
            kept += 1
    k.heap_rows = kept
    binary_heap.heapify(heap, kept)


@inner
def tidy(s):
    """Compact a heap that has doubled since it was last compacted: popping stale rows one by one costs more."""
    k = s.k[0]
    if k.heap_rows > 2 * k.heap_kept + SPARE:
        compact(s)
        k.heap_kept = k.heap_rows


@inner
def push(s, time, unit, version):
    """Add a prediction. A full heap is compacted first: at most one row a running unit, and the alarms, remain."""
    k = s.k[0]
    if k.heap_rows == s.heap.shape[0]:
        compact(s)
        if k.heap_rows == s.heap.shape[0]:
            fail(s, FULL, unit, NO_ROW, float(k.heap_rows))
            return
    binary_heap.push(s.heap, k.heap_rows, time, unit, version)
    k.heap_rows += 1
    k.largest_heap = max(k.largest_heap, k.heap_rows)


@inner
def pop(s):
    """Remove the first row."""
    s.k[0].heap_rows = binary_heap.pop(s.heap, s.k[0].heap_rows)


@inner
def next_prediction(s):
    """Return the time of the first row that is not stale [s]; infinity when there is none."""
    while s.k[0].heap_rows > 0:
        if is_current(s, np.int64(0)):
            return s.heap[0].key
        pop(s)
    return np.inf
